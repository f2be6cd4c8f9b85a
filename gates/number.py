"""Numbers in JSON: a plain one to read, and beside it the fraction that it stands for."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

__all__ = ["Json", "exact", "plain"]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def plain(value: Fraction | None) -> float | None:
    """Return the float nearest to a number, or None where there is none."""
    return None if value is None else float(value)


def exact(value: Fraction | None) -> str | None:
    """Return a number as a fraction in lowest terms, such as ``-1/50``, or None.

    Texts keep whole numbers beyond 2**53 - 1, which JSON readers would round (RFC 7493).
    """
    return None if value is None else str(value)
