"""Passes of two conditions on the same task and catalog, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gates.error import EstimationError
from gates.number import Json, plain

__all__ = ["PairedTable", "catalog_correlation", "paired_table"]


@dataclass(frozen=True)
class PairedTable:
    """The 2 x 2 table of paired episodes."""

    both: int
    """Pairs in which both conditions passed."""

    first_only: int
    """Discordant pairs in which the first condition alone passed."""

    second_only: int
    """Discordant pairs in which the second condition alone passed."""

    neither: int
    """Pairs in which none passed."""

    @property
    def pairs(self) -> int:
        """All pairs."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def discordance(self) -> Fraction | None:
        """Share of pairs in which one condition passed and the other did not."""
        discordant = self.first_only + self.second_only
        return Fraction(discordant, self.pairs) if self.pairs else None

    def to_json(self) -> dict[str, Json]:
        """Give plain values."""
        return {
            "both": self.both,
            "state_aware_only": self.first_only,
            "comparator_only": self.second_only,
            "neither": self.neither,
            "discordance": plain(self.discordance),
        }


def paired_table(
    first: Mapping[tuple[str, int], int], second: Mapping[tuple[str, int], int]
) -> PairedTable:
    """Count pairs of episodes by which of both passed.

    Parameters
    ----------
    first, second
        Whether a condition passed (0 or 1), by task and catalog.

    Raises
    ------
    EstimationError
        If an episode has no partner.
    """
    if first.keys() != second.keys():
        raise EstimationError(
            f"{len(first.keys() ^ second.keys())} episodes have no partner in the other condition.",
            "Compare conditions on the complete paired grid only.",
        )
    found = Counter((bool(passed), bool(second[pair])) for pair, passed in first.items())
    return PairedTable(
        found[True, True], found[True, False], found[False, True], found[False, False]
    )


def catalog_correlation(values: npt.ArrayLike) -> float | None:
    """Give how alike a task's catalogs are: the intraclass correlation of one-way layouts.

    (MSB - MSW) / (MSB + (C - 1) MSW) from the mean squares between and within tasks (Fisher 1925).
    It is what makes three catalogs of a task count for less than three tasks.

    Parameters
    ----------
    values
        Paired differences, shape (T tasks, C catalogs).

    Returns
    -------
    float or None
        Between -1 / (C - 1) and 1; None with fewer than two tasks or catalogs, or without spread.
    """
    array = np.asarray(values, dtype=np.float64)
    tasks, catalogs = array.shape
    if tasks < 2 or catalogs < 2:
        return None
    means = array.mean(axis=1)
    between = catalogs * float(((means - array.mean()) ** 2).sum()) / (tasks - 1)
    within = float(((array - means[:, np.newaxis]) ** 2).sum()) / (tasks * (catalogs - 1))
    spread = between + (catalogs - 1) * within
    return (between - within) / spread if spread > 0 else None
