"""Argument rules of each kind: what is right, what is not, and exactly where the bounds lie."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from surface.argument import Rule, quantity_value, satisfies

OBSERVATIONS: tuple[Mapping[str, Any] | None, ...] = (
    {"items": [{"id": "A-1", "weight": 10.0, "count": 3}, {"id": "A-2", "weight": 20.0}]},
    None,
    {"temperature": 25, "flag": True, "name": "x"},
)
UNITS: tuple[Mapping[str, str], ...] = ({"items[].weight": "lb"}, {}, {"temperature": "degC"})


def rule(**keys: Any) -> Rule:
    return Rule.model_validate(keys, strict=True)


def right(given: Rule, value: Any, unit: str | None = None) -> bool:
    return satisfies(given, value, OBSERVATIONS, unit=unit, units=UNITS)


@pytest.mark.parametrize(
    ("expected", "value", "verdict"),
    [
        ("A-1", "A-1", True),
        ("A-1", "a-1", False),
        ("A-1", "A-1 ", False),
        (3, 3.0, True),
        (3.0, 3, True),
        (3, "3", False),
        (1, True, False),
        (True, 1, False),
        (True, True, True),
        (None, None, True),
        (None, "", False),
        (["a", "b"], ["a", "b"], True),
        (["a", "b"], ["b", "a"], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        (100, 1e2, True),
        (0.1, 0.1000001, False),
    ],
)
def test_equals_compares_as_json_does(expected: Any, value: Any, verdict: bool) -> None:
    assert right(rule(equals=expected), value) is verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("x", True),
        (0, True),
        (False, True),
        ([0], True),
        ("", False),
        ("  ", False),
        ([], False),
        ({}, False),
        (None, False),
    ],
)
def test_nonempty(value: Any, verdict: bool) -> None:
    assert right(rule(nonempty=True), value) is verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("The BROKEN seal", True),
        ("broken", True),
        ("brok en", False),
        (["broken"], False),
        (5, False),
    ],
)
def test_contains_ignores_case(value: Any, verdict: bool) -> None:
    assert right(rule(contains="Broken"), value) is verdict


def test_contains_folds_case_in_every_language() -> None:
    assert right(rule(contains="STRASSE"), "Lange Straße 5")


@pytest.mark.parametrize(
    ("value", "verdict"), [("a", True), (2.0, True), (True, False), ("c", False)]
)
def test_one_of(value: Any, verdict: bool) -> None:
    assert right(rule(one_of=["a", 2, 1]), value) is verdict


def test_from_takes_exactly_what_was_observed() -> None:
    second = rule(**{"from": {"step": 1, "path": "items[1].id"}})
    assert right(second, "A-2")
    assert not right(second, "A-1")
    assert not right(second, ["A-2"])
    assert right(rule(**{"from": {"step": 3, "path": "flag"}}), True)


@pytest.mark.parametrize(
    ("step", "path"), [(1, "items[2].id"), (1, "absent"), (2, "items[0].id"), (4, "temperature")]
)
def test_from_a_place_where_nothing_stands_is_never_right(step: int, path: str) -> None:
    given = rule(**{"from": {"step": step, "path": path}})
    assert not right(given, None)
    assert not right(given, "A-1")


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (72.0, True),
        (77.0, True),
        (82.0, True),
        (math.nextafter(82.1, 83), False),
        (71.9, False),
        (82.00001, False),
        (25, False),
        ("77", False),
        (True, False),
        (None, False),
    ],
)
def test_an_observed_quantity_is_converted_with_its_offset(value: Any, verdict: bool) -> None:
    # 25 degC are 77 degF; the tolerance counts in the parameter's unit.
    given = rule(quantity={"step": 3, "path": "temperature", "tolerance": 5})
    assert right(given, value, "degF") is verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(4.5, True), (4.6, True), (4.4, True), (4.6001, False), (4.3999, False), (5, False)],
)
def test_the_bounds_of_a_tolerance_belong_to_it(value: float, verdict: bool) -> None:
    # 4.6 - 4.5 is 0.09999999999999964 and 4.5 - 4.4 is 0.09999999999999964 in binary; both count.
    given = rule(quantity={"value": 4500, "unit": "g", "tolerance": 0.1})
    assert right(given, value, "kg") is verdict


def test_a_tolerance_of_zero_allows_for_binary_rounding_alone() -> None:
    given = rule(quantity={"step": 1, "path": "items[0].weight", "tolerance": 0})
    assert right(given, 4.5359237, "kg")
    assert right(given, 4.5359237 * (1 + 1e-12), "kg")
    assert not right(given, 4.53593, "kg")
    assert not right(given, 4.5, "kg")


def test_a_stated_quantity_is_converted() -> None:
    given = rule(quantity={"value": 2, "unit": "ft", "tolerance": 0.01})
    assert right(given, 0.6096, "m")
    assert not right(given, 2, "m")


def test_a_quantity_without_units_is_compared_as_it_stands() -> None:
    given = rule(quantity={"step": 1, "path": "items[0].count", "tolerance": 1})
    assert right(given, 4, None)
    assert not right(given, 5, None)


@pytest.mark.parametrize("path", ["flag", "name", "absent"])
def test_what_is_no_number_is_no_quantity(path: str) -> None:
    given = rule(quantity={"step": 3, "path": path, "tolerance": 1})
    assert given.quantity is not None
    assert quantity_value(given.quantity, OBSERVATIONS, unit="kg", units=UNITS) is None
    assert not right(given, 1, "kg")


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"equals": 1, "nonempty": True},
        {"contains": "x", "one_of": ["x"]},
        {"says": "x"},
        {"nonempty": True, "says": "x"},
        {"equals": 1, "says": ""},
        {"equals": 1, "says": None},
        {"nonempty": False},
        {"nonempty": None},
        {"contains": ""},
        {"contains": None},
        {"one_of": []},
        {"one_of": None},
        {"from": None},
        {"from": {"step": 0, "path": "a"}},
        {"from": {"step": 1, "path": ""}},
        {"from": {"step": 1, "path": "a[].b"}},
        {"from": {"step": 1, "path": "a[-1].b"}},
        {"from": {"step": 1, "path": "a..b"}},
        {"from": {"step": True, "path": "a"}},
        {"from": {"step": "1", "path": "a"}},
        {"from": {"path": "a"}},
        {"quantity": {"value": 1, "tolerance": 0}},
        {"quantity": {"value": 1, "unit": "kg"}},
        {"quantity": {"value": 1, "unit": "kg", "tolerance": -1}},
        {"quantity": {"step": 1, "tolerance": 0}},
        {"quantity": {"step": 1, "path": "a", "unit": "kg", "tolerance": 0}},
        {"quantity": {"step": 1, "path": "a", "value": 1, "unit": "kg", "tolerance": 0}},
        {"quantity": {"step": 1, "path": "a b", "tolerance": 0}},
        {"regex": "x"},
    ],
)
def test_a_rule_has_one_well_formed_main_key(keys: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        rule(**keys)


def test_null_can_be_the_right_value() -> None:
    assert rule(equals=None).model_fields_set == {"equals"}
    assert rule(equals="x", says="ex").says == "ex"


def test_the_origin_is_the_observation_that_a_rule_reads() -> None:
    place = {"step": 1, "path": "items[0].id"}
    taken, measured = rule(**{"from": place}), rule(quantity={**place, "tolerance": 0})
    assert taken.origin == measured.origin
    assert taken.origin is not None
    assert (taken.origin.step, taken.origin.path) == (1, "items[0].id")
    assert rule(equals=1).origin is None
    assert rule(quantity={"value": 1, "unit": "kg", "tolerance": 0}).origin is None
