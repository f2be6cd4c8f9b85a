"""What constrains an answer that calls tools in text: a JSON Schema, or a GBNF grammar.

The answer is ``{"turn": {"tool": …, "arguments": {…}}}`` or ``{"turn": {"text": …}}``. The outer
object is there because hosted APIs take no choice at the root of a schema.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

JSON_RULES: Final = r"""
object ::= "{" space (member ("," space member)*)? "}"
member ::= string space ":" space value space
array ::= "[" space (value space ("," space value space)*)? "]"
value ::= object | array | string | number | "true" | "false" | "null"
string ::= "\"" ([^"\\\x00-\x1f] | "\\" (["\\/bfnrt] | "u" hex hex hex hex))* "\""
hex ::= [0-9a-fA-F]
number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [-+]? [0-9]+)?
space ::= " "?
"""


def answer_schema(names: Sequence[str]) -> dict[str, Any]:
    """Return the schema of an answer: a tool of these and its arguments, or a text.

    Arguments are any object: whether they fit the tool is the executor's business, and no server's
    constrained decoding takes every keyword of JSON Schema.
    """
    tool = {"type": "string", "enum": list(names)}
    called = _object({"tool": tool, "arguments": {"type": "object"}})
    said = _object({"text": {"type": "string"}})
    return _object({"turn": {"anyOf": [called, said]} if names else said})


def answer_grammar(names: Sequence[str]) -> str:
    """Return the grammar of the same answer, one literal alternative a tool."""
    said = r'"{\"turn\": {\"text\": " string "}}"'
    if not names:
        return f"root ::= {said}\n{JSON_RULES.lstrip()}"
    tools = " | ".join(json.dumps(json.dumps(name)) for name in names)
    called = r'"{\"turn\": {\"tool\": " tool ", \"arguments\": " object "}}"'
    return f"root ::= {called} | {said}\ntool ::= {tools}\n{JSON_RULES.lstrip()}"


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
