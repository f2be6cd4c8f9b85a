"""Reading the tool calls of a turn: parsed, malformed, or one too many."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NoReturn

from harness.agents.protocol import ToolCall, Turn
from harness.prompt import PARALLEL_ERROR
from harness.record import CallRecord
from router.canonical import CanonicalError, canonical_json
from surface.executor import Execution

MAX_DEPTH: Final = 64
"""How deep arguments may be nested; no tool of any catalog comes near it."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def parse_arguments(call: ToolCall) -> Mapping[str, Any] | None:
    """Return a call's arguments, or None when it does not parse to a name and an object.

    Nothing is repaired. Values without a canonical form (NaN, integers beyond 2^53 - 1, lone
    surrogates), duplicate keys and nesting beyond `MAX_DEPTH` do not parse.
    """
    if not call.name or _has_surrogate(call):
        return None
    try:
        arguments = json.loads(call.arguments, parse_constant=_refuse, object_pairs_hook=_unique)
        # Before anything walks it: how deep a value can be walked depends on the stack.
        if _depth(arguments) > MAX_DEPTH:
            return None
        canonical_json(arguments)
    except (ValueError, RecursionError, CanonicalError):
        return None
    return arguments if isinstance(arguments, dict) else None


def storable(answer: Turn) -> Turn:
    """Return a turn as it can be logged and sent again: surrogates escaped.

    To be called after `parse_arguments`, which takes a call with a surrogate for malformed. Escaped
    arguments could parse, so a replacement character before them keeps the log from saying
    otherwise.
    """
    return replace(
        answer,
        text=None if answer.text is None else _escape(answer.text),
        calls=tuple(
            ToolCall(
                _escape(call.id),
                _escape(call.name),
                ("\ufffd" if _has_surrogate(call) else "") + _escape(call.arguments),
            )
            for call in answer.calls
        ),
    )


def _has_surrogate(call: ToolCall) -> bool:
    return _SURROGATE.search(call.name + call.arguments) is not None


def _depth(value: Any) -> int:
    """Return how deep objects and arrays are nested, without recursion."""
    deepest, pending = 0, [(value, 1)]
    while pending:
        item, depth = pending.pop()
        if isinstance(item, dict | list):
            deepest = max(deepest, depth)
            inner = item.values() if isinstance(item, dict) else item
            pending.extend((child, depth + 1) for child in inner)
    return deepest


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
