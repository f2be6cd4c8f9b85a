"""The conversation: the query, the attempts so far, and how often the user said "incomplete"."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from harness.agents.protocol import TASK_INCOMPLETE, Message
from router.canonical import CanonicalError, canonical_json
from surface.failure import ERROR_CLASSES

_SUCCESS: Final = frozenset({"ok", "executed"})


@dataclass(frozen=True, eq=False)
class Attempt:
    """The first call of a turn and what it answered."""

    name: str
    arguments: Mapping[str, Any]
    status: str
    """``ok``, ``executed``, ``error``, ``blocked``; ``unknown`` if the answer is not readable."""
    error_class: str | None
    error: str
    content: str
    """The answer as it was written."""

    @property
    def succeeded(self) -> bool:
        """Whether the call was completed."""
        return self.status in _SUCCESS

    @cached_property
    def call(self) -> tuple[str, bytes | None]:
        """Name and canonical arguments; equal for equal calls."""
        return call_key(self.name, self.arguments)


@dataclass(frozen=True, eq=False)
class Conversation:
    """What has been said."""

    query: str
    attempts: tuple[Attempt, ...]
    nudges: int
    """How often a text was answered with ``TASK_INCOMPLETE``."""
    turns: int
    """Turns that the agent has taken."""


def call_key(name: str, arguments: Mapping[str, Any]) -> tuple[str, bytes | None]:
    """Return what equal calls share."""
    try:
        return name, canonical_json(dict(arguments))
    except CanonicalError:
        return name, None


def read_conversation(messages: Sequence[Message]) -> Conversation:
    """Read the messages. What does not have the form of a chat is passed over."""
    query: str | None = None
    nudges = turns = 0
    answers = {
        message.get("tool_call_id"): message.get("content")
        for message in messages
        if message.get("role") == "tool" and isinstance(message.get("tool_call_id"), str)
    }
    for message in messages:
        role, content = message.get("role"), message.get("content")
        if role == "user" and isinstance(content, str):
            if query is None:
                query = content
            elif content.strip() == TASK_INCOMPLETE:
                nudges += 1
        elif role == "assistant":
            turns += 1
    return Conversation(query or "", tuple(_attempts(messages, answers)), nudges, turns)


def _attempts(messages: Sequence[Message], answers: Mapping[Any, Any]) -> Iterator[Attempt]:
    for message in messages:
        calls = message.get("tool_calls") if message.get("role") == "assistant" else None
        if not isinstance(calls, Sequence) or isinstance(calls, str) or not calls:
            continue
        # Only the first call of a turn is executed (protocol, section 4).
        call = calls[0]
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            continue
        identity = call.get("id")
        content = answers.get(identity) if isinstance(identity, str) else None
        answer = read_object(content)
        status, error = answer.get("status"), answer.get("error")
        text = error if isinstance(error, str) else ""
        name = text.split(":", 1)[0].strip()
        yield Attempt(
            name=function["name"],
            arguments=read_object(function.get("arguments")),
            status=status if isinstance(status, str) else "unknown",
            error_class=name if name in ERROR_CLASSES else None,
            error=text,
            content=content if isinstance(content, str) else "",
        )


def _refuse(constant: str) -> None:
    """Refuse NaN and the infinities, which are not JSON."""
    raise ValueError(f"{constant} is not JSON")


def read_object(text: Any) -> Mapping[str, Any]:
    """Return the object that a JSON text holds; an empty one if it holds none."""
    if not isinstance(text, str):
        return {}
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
