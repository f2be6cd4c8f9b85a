"""Sums over the clusters that each replicate drew.

All sums are whole numbers below 2**53 in float64, so that no order of summation, number of threads
or machine changes them. Larger sums are refused, never rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from gates.bootstrap import Scheme, companion_weights, iter_counts
from gates.design import Design
from gates.error import EstimationError

__all__ = ["Totals", "add_up", "replicates"]

_EXACT: Final = 2**53
"""Whole numbers up to here are exact in float64."""


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums of columns, one a replicate."""

    rows: Mapping[str, int]
    """Row of each column."""

    values: npt.NDArray[np.float64]
    """Whole numbers below 2**53, shape (q columns, B replicates)."""

    def of(self, name: str) -> npt.NDArray[np.float64]:
        """Give a column's sums, shape (B,)."""
        row: npt.NDArray[np.float64] = self.values[self.rows[name]]
        return row

    def at(self, replicate: int) -> Callable[[str], Fraction]:
        """Give the exact sums of one replicate, by column."""
        return lambda name: Fraction(int(self.values[self.rows[name], replicate]))


def add_up(
    names: Sequence[str],
    sums: npt.NDArray[np.int64],
    counts: Iterable[npt.NDArray[np.int64]],
    weights: Sequence[int] | None = None,
) -> Totals:
    """Add up the sums of the clusters that were drawn: ``counts @ sums``.

    Parameters
    ----------
    names
        Columns, length q.
    sums
        Sums per cluster, shape (T, q).
    counts
        How often each cluster was drawn, arrays of shape (replicates, T).
    weights
        Integer factor of each cluster, length T; 1 if not given.

    Returns
    -------
    Totals
        Sums of all replicates.

    Raises
    ------
    EstimationError
        If a sum could reach 2**53.
    """
    per_cluster = np.ascontiguousarray(sums.T, dtype=np.float64)
    largest = max(int(sums.max(initial=0)), -int(sums.min(initial=0)))
    heaviest = max(weights) if weights else 1
    parts = []
    for drawn in counts:
        peak = int(drawn.sum(axis=1).max(initial=0)) * heaviest * max(largest, 1)
        if peak >= _EXACT:
            raise EstimationError(
                f"Sums of replicates could reach {peak}, which float64 cannot hold exactly.",
                "Count in larger units, or give the cells sizes that are closer to each other.",
            )
        factors = drawn.astype(np.float64)
        if weights is not None:
            factors *= np.array(weights, dtype=np.float64)
        parts.append(per_cluster @ factors.T)
    values = np.concatenate(parts, axis=1)
    return Totals({name: row for row, name in enumerate(names)}, values)


def replicates(
    design: Design,
    names: Sequence[str],
    sums: npt.NDArray[np.int64],
    *,
    scheme: Scheme,
    iterations: int,
    seed: int,
    stream: int | None = None,
) -> Totals:
    """Draw clusters and add up their sums; see `gates.bootstrap.iter_counts` and `add_up`.

    The companion's counts go without weights where all cells have one size, and with integer ones
    elsewhere: figures are ratios of sums, in which a common factor cancels.
    """
    counts = iter_counts(
        design.sizes,
        iterations=iterations,
        seed=seed,
        scheme=scheme,
        stream=stream,
        labels=design.labels,
    )
    weights: list[int] | None = None
    if scheme == "companion" and len(set(design.sizes)) > 1:
        by_cell = companion_weights(design.sizes)
        weights = np.repeat(np.array(by_cell, dtype=object), design.sizes).tolist()
    return add_up(names, sums, counts, weights)
