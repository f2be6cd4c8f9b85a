"""Reading the tool calls of a turn: parsed, malformed, or one too many."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from harness.agents.protocol import ToolCall, Turn
from harness.prompt import PARALLEL_ERROR
from harness.record import CallRecord
from router.canonical import CanonicalError, canonical_json
from surface.executor import Execution


def parse_arguments(call: ToolCall) -> Mapping[str, Any] | None:
    """Return a call's arguments, or None when it does not parse to a name and an object.

    Nothing is repaired. Values without a canonical form (NaN, integers beyond 2^53 - 1, lone
    surrogates), duplicate keys and bottomless nesting do not parse.
    """
    if not call.name:
        return None
    try:
        arguments = json.loads(call.arguments, parse_constant=_refuse, object_pairs_hook=_unique)
        canonical_json(arguments)
        (call.name + call.arguments).encode()
    except (ValueError, RecursionError, CanonicalError):
        return None
    return arguments if isinstance(arguments, dict) else None


def storable(answer: Turn) -> Turn:
    """Return a turn as it can be logged and sent again: lone surrogates escaped.

    To be called after `parse_arguments`, which takes such a call for malformed.
    """
    return Turn(
        None if answer.text is None else _escape(answer.text),
        tuple(
            ToolCall(_escape(call.id), _escape(call.name), _escape(call.arguments))
            for call in answer.calls
        ),
    )


def _escape(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def executed_call(call: ToolCall, route: str, execution: Execution) -> CallRecord:
    """Return the record of a turn's first call."""
    return CallRecord(
        call_id=call.id,
        name=call.name,
        route=route,
        arguments=call.arguments,
        parallel=False,
        decision=execution.decision,
        status=execution.status,
        error=execution.error,
        approval=execution.approval,
    )


def parallel_call(call: ToolCall, route: str) -> CallRecord:
    """Return the record of a call that was not its turn's first: never executed."""
    return CallRecord(
        call_id=call.id,
        name=call.name,
        route=route,
        arguments=call.arguments,
        parallel=True,
        decision="parallel",
        status="error",
        error=PARALLEL_ERROR,
        approval=None,
    )


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found
