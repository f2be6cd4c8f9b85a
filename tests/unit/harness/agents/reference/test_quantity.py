"""Units in words and their conversion."""

from __future__ import annotations

import pytest

from harness.agents.reference.quantity import convert, noted_unit, rounded, suffix_unit, unit_names
from surface.unit import dimensionality


@pytest.mark.parametrize(
    ("value", "source", "target", "converted"),
    [
        (100, "degC", "degF", 212),
        (-40, "degF", "degC", -40),
        (0, "degC", "kelvin", 273.15),
        (1, "kg", "lb", 1 / 0.45359237),
        (1, "mile", "km", 1.609344),
        (1, "kWh", "MJ", 3.6),
        (36, "km/hour", "m/s", 10),
        (1, "m**3", "L", 1000),
        (50, "percent", "dimensionless", 0.5),
        (7, "EUR", "EUR", 7),
    ],
)
def test_conversions(value: float, source: str, target: str, converted: float) -> None:
    assert convert(value, source, target) == pytest.approx(converted)


@pytest.mark.parametrize(
    ("source", "target"),
    [("kg", "km"), ("EUR", "USD"), ("kg", "furlongs!"), ("((", "kg"), ("kg", "__import__('os')")],
)
def test_what_does_not_convert_is_none(source: str, target: str) -> None:
    assert convert(1, source, target) is None


def test_every_unit_of_the_glossary_is_one_that_pint_knows() -> None:
    for unit in set(unit_names().values()):
        assert dimensionality(unit)


def test_the_unit_of_a_parameter_stands_at_the_end_of_its_description() -> None:
    assert noted_unit("Temperature of the cargo (unit: degF)") == "degF"
    assert noted_unit("Flow (unit: m**3/hour)") == "m**3/hour"
    assert noted_unit("Units of a good") is None


def test_the_unit_of_a_field_may_end_its_name() -> None:
    assert suffix_unit("weight_lb") == "lb"
    assert suffix_unit("weight") is None
    assert suffix_unit("plan_b") is None


def test_rounding_keeps_significant_digits_and_integers() -> None:
    assert rounded(2756.8805889, 6) == 2756.88
    assert isinstance(rounded(40.00000000001, 6), int)
    assert rounded(float("nan"), 6) is None
    assert rounded(2.0**60, 6) is None
