"""The stratified t interval: the textbook answer that the bootstrap is held against."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy import special

from gates.design import Sample
from gates.error import EstimationError
from gates.estimand import Estimand
from gates.estimate import Interval
from gates.interval import exact_level

__all__ = ["StratifiedT", "linearised", "stratified_t"]


@dataclass(frozen=True)
class StratifiedT:
    """A mean over clusters with its t interval; cells are fixed, clusters a sample from each."""

    mean: float
    """Mean of the values."""

    standard_error: float
    """Square root of the sum over cells of (n_h / T)**2 * s_h**2 / n_h."""

    degrees_of_freedom: int
    """Clusters minus cells, T - H."""

    lower: float
    """Lower endpoint."""

    upper: float
    """Upper endpoint."""

    @property
    def interval(self) -> Interval:
        """Both endpoints, as the numbers that the floats are."""
        return Interval(Fraction(self.lower), Fraction(self.upper), 0)


def stratified_t(
    values: npt.ArrayLike, sizes: Sequence[int], *, level: float | str = 0.95
) -> StratifiedT:
    """Give the t interval of a mean over stratified clusters.

    Parameters
    ----------
    values
        One number a cluster, shape (T,), the clusters of a cell next to each other.
    sizes
        Clusters of each cell, each at least 2.
    level
        Confidence level, read as an exact decimal.

    Raises
    ------
    EstimationError
        If sizes and values do not match, or a cell holds one cluster, whose variance is unknown.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (sum(sizes),) or not sizes or min(sizes) < 2:
        raise EstimationError(
            f"A stratified t interval cannot take {array.size} values in cells of {list(sizes)}.",
            "Give one value a cluster, and at least two clusters a cell.",
        )
    total = array.size
    cells = np.split(array, np.cumsum(sizes)[:-1])
    variance = math.fsum(cell.size / total**2 * float(cell.var(ddof=1)) for cell in cells)
    freedom = total - len(sizes)
    mean = math.fsum(array.tolist()) / total
    tail = float((1 + exact_level(level)) / 2)
    reach = float(special.stdtrit(freedom, tail)) * math.sqrt(variance)
    return StratifiedT(mean, math.sqrt(variance), freedom, mean - reach, mean + reach)


def linearised(sample: Sample, estimand: Estimand) -> npt.NDArray[np.float64] | None:
    """Give one value a cluster whose mean is the figure and whose spread is the figure's.

    A ratio R = Y / X of two sums varies, to first order, like the mean of R + (y - R x) / (X / T)
    (Cochran 1977, chapter 6); a difference like the difference of these values. Where the
    denominators do not vary, the values are the clusters' own means.

    Returns
    -------
    NDArray of float64 or None
        Shape (T,); None where the figure is not estimable.

    Raises
    ------
    EstimationError
        If a column is missing, or the estimand is a ratio of two conditions.
    """
    if estimand.contrast == "ratio":
        raise EstimationError(
            f"{estimand.key} is a ratio of two conditions, which is not linearised here.",
            "Use the bootstrap intervals, or the difference.",
        )
    columns = sample.select(estimand.columns).T
    parts: list[npt.NDArray[np.float64]] = []
    for above, below in zip(columns[::2], columns[1::2], strict=True):
        total = int(below.sum())
        if total == 0:
            return None
        ratio = Fraction(int(above.sum()), total)
        residual = above - float(ratio) * below
        parts.append(float(ratio) + residual * (below.size / total))
    return parts[0] if len(parts) == 1 else parts[0] - parts[1]
