"""Numbers in JSON: a float to read beside the whole numbers that it stands for."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeAlias

__all__ = ["Json", "number_json"]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_LARGEST: Final = 2**53 - 1
"""Largest whole number that every JSON reader keeps (RFC 7493)."""


def number_json(value: Fraction | None) -> dict[str, Json] | None:
    """Give an exact number as plain JSON.

    Parameters
    ----------
    value
        The number; None where there is none.

    Returns
    -------
    dict or None
        ``value`` (nearest float), ``numerator`` and ``denominator`` in lowest terms. Whole numbers
        beyond 2**53 - 1 are decimal strings, since JSON readers would round them.
    """
    if value is None:
        return None
    return {
        "value": float(value),
        "numerator": _whole(value.numerator),
        "denominator": _whole(value.denominator),
    }


def _whole(number: int) -> int | str:
    return number if abs(number) <= _LARGEST else str(number)
