"""Rules are total, and quantities are right exactly within their tolerance."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from surface.argument import Rule, satisfies
from surface.unit import convert

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
rules = st.sampled_from(
    [
        {"equals": "x"},
        {"equals": None},
        {"equals": [1, 2.5]},
        {"nonempty": True},
        {"contains": "x"},
        {"one_of": ["x", 1, None]},
        {"from": {"step": 1, "path": "a[0].b"}},
        {"from": {"step": 9, "path": "a"}},
        {"quantity": {"value": 1, "unit": "kg", "tolerance": 0}},
        {"quantity": {"step": 1, "path": "w", "tolerance": 2}},
        {"quantity": {"step": 1, "path": "a", "tolerance": 2}},
    ]
)
SEEN = ({"a": [{"b": "x"}], "w": 5},)
mass = st.sampled_from(["kg", "g", "lb", "oz", "tonne"])
temperature = st.sampled_from(["degC", "degF", "kelvin"])
# Rounded to what people write; the bounds of a tolerance are then further apart than float noise.
amounts = st.integers(-1000, 10_000).map(lambda value: value / 8)


def right(keys: dict[str, Any], value: Any, unit: str | None = "kg", seen: Any = SEEN) -> bool:
    rule = Rule.model_validate(keys, strict=True)
    return satisfies(rule, value, seen, unit=unit, units=({"w": "lb"},))


@given(rules, json_values)
def test_every_rule_decides_about_every_value(keys: dict[str, Any], value: Any) -> None:
    assert right(keys, value) in {True, False}


@given(json_values, json_values)
def test_equality_is_reflexive_and_symmetric(left: Any, right_value: Any) -> None:
    assert right({"equals": left}, left)
    assert right({"equals": left}, right_value) == right({"equals": right_value}, left)


@given(json_values)
def test_what_was_observed_is_right(value: Any) -> None:
    assume(value is not None)
    assert right({"from": {"step": 1, "path": "v"}}, value, seen=({"v": value},))


@given(amounts, st.one_of(st.tuples(mass, mass), st.tuples(temperature, temperature)))
def test_conversion_there_and_back(amount: float, units: tuple[str, str]) -> None:
    there = convert(amount, units[0], units[1])
    assert abs(convert(there, units[1], units[0]) - amount) <= 1e-9 * max(1.0, abs(amount))


@given(amounts, temperature, temperature, st.integers(0, 40).map(lambda value: value / 4))
def test_a_tolerance_is_in_the_parameter_s_unit(
    amount: float, stated: str, expected: str, tolerance: float
) -> None:
    keys = {"quantity": {"value": amount, "unit": stated, "tolerance": tolerance}}
    target = convert(amount, stated, expected)
    for inside in (target, target + tolerance, target - tolerance, target + tolerance / 2):
        assert right(keys, inside, expected)
    for outside in (target + tolerance + 0.01, target - tolerance - 0.01):
        assert not right(keys, outside, expected)
