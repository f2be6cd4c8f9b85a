"""Percentile intervals as outward order statistics.

An order statistic is one of the replicates, never an interpolation between two, so that its exact
value can be looked up, and two implementations agree to the last bit.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gates.error import EstimationError

__all__ = ["exact_level", "interval", "outward_rank"]


def exact_level(level: float | str | Fraction | Decimal) -> Fraction:
    """Read a confidence level as the decimal that a person wrote.

    Parameters
    ----------
    level
        The level, such as ``0.95``: a float stands for its shortest decimal, not its binary value.

    Returns
    -------
    Fraction
        The level, strictly between 0 and 1.

    Raises
    ------
    EstimationError
        If the level is no number between 0 and 1.
    """
    try:
        exact = Fraction(str(level))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if not 0 < exact < 1:
        raise EstimationError(
            f"The confidence level {level!r} is not a number between 0 and 1.",
            "Give a level such as 0.95.",
        )
    return exact


def outward_rank(count: int, level: float | str | Fraction | Decimal = 0.95) -> int:
    """Give the one-based rank k of the lower endpoint; the upper one has rank ``count + 1 - k``.

    k is the integer part of ``(count + 1) * (1 - level) / 2``, computed without rounding: 250 for
    10,000 replicates at 95%.

    Raises
    ------
    EstimationError
        If there are too few replicates for the level, so that k would be 0.
    """
    rank = int((count + 1) * (1 - exact_level(level)) / 2)
    if rank < 1:
        raise EstimationError(
            f"{count} replicates are too few for an interval at level {level}.",
            "Raise the number of bootstrap iterations.",
        )
    return rank


def interval(
    values: npt.ArrayLike, *, level: float | str | Fraction | Decimal = 0.95
) -> tuple[float, float]:
    """Give the outward order statistics of replicates.

    Parameters
    ----------
    values
        Replicates, shape (B,), finite numbers in any order.
    level
        Confidence level, read as an exact decimal.

    Returns
    -------
    tuple of float
        The k-th and the (B + 1 - k)-th smallest value, see `outward_rank`.

    Raises
    ------
    EstimationError
        If ``values`` is no one-dimensional array of finite numbers, or too short for the level.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise EstimationError(
            f"An interval needs a list of finite numbers, not an array of shape {array.shape}"
            " with anything else in it.",
            "Decide what an undefined replicate counts as before the interval is taken.",
        )
    rank = outward_rank(array.size, level)
    low, high = rank - 1, array.size - rank
    ordered = np.partition(array, (low, high))
    return float(ordered[low]), float(ordered[high])
