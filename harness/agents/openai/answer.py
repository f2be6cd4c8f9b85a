"""From a chat completion to a turn: nothing repaired, nothing dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.agents.openai.plain import count
from harness.agents.openai.section import Calling
from harness.agents.protocol import ToolCall, Turn, Usage


class AnswerError(ValueError):
    """What came is no chat completion: the server's fault, whatever the model said."""


def read_turn(body: Any, *, calling: Calling, turn: int, raw: Mapping[str, Any]) -> Turn:
    """Return the turn that a chat completion is.

    Parameters
    ----------
    body
        The JSON of the answer.
    calling
        How tools were called.
    turn
        The episode's turn, counted from 0. Calls are named after it: servers draw ids by lot, which
        would make every later prompt another one. The server's ids stay in `raw`.
    raw
        The answer for the record.

    Raises
    ------
    AnswerError
        If there is no message in it.
    """
    message, finish_reason = _message(body)
    text = _text(message)
    if calling == "native":
        calls = _native_calls(message, turn)
    else:
        text, calls = _constrained(text, turn)
    return Turn(
        text,
        calls,
        usage=_usage(body),
        finish_reason=finish_reason,
        raw=raw,
    )


def unparsed_turn(text: str, *, turn: int, raw: Mapping[str, Any]) -> Turn:
    """Return the turn of a model whose call its server could not parse: malformed."""
    return Turn(None, (ToolCall(call_id(turn, 0), "", text),), raw=raw)


def call_id(turn: int, position: int) -> str:
    """Return a call's id: nine letters and digits, the one form that every chat template takes."""
    return f"call{turn:02d}{position:03d}"


def _message(body: Any) -> tuple[Mapping[str, Any], str | None]:
    choices = body.get("choices") if isinstance(body, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        raise AnswerError("there is no message in it")
    reason = first.get("finish_reason") if isinstance(first, dict) else None
    return message, reason if isinstance(reason, str) else None


def _text(message: Mapping[str, Any]) -> str | None:
    """Return what was said: the content, its text parts, or the refusal in its place."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not content and isinstance(message.get("refusal"), str):
        content = message["refusal"]
    return content if isinstance(content, str) else None


def _native_calls(message: Mapping[str, Any], turn: int) -> tuple[ToolCall, ...]:
    listed = message.get("tool_calls")
    if not isinstance(listed, list):
        return ()
    calls = []
    for position, item in enumerate(listed):
        function = item.get("function") if isinstance(item, dict) else None
        fields = function if isinstance(function, dict) else {}
        name, arguments = fields.get("name"), fields.get("arguments", "")
        calls.append(
            ToolCall(
                call_id(turn, position),
                name if isinstance(name, str) else "",
                # Some servers send the object itself, which is their way of writing, not the
                # model's.
                arguments if isinstance(arguments, str) else _dump(arguments),
            )
        )
    return tuple(calls)


def _constrained(text: str | None, turn: int) -> tuple[str | None, tuple[ToolCall, ...]]:
    """Read an answer of the form in `grammar`; what does not parse is a call that does not."""
    if not text:
        return text, ()
    try:
        answer = json.loads(text, object_pairs_hook=_unique)["turn"]
        if "tool" not in answer:
            said = answer["text"]
            return (said if isinstance(said, str) else _dump(said)), ()
        name, arguments = answer["tool"], answer["arguments"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None, (ToolCall(call_id(turn, 0), "", text),)
    if not isinstance(name, str):
        return None, (ToolCall(call_id(turn, 0), "", text),)
    return None, (ToolCall(call_id(turn, 0), name, _dump(arguments)),)


def _usage(body: Mapping[str, Any]) -> Usage | None:
    """Return what the server counted; llama.cpp tells of its cache beside the usage."""
    figures = body.get("usage")
    if not isinstance(figures, dict):
        return None
    details, timings = figures.get("prompt_tokens_details"), body.get("timings")
    cached = _count(details, "cached_tokens")
    return Usage(
        input_tokens=_count(figures, "prompt_tokens"),
        cached_tokens=_count(timings, "cache_n") if cached is None else cached,
        output_tokens=_count(figures, "completion_tokens"),
        reasoning_tokens=_count(figures.get("completion_tokens_details"), "reasoning_tokens"),
    )


def _count(figures: Any, name: str) -> int | None:
    return count(figures.get(name)) if isinstance(figures, dict) else None


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found
