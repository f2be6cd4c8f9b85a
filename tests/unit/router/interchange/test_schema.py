from __future__ import annotations

from typing import Any

import pytest

from router.interchange import InterchangeError
from router.interchange.budget import Budget
from router.interchange.place import Place
from router.interchange.schema import SchemaReader


def read(schema: Any) -> dict[str, Any]:
    root = Place(schema)
    return SchemaReader(root, Budget()).read(root)


DEFS = {"$defs": {"A": {"type": "string", "description": "An A"}, "T": True, "F": False}}


def test_references_are_followed_and_definitions_left_out() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, **DEFS}
    a = {"type": "string", "description": "An A"}
    assert read(schema) == {"type": "object", "properties": {"a": a}}
    assert read({"$ref": "#/definitions/R", "definitions": {"R": {"$ref": "#/definitions/S"},
                                                           "S": {"type": "object"}}}) == {
        "type": "object"
    }  # fmt: skip


def test_pointers_are_unescaped() -> None:
    schema = {"properties": {"x": {"$ref": "#/$defs/a~1b~0c%20d/anyOf/1"}},
              "$defs": {"a/b~c d": {"anyOf": [{}, {"type": "null"}]}}}  # fmt: skip
    assert read(schema) == {"properties": {"x": {"type": "null"}}}


def test_notes_beside_a_reference_win_and_restrictions_add() -> None:
    noted = {"$ref": "#/$defs/A", "description": "Mine", "x-unit": "kg", **DEFS}
    assert read(noted) == {"type": "string", "description": "Mine", "x-unit": "kg"}
    restricted = {"$ref": "#/$defs/A", "maxLength": 3, "type": "string", **DEFS}
    assert read(restricted) == {
        "allOf": [{"type": "string", "description": "An A"}, {"maxLength": 3, "type": "string"}]
    }


def test_true_and_false_are_schemas() -> None:
    assert read(True) == {}
    assert read(False) == {"not": {}}
    assert read({"$ref": "#/$defs/T", "title": "x", **DEFS}) == {"title": "x"}
    assert read({"$ref": "#/$defs/F", "title": "x", **DEFS}) == {"not": {}, "title": "x"}
    assert read({"items": False, "additionalProperties": True}) == {
        "items": False, "additionalProperties": True,
    }  # fmt: skip


@pytest.mark.parametrize("schema", [
    {"enum": [{"$ref": "#/nowhere"}]},
    {"const": {"$ref": 1, "x-unit": 2, "required": 3}},
    {"default": {"properties": 1}, "examples": [{"description": 5}]},
    {"properties": {"$ref": {"type": "string"}, "x-unit": {}, "required": {"const": 1}}},
    {"dependencies": {"a": ["b"], "c": {"type": "object"}}},
    {"prefixItems": [{}], "items": [{"type": "string"}, True]},
])  # fmt: skip
def test_data_and_names_are_not_taken_for_keywords(schema: dict[str, Any]) -> None:
    assert read(schema) == schema


def test_what_is_read_is_a_copy() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"enum": [[1]]}}, "default": {"a": [1]}}
    copy = read(schema)
    copy["properties"]["a"]["enum"][0].append(2)
    copy["default"]["a"].append(2)
    assert schema == {"properties": {"a": {"enum": [[1]]}}, "default": {"a": [1]}}


@pytest.mark.parametrize(("schema", "pointer", "what"), [
    ({"properties": {"a": {"$ref": "#"}}}, "/properties/a", "leads back"),
    ({"properties": {"a": {"items": {"$ref": "#/properties/a"}}}}, "/properties/a/items", "back"),
    ({"$ref": "#/$defs/X", "$defs": {"X": {"$ref": "#/$defs/Y"}, "Y": {"$ref": "#/$defs/X"}}},
     "/$defs/Y", "leads back"),
    ({"not": {"$ref": "#/$defs/X"}, "$defs": {"X": {"anyOf": [{"$ref": "other.json"}]}}},
     "/$defs/X/anyOf/0", "out of the document"),
    ({"properties": {"a": {"$id": "urn:a", "not": {"$ref": "#/not"}}}}, "/properties/a/not",
     "'\\$id' of its own"),
    ({"$dynamicRef": "#n"}, "/$dynamicRef", "depends on who refers"),
    ({"anyOf": {}}, "/anyOf", "an array"),
    ({"anyOf": [1]}, "/anyOf/0", "an object"),
    ({"additionalProperties": []}, "/additionalProperties", "an object"),
    ({"properties": {"a": None}}, "/properties/a", "an object"),
    ({"required": {}}, "/required", "an array"),
    ({"description": {}}, "/description", "a string"),
    ({"x-identifier": 1}, "/x-identifier", "true or false"),
    ({"x-semantic-id": " "}, "/x-semantic-id", "blank"),
    ({"maximum": 2**53}, "/maximum", "beyond"),
    ({"default": [float("nan")]}, "/default/0", "not finite"),
    ({"title": "\udead"}, "/title", "surrogate"),
    ({"default": {1: 2}}, "/default", "no string"),
])  # fmt: skip
def test_what_cannot_be_read_is_named(schema: Any, pointer: str, what: str) -> None:
    with pytest.raises(InterchangeError, match=what) as caught:
        read(schema)
    assert caught.value.pointer == pointer


def test_an_id_at_the_root_names_the_document_itself() -> None:
    schema = {"$id": "https://example.org/a", "not": {"$ref": "#/$defs/A"}, **DEFS}
    assert read(schema) == {"not": {"type": "string", "description": "An A"}}
