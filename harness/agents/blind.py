"""Blind calls: a tool by lot, and arguments by lot among what its schema admits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.agents.lots import Lots
from harness.agents.protocol import Message, ToolCall, ToolSchema
from router.canonical import canonical_json

NOTHING_SAID: Final = "x"
"""The text where the conversation holds none that fits."""

_WORD: Final = re.compile(r"""[^\s"'`,;()\[\]{}<>「」、。？！?!]+""")


def blind_call(
    tool: ToolSchema, messages: Sequence[Message], lots: Lots, identifier: str, *name: str | int
) -> ToolCall:
    """Return a call of a tool with every required argument drawn by lot.

    Parameters
    ----------
    tool
        The tool.
    messages
        The conversation, whose words and numbers are the values to draw from.
    lots
        The episode's lots.
    identifier
        Of the call.
    name
        What the lots are drawn for.
    """
    words = tuple(dict.fromkeys(_words(messages)))
    properties = tool.parameters.get("properties", {})
    arguments = {
        key: _value(properties.get(key, {}), words, lots, *name, key)
        for key in sorted(tool.parameters.get("required", ()))
    }
    return ToolCall(identifier, tool.name, canonical_json(arguments).decode())


def _words(messages: Sequence[Message]) -> Iterator[str]:
    """Yield the words of the query and of every answer of a tool."""
    for message in messages:
        if message["role"] in {"user", "tool"}:
            for word in _WORD.findall(message["content"]):
                # As in "shipment_id:SHP-100233." of an answer or a sentence.
                yield word.rstrip(".:")
                yield word.rpartition(":")[2].rstrip(".")


def _value(schema: Mapping[str, Any], words: Sequence[str], lots: Lots, *name: str | int) -> Any:
    """Return a value by lot; it fits the schema where a word does."""
    if "enum" in schema:
        return lots.choice(schema["enum"], *name)
    match schema.get("type"):
        case "boolean":
            return lots.uniform(*name) < 0.5
        case "integer":
            return round(_number(schema, words, lots, *name))
        case "number":
            return _number(schema, words, lots, *name)
        case "array":
            return [_value(schema.get("items", {}), words, lots, *name, 0)]
    pattern = re.compile(schema.get("pattern", ""))
    fitting = [word for word in words if word and pattern.search(word)]
    return lots.choice(fitting, *name) if fitting else NOTHING_SAID


def _number(schema: Mapping[str, Any], words: Sequence[str], lots: Lots, *name: str | int) -> float:
    least = schema.get("minimum", 0)
    fitting = [value for word in words if (value := _parsed(word)) is not None and value >= least]
    return lots.choice(fitting, *name) if fitting else least


def _parsed(word: str) -> float | None:
    """Return the number that a word is, if it is one that canonical JSON takes."""
    try:
        value = json.loads(word)
    except (ValueError, RecursionError):
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if number and abs(value) < 2**53 else None
