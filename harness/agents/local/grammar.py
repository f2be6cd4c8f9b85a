"""The GBNF grammar of an answer: one literal alternative a tool, with its argument names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from harness.agents.protocol import ToolSchema

SAY: Final = "say"
"""What stands before a text where a call begins with a tool's name."""

LONGEST_TEXT: Final = 60
"""Letters of a text; a small model would otherwise repeat itself to the token limit."""

RULES: Final = rf"""
words ::= [^\x00-\x1f\x7f]{{1,{LONGEST_TEXT}}}
text ::= "\"" letter{{1,{LONGEST_TEXT}}} "\""
letter ::= [^"\\\x00-\x1f\x7f] | "\\" ["\\nt]
number ::= "-"? ("0" | [1-9] [0-9]{{0,8}}) ("." [0-9]{{1,4}})?
integer ::= "-"? ("0" | [1-9] [0-9]{{0,8}})
boolean ::= "true" | "false"
"""

_SCALARS: Final[Mapping[str, str]] = {
    "string": "text",
    "number": "number",
    "integer": "integer",
    "boolean": "boolean",
}


def answer_grammar(tools: Sequence[ToolSchema]) -> str:
    """Return the grammar for an exposure.

    Names and the form of arguments are constrained, values only by their type: whether they are
    right, and fit their pattern, is what the study asks.
    """
    alternatives = [*map(called, tools), f"{literal(f'{SAY} ')} words"]
    return "root ::= " + " |\n  ".join(alternatives) + "\n" + RULES.lstrip()


def called(tool: ToolSchema) -> str:
    """Return the alternative of one tool: required arguments in order, then optional ones."""
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    required = sorted(tool.parameters.get("required", ()))
    optional = [name for name in sorted(properties) if name not in required]
    parts = [literal(f"{tool.name} {{")]
    if required:
        parts += [_members(required, properties), *_optional(optional, properties)]
    elif optional:
        # Whichever comes first has no comma before it.
        firsts = (
            " ".join([_members([name], properties), *_optional(optional[after:], properties)])
            for after, name in enumerate(optional, 1)
        )
        parts.append(f"({' | '.join(firsts)})?")
    return " ".join([*parts, literal("}")])


def value(schema: Mapping[str, Any]) -> str:
    """Return the rule of an argument's value."""
    if "enum" in schema:
        return (
            "("
            + " | ".join(literal(json.dumps(item, ensure_ascii=False)) for item in schema["enum"])
            + ")"
        )
    if schema.get("type") == "array":
        item = value(schema.get("items", {}))
        return f'("[" {item} (", " {item}){{0,9}} "]")'
    return _SCALARS.get(schema.get("type", "string"), "text")


def literal(text: str) -> str:
    """Return a text as a literal of GBNF, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)


def _members(names: Sequence[str], properties: Mapping[str, Any]) -> str:
    """Return arguments that all stand there."""
    comma = f" {literal(', ')} "
    return comma.join(f"{_key(name)} {value(properties.get(name, {}))}" for name in names)


def _optional(names: Sequence[str], properties: Mapping[str, Any]) -> list[str]:
    """Return arguments that may stand there, after another one."""
    return [f"({literal(', ')} {_members([name], properties)})?" for name in names]


def _key(name: str) -> str:
    return literal(f'"{name}": ')
