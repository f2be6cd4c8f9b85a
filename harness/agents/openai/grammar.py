"""What constrains an answer that calls tools in text: a JSON Schema, or a GBNF grammar."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from harness.agents.openai.answer import NO_TOOL

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
    return {
        "type": "object",
        "properties": {
            "tool": {"type": "string", "enum": [*names, NO_TOOL]},
            "arguments": {"type": "object"},
            "text": {"type": "string"},
        },
        "required": ["tool"],
        "additionalProperties": False,
    }


def answer_grammar(names: Sequence[str]) -> str:
    """Return the grammar of the same answer, one literal alternative a tool."""
    said = rf'"{{\"tool\": \"{NO_TOOL}\", \"text\": " string "}}"'
    if not names:
        return f"root ::= {said}\n{JSON_RULES.lstrip()}"
    tools = " | ".join(json.dumps(json.dumps(name)) for name in names)
    called = r'"{\"tool\": " tool ", \"arguments\": " object "}"'
    return f"root ::= {called} | {said}\ntool ::= {tools}\n{JSON_RULES.lstrip()}"
