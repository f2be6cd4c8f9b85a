"""From a chat completion of the model in this process to a turn: nothing repaired."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.agents.local.engine import REMEDY
from harness.agents.local.grammar import SAY
from harness.agents.openai.plain import plain
from harness.agents.openai.refusal import Overflow, error_message, read_refusal
from harness.agents.protocol import ContextOverflow, ToolCall, Turn, Usage
from harness.error import InfrastructureError


def read_answer(answer: Mapping[str, Any], *, turn: int) -> Turn:
    """Return the turn that an answer is.

    Parameters
    ----------
    answer
        A chat completion, or its refusal.
    turn
        The episode's turn, counted from 1; its call is named after it.

    Raises
    ------
    ContextOverflow
        If the prompt did not fit.
    InfrastructureError
        If the answer is neither a completion nor an overflow.
    """
    if "error" in answer:
        raise _refused(answer)
    try:
        choice, usage = answer["choices"][0], answer["usage"]
        written, reason = choice["message"]["content"], choice["finish_reason"]
        counts = Usage(
            input_tokens=usage["prompt_tokens"],
            cached_tokens=usage["prompt_tokens_details"]["cached_tokens"],
            output_tokens=usage["completion_tokens"],
        )
    except (IndexError, KeyError, TypeError) as error:
        raise InfrastructureError(
            "The local model answered with no chat completion.", REMEDY
        ) from error
    text, calls = read_line(written, f"call_{turn}")
    return Turn(text, calls, usage=counts, finish_reason=reason, raw=plain(dict(answer)))


def read_line(written: str, identifier: str) -> tuple[str | None, tuple[ToolCall, ...]]:
    """Return the text or the call that a line is.

    The grammar admits no other line, but one may break off at the token limit: as arguments that
    do not parse, or as part of a name.
    """
    name, _, rest = written.partition(" ")
    if name == SAY:
        return rest, ()
    return None, (ToolCall(identifier, name, rest),)


def _refused(answer: Mapping[str, Any]) -> ContextOverflow | InfrastructureError:
    """Return what a refusal stands for."""
    error = answer["error"]
    status = error.get("code") if isinstance(error, dict) else None
    found = read_refusal(status if isinstance(status, int) else 500, dict(answer))
    if isinstance(found, Overflow):
        return ContextOverflow(
            found.message,
            prompt_tokens=found.prompt_tokens,
            context_tokens=found.context_tokens,
            raw=plain(dict(answer)),
        )
    return InfrastructureError(
        f"The local model refused the request ({error_message(dict(answer))}).", REMEDY
    )
