"""Units of measurement: what they are called, what they measure, how they convert.

A thin layer over Pint, so that every unit in the surface is one that Pint knows and every
conversion is Pint's, offsets of temperature scales included.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import pint

_REGISTRY: Final[pint.UnitRegistry[float]] = pint.UnitRegistry(
    autoconvert_offset_to_baseunit=True, cache_folder=None
)

_FACTOR: Final = r"[A-Za-z%µ°][A-Za-z_]*[0-9]*(\*\*-?[1-9])?"
_FORM: Final = re.compile(rf"(1/)?{_FACTOR}([*/]{_FACTOR})*\Z")
"""What a unit looks like; Pint's own parser fails in its own ways on other texts."""

_KNOWN_AS: Final = (TypeError, ValueError, AttributeError, pint.errors.PintError)
"""What Pint raises for a text that names no unit; which one depends on the text."""


class UnknownUnitError(ValueError):
    """The text names no unit."""


@lru_cache(maxsize=1024)
def dimensionality(unit: str) -> str:
    """Return the canonical dimensionality of a unit, such as ``[length] / [time]``.

    Raises
    ------
    UnknownUnitError
        If Pint does not know the unit.
    """
    if not _FORM.match(unit):
        raise UnknownUnitError(f"{unit!r} is not a unit")
    try:
        return str(_REGISTRY.Unit(unit).dimensionality)
    except _KNOWN_AS as error:
        raise UnknownUnitError(f"{unit!r} is not a unit") from error


def convert(value: float, source: str, target: str) -> float:
    """Convert a value between two units of one dimension.

    Raises
    ------
    UnknownUnitError
        If a unit is unknown or the two do not measure the same.
    """
    if source == target:
        return float(value)
    if dimensionality(source) != dimensionality(target):
        raise UnknownUnitError(f"{source!r} and {target!r} do not measure the same")
    return float(_REGISTRY.Quantity(value, source).to(target).magnitude)
