"""What is kept of an observation, worked out by hand from section 3 of the protocol."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from conditions.error import StateError
from conditions.observation import Observed, read_observation, value_type
from router.contract import FieldSpec

ITEMS = (
    FieldSpec(
        name="order_id", path=("items[]", "order_id"), semantic_id="order.id", identifier=True
    ),
    FieldSpec(
        name="weight",
        path=("items[]", "weight"),
        semantic_id="order.weight",
        unit="kg",
        dimension="mass",
        qualifiers={"source": "declared", "basis": "gross"},
    ),
    FieldSpec(name="total", semantic_id="page.total"),
)


def read(observation: Mapping[str, object], *fields: FieldSpec, completed: bool = True) -> Observed:
    return read_observation(observation, fields, completed=completed)


def test_a_completed_observation_gives_names_types_metadata_and_identifiers() -> None:
    seen = read({"items": [{"order_id": "A-1", "weight": 2.5}], "total": 1}, *ITEMS)
    assert seen == Observed(
        field_names=frozenset({"items", "order_id", "weight", "total"}),
        value_types=frozenset({"array", "object", "string", "number", "integer"}),
        semantic_ids=frozenset({"order.id", "order.weight", "page.total"}),
        units=frozenset({"kg"}),
        dimensions=frozenset({"mass"}),
        qualifiers=frozenset({"source=declared", "basis=gross"}),
        identifiers=frozenset({"A-1"}),
    )


def test_a_failed_observation_gives_names_and_types_only() -> None:
    seen = read({"items": [{"order_id": "A-1", "weight": 2.5}]}, *ITEMS, completed=False)
    assert seen == Observed(
        field_names=frozenset({"items", "order_id", "weight"}),
        value_types=frozenset({"array", "object", "string", "number"}),
    )


def test_the_root_object_is_not_a_field() -> None:
    assert read({}) == Observed()


def test_an_absent_registered_field_contributes_nothing() -> None:
    assert read({"total": 3}, *ITEMS).semantic_ids == {"page.total"}


def test_metadata_is_found_by_path_and_not_by_name() -> None:
    seen = read({"order_id": "A-1", "weight": 2.5}, *ITEMS)
    assert seen.semantic_ids == seen.units == frozenset()
    assert seen.identifiers == {"A-1"}, "the name alone makes it an identifier"


def test_a_null_field_is_present() -> None:
    seen = read({"items": [{"order_id": None, "weight": None}]}, *ITEMS)
    assert seen.value_types == {"array", "object", "null"}
    assert seen.units == {"kg"}
    assert seen.identifiers == frozenset()


def test_an_empty_array_has_no_elements() -> None:
    seen = read({"items": []}, *ITEMS)
    assert seen == Observed(field_names=frozenset({"items"}), value_types=frozenset({"array"}))


@pytest.mark.parametrize("key", ["status", "error"])
def test_status_and_error_are_not_fields_at_any_depth(key: str) -> None:
    below = {key: {"deep_id": "X", "more": [1.5]}}
    fields = (FieldSpec(name=key, path=("a", key), semantic_id="not.this"),)
    assert read(below) == Observed()
    seen = read({"a": below, "b": [below]}, *fields)
    assert seen == Observed(
        field_names=frozenset({"a", "b"}), value_types=frozenset({"object", "array"})
    )


def test_what_lies_below_status_is_not_even_validated() -> None:
    assert read({"status": math.nan, "error": {1: 2}}) == Observed()


@pytest.mark.parametrize("pointer", ["order_ids", "order_ids[]"])
def test_scalar_arrays_have_identifiers_under_either_spelling(pointer: str) -> None:
    field = FieldSpec(name="order_ids", path=(pointer,), semantic_id="order.id", identifier=True)
    seen = read({"order_ids": ["A", 7, 2.5, True, None]}, field)
    assert seen.field_names == {"order_ids"}
    assert seen.value_types == {"array", "string", "integer", "number", "boolean", "null"}
    assert seen.semantic_ids == {"order.id"}
    assert seen.identifiers == {"A", "7"}


def test_metadata_of_the_elements_of_an_empty_array_is_not_present() -> None:
    of_array = FieldSpec(name="order_ids", semantic_id="order.list")
    of_elements = FieldSpec(name="order_ids", path=("order_ids[]",), semantic_id="order.id")
    assert read({"order_ids": []}, of_array, of_elements).semantic_ids == {"order.list"}
    assert read({"order_ids": [1]}, of_array, of_elements).semantic_ids == {
        "order.list",
        "order.id",
    }


def test_elements_of_an_array_named_like_an_identifier_are_identifiers() -> None:
    assert read({"order_id": ["A", ["B"]]}).identifiers == {"A", "B"}


def test_plural_names_alone_are_not_identifiers() -> None:
    assert read({"order_ids": ["A"], "id": "B", "grid": "C", "order_ID": "D"}).identifiers == set()


def test_nested_arrays_add_a_pair_of_brackets_each() -> None:
    field = FieldSpec(name="x", path=("grid[][]", "x"), unit="m", dimension="length")
    assert read({"grid": [[{"x": 1}]]}, field).units == {"m"}
    assert read({"grid": [{"x": 1}]}, field).units == frozenset()


def test_fields_of_nested_objects_are_found_with_dots() -> None:
    field = FieldSpec(name="city", path=("address", "city"), semantic_id="place.city")
    assert read({"address": {"city": "Köln"}}, field).semantic_ids == {"place.city"}


def test_an_empty_key_does_not_hide_a_level() -> None:
    field = FieldSpec(name="a", semantic_id="root.a")
    assert read({"": {"a": 1}}, field).semantic_ids == frozenset()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("A", {"A"}),
        ("", {""}),
        (0, {"0"}),
        (-7, {"-7"}),
        (3.0, {"3"}),
        (-0.0, {"0"}),
        (1e21, {"1000000000000000000000"}),
        (3.5, set()),
        (True, set()),
        (False, set()),
        (None, set()),
        ({"a": "A"}, set()),
    ],
)
def test_identifiers_are_strings_and_integers(value: object, expected: set[str]) -> None:
    assert read({"order_id": value}).identifiers == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (FieldSpec(name="number", identifier=True), {"N"}),
        (FieldSpec(name="number", semantic_id="order.id"), {"N"}),
        (FieldSpec(name="number", semantic_id="order.identifier"), {"N"}),
        (FieldSpec(name="number", semantic_id="order.ids"), set()),
        (FieldSpec(name="number", semantic_id="order_id"), set()),
        (FieldSpec(name="number", semantic_id="id"), set()),
        (FieldSpec(name="number"), set()),
    ],
)
def test_registration_makes_an_identifier(field: FieldSpec, expected: set[str]) -> None:
    assert read({"number": "N"}, field).identifiers == expected
    assert read({"number": "N"}, field, completed=False).identifiers == set()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "integer"),
        (-0.0, "integer"),
        (1e300, "integer"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ((), "array"),
        ({}, "object"),
    ],
)
def test_value_types(value: object, expected: str) -> None:
    assert value_type(value) == expected


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, b"x", {1}, object()])
def test_what_json_cannot_write_is_refused(value: object) -> None:
    with pytest.raises(StateError):
        read({"a": [{"b": value}]})


def test_keys_that_are_not_strings_are_refused() -> None:
    with pytest.raises(StateError, match="not a string"):
        read({"a": {1: 2}})


def test_an_observation_that_contains_itself_is_refused() -> None:
    knot: dict[str, object] = {}
    knot["again"] = [knot]
    with pytest.raises(StateError, match="contains itself"):
        read(knot)
