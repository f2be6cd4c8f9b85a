"""Arguments are checked against the whole schema, and a schema that is none checks nothing."""

from __future__ import annotations

from typing import Any

import pytest

from harness.agents.protocol import ToolSchema
from harness.agents.reference.validation import is_valid

WHOLE = {
    "type": "object",
    "properties": {"count": {"type": "integer", "minimum": 1}},
    "required": ["count"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("arguments", "valid"),
    [({"count": 1}, True), ({"count": 0}, False), ({}, False), ({"count": 1, "x": 2}, False)],
)
def test_arguments_are_checked_against_the_whole_schema(
    arguments: dict[str, Any], valid: bool
) -> None:
    assert is_valid(ToolSchema("a__b", "", WHOLE), arguments) is valid


@pytest.mark.parametrize(
    "broken",
    [
        {"properties": {"count": {"type": "whole"}}},
        {"properties": {"count": {"minimum": "1"}}},
        {"properties": {"count": 5}},
        {"properties": []},
        {"required": ["count", "count"]},
        {"required": "count"},
        {"additionalProperties": 3},
        {"type": "thing"},
    ],
)
def test_a_schema_that_is_none_makes_every_argument_invalid(broken: dict[str, Any]) -> None:
    assert not is_valid(ToolSchema("a__b", "", {**WHOLE, **broken}), {"count": 1})


def test_parts_that_only_look_alike_are_told_apart() -> None:
    # 1 and True are equal in Python, and not in JSON Schema.
    sound = {"properties": {"count": {"minimum": 1}}}
    broken = {"properties": {"count": {"minimum": True}}}
    assert is_valid(ToolSchema("a__b", "", {**WHOLE, **sound}), {"count": 1})
    assert not is_valid(ToolSchema("a__b", "", {**WHOLE, **broken}), {"count": 1})
