"""What a service file leaves out is composed from its terms."""

from __future__ import annotations

import pytest

from surface.composition import example_observation, field_example, field_schema, in_unit
from surface.vocabulary import Term

SPEED = Term(
    description="Speed",
    json_schema={"type": "integer", "minimum": 0, "exclusiveMaximum": 360, "multipleOf": 5},
    unit="km/hour",
    dimension="speed",
    example=72,
)


def test_a_schema_follows_its_unit() -> None:
    assert field_schema(SPEED, "km/hour", many=False) == SPEED.json_schema
    assert field_schema(SPEED, "m/s", many=False) == {
        "type": "number",
        "minimum": 0,
        "exclusiveMaximum": 100,
    }


def test_many_is_an_array_with_an_element() -> None:
    assert field_schema(SPEED, "km/hour", many=True) == {
        "type": "array",
        "items": SPEED.json_schema,
        "minItems": 1,
    }


def test_the_term_s_own_schema_is_left_alone() -> None:
    before = dict(SPEED.json_schema)
    field_schema(SPEED, "m/s", many=False)["minimum"] = 5
    assert SPEED.json_schema == before


@pytest.mark.parametrize(("unit", "expected"), [("km/hour", 72), ("m/s", 20), (None, 72)])
def test_an_example_follows_its_unit(unit: str | None, expected: float) -> None:
    assert field_example(SPEED, unit) == expected


def test_a_converted_value_can_be_written_down() -> None:
    assert in_unit(10, "kg", "lb") == 22.0462
    assert in_unit(0, "degC", "degF") == 32
    assert isinstance(in_unit(0, "degC", "degF"), int)


def test_an_example_observation_holds_a_value_at_each_pointer() -> None:
    assert example_observation(
        {"a": 1, "b.c": 2, "b.d[].e": 3, "b.d[].f[]": 4, "b.d[].g.h": 5}
    ) == {"a": 1, "b": {"c": 2, "d": [{"e": 3, "f": [4], "g": {"h": 5}}]}}
