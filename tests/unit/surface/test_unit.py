"""Units convert as physics has it, offsets of temperature scales included."""

from __future__ import annotations

import pytest

from surface.unit import UnknownUnitError, convert, dimensionality


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (0, "degC", "degF", 32),
        (100, "degC", "degF", 212),
        (-40, "degF", "degC", -40),
        (98.6, "degF", "degC", 37),
        (0, "degC", "kelvin", 273.15),
        (310.15, "kelvin", "degC", 37),
        (1, "lb", "kg", 0.45359237),
        (16, "oz", "lb", 1),
        (12.5, "lb", "kg", 5.669904625),
        (1, "mile", "km", 1.609344),
        (3, "ft", "m", 0.9144),
        (1, "kWh", "MJ", 3.6),
        (1, "bar", "kPa", 100),
        (36, "km/hour", "m/s", 10),
        (1, "m**3/hour", "L/min", 1000 / 60),
        (25, "percent", "dimensionless", 0.25),
        (250, "mL", "L", 0.25),
        (90, "min", "hour", 1.5),
        (7, "kg", "kg", 7),
    ],
)
def test_conversion(value: float, source: str, target: str, expected: float) -> None:
    assert convert(value, source, target) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_what_does_not_measure_the_same_does_not_convert() -> None:
    with pytest.raises(UnknownUnitError, match="do not measure the same"):
        convert(1, "kg", "m")


@pytest.mark.parametrize(
    "unit",
    ["", " ", "parsnip", "4 km", "km/", "km**", "(", "[length]", "'", '"', "#", "\\", "\x00", "1/0",
     "kg**1e400", "__import__('os')", "٣", "kg m", "-kg", "km\n"],
)  # fmt: skip
def test_other_texts_name_no_unit(unit: str) -> None:
    with pytest.raises(UnknownUnitError, match="is not a unit"):
        dimensionality(unit)


@pytest.mark.parametrize(
    ("left", "right"),
    [("km/hour", "m/s"), ("mg/L", "kg/m**3"), ("1/min", "hertz"), ("degC", "degF")],
)
def test_units_of_one_dimension_measure_the_same(left: str, right: str) -> None:
    assert dimensionality(left) == dimensionality(right)
