from __future__ import annotations

from typing import Any

import pytest

from router import FieldSpec
from router.interchange import InterchangeError
from router.interchange.budget import Budget
from router.interchange.observation import read_observation
from router.interchange.place import Place
from router.interchange.schema import SchemaReader


def fields(schema: Any) -> tuple[FieldSpec, ...]:
    root = Place(schema)
    found = read_observation(root, SchemaReader(root, Budget()))["output_fields"]
    assert isinstance(found, tuple)
    return found


def pointers(schema: Any) -> list[str]:
    return [field.pointer for field in fields(schema)]


STRING = {"type": "string"}


@pytest.mark.parametrize(("schema", "expected"), [
    ({}, []),
    (True, []),
    (STRING, []),
    ({"type": "object"}, []),
    ({"type": "array", "items": STRING}, []),
    ({"properties": {"b": STRING, "a": {}}}, ["b", "a"]),
    ({"properties": {"o": {"properties": {"x": True}}, "t": {"items": STRING}}}, ["o.x", "t[]"]),
    ({"properties": {"r": {"items": {"properties": {"s": {"items": {"properties": {"z": {}}}}}}}}},
     ["r[].s[].z"]),
    ({"type": "array", "items": {"properties": {"id": STRING}}}, ["[].id"]),
    # What has no path of its own is one value.
    ({"properties": {"m": {"items": {"items": STRING}}}}, ["m[]"]),
    ({"properties": {"m": {"additionalProperties": STRING}, "p": {"prefixItems": [{}]}}},
     ["m", "p"]),
    ({"properties": {"u": {"items": True}}}, ["u"]),
    # Alternatives.
    ({"anyOf": [{"properties": {"a": STRING}}, {"type": "null"}]}, ["a"]),
    ({"allOf": [{"properties": {"a": STRING}}], "properties": {"b": {}}}, ["b", "a"]),
    ({"properties": {"o": {"oneOf": [{"properties": {"x": {}}}, {"items": STRING}]}}},
     ["o.x", "o[]"]),
])  # fmt: skip
def test_plain_values_at_any_depth_are_fields(schema: Any, expected: list[str]) -> None:
    assert pointers(schema) == expected


def test_whatever_is_typed_is_a_field() -> None:
    order = {"x-semantic-id": "order", "properties": {"id": STRING}}
    tags = {"x-semantic-id": "tags", "items": STRING}
    found = fields({"properties": {"order": order, "tags": tags}})
    assert [(field.pointer, field.semantic_id) for field in found] == [
        ("order", "order"), ("order.id", None), ("tags", "tags"),
    ]  # fmt: skip
    assert found[0].json_schema == {"properties": {"id": STRING}}
    assert found[2].json_schema == {"items": STRING}


def test_alternatives_that_differ_leave_the_value_open() -> None:
    one, other = {"properties": {"a": STRING}}, {"properties": {"a": {"type": "integer"}}}
    assert fields({"anyOf": [one, one]})[0].json_schema == STRING
    assert fields({"anyOf": [one, other]})[0].json_schema == {}
    composite = {"properties": {"a": {"properties": {"b": {}}}}}
    assert [(item.pointer, item.json_schema) for item in fields({"anyOf": [one, composite]})] == [
        ("a", {}), ("a.b", {}),
    ]  # fmt: skip


def test_alternatives_agree_on_typing_or_are_refused() -> None:
    def weights(*units: str | None) -> dict[str, Any]:
        return {
            "oneOf": [{"properties": {"w": {"x-unit": unit} if unit else {}}} for unit in units]
        }

    assert fields(weights("kg", None, "kg"))[0].unit == "kg"
    with pytest.raises(InterchangeError, match="'w' is typed in two ways"):
        fields(weights("kg", "lb"))


def test_fields_of_one_pointer_are_refused() -> None:
    schema = {"properties": {"a.b": {}, "a": {"properties": {"b": {}}}}}
    assert len(fields(schema)) == 2  # An endpoint of them is refused; see the tests of the forms.
    assert fields(schema)[0].path == ("a.b",)
