"""The conversation as it is sent: what a server would refuse to read is said in words.

A hosted API refuses a name or arguments that it would not have written itself, and chat templates
parse the arguments of earlier calls. What a model wrote is an outcome and stays in the record as it
is; here it is only told to the model again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from harness.agents.protocol import Message

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")


def native_history(messages: Sequence[Message]) -> list[Message]:
    """Return messages for a server that calls tools itself.

    Calls that it would refuse to read stand as text in their turn, and the answers to them follow
    as one user message.
    """
    sent: list[Message] = []
    told: dict[str, str] = {}
    answers: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            name = told.get(message["tool_call_id"])
            if name is not None:
                answers.append(f"{name}: {message['content']}")
                continue
        elif answers:
            sent.append({"role": "user", "content": "\n".join(answers)})
            answers = []
        sent.append(_native(message, told) if message["role"] == "assistant" else message)
    if answers:
        sent.append({"role": "user", "content": "\n".join(answers)})
    return sent


def _native(message: Message, told: dict[str, str]) -> Message:
    """Return an assistant message; note in `told` the calls that stand as text in it."""
    lines = [message["content"]] if message["content"] else []
    calls = []
    # What a call was answered is found by its id, which is its own within a turn alone.
    told.clear()
    for call in message.get("tool_calls", ()):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        if _NAME.match(name) and _is_object(arguments):
            calls.append(call)
        else:
            lines.append(f"{name}({arguments})")
            told[call["id"]] = name
    # Never null: some chat templates would write it out.
    plain: dict[str, Any] = {"role": "assistant", "content": "\n".join(lines)}
    return {**plain, "tool_calls": calls} if calls else plain


def constrained_history(messages: Sequence[Message]) -> list[Message]:
    """Return messages for a server that knows of no tools: calls and answers as text."""
    return [_constrained(message) for message in messages]


def _constrained(message: Message) -> Message:
    if message["role"] == "tool":
        return {"role": "user", "content": message["content"]}
    if message["role"] != "assistant":
        return message
    calls = message.get("tool_calls", ())
    if not calls:
        said = {"turn": {"text": message["content"] or ""}}
        return {"role": "assistant", "content": json.dumps(said, ensure_ascii=False)}
    lines = []
    for call in calls:
        name = json.dumps(call["function"]["name"], ensure_ascii=False)
        arguments = call["function"]["arguments"]
        lines.append(f'{{"turn": {{"tool": {name}, "arguments": {arguments}}}}}')
    return {"role": "assistant", "content": "\n".join(lines)}


def turns_taken(messages: Sequence[Mapping[str, Any]]) -> int:
    """Return how many turns were taken before."""
    return sum(message["role"] == "assistant" for message in messages)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
