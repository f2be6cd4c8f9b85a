"""The study's own intervals of many simulated studies at once.

Draws, sums, figures and order statistics are the functions that the gate uses. All studies share
one design and therefore, with one seed, the same draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import special

from gates.bootstrap import Scheme, iter_counts
from gates.design import Design
from gates.estimand import Estimand, evaluate
from gates.interval import exact_level, interval
from gates.power_draw import Columns
from gates.replicate import add_up
from gates.rule import Comparison

__all__ = ["Ends", "Resampler", "t_ends"]

_MOST_SUMS: Final = 8_000_000
"""Sums of replicates held at a time: 64 MB."""

_HAIR: Final = 1e-9
"""Ends are float64 here, so that one that equals a number may differ from it in its last digit."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ends:
    """Lower and upper ends, one a study."""

    lower: Array
    """Shape (S,)."""

    upper: Array
    """Shape (S,)."""

    def beyond(self, comparison: Comparison, threshold: float) -> npt.NDArray[np.bool_]:
        """Whether each interval lies wholly on a rule's passing side."""
        hair = _HAIR * max(1.0, abs(threshold))
        if comparison == "<":
            return self.upper < threshold - hair
        return self.lower > threshold + (hair if comparison == ">" else -hair)

    def cover(self, truth: float) -> npt.NDArray[np.bool_]:
        """Whether each interval holds the truth, its ends included."""
        hair = _HAIR * max(1.0, abs(truth))
        return (self.lower <= truth + hair) & (self.upper >= truth - hair)


@dataclass(frozen=True)
class Resampler:
    """Both bootstraps of one design of equal cells."""

    design: Design
    """The clusters of every study."""

    iterations: int
    """Replicates."""

    seed: int
    """Seed of both schemes, the plan's own."""

    level: str
    """Confidence level."""

    @cached_property
    def counts(self) -> dict[Scheme, list[npt.NDArray[np.int64]]]:
        """How often each cluster is drawn, by scheme."""
        schemes: tuple[Scheme, ...] = ("primary", "companion")
        return {
            scheme: list(
                iter_counts(
                    self.design.sizes, iterations=self.iterations, seed=self.seed, scheme=scheme
                )
            )
            for scheme in schemes
        }

    def ends(self, columns: Columns, estimand: Estimand, scheme: Scheme) -> Ends:
        """Give the interval of a figure in every study.

        An undefined replicate counts as the range's least value below and its greatest above.

        Parameters
        ----------
        columns
            Sums per task of every study.
        estimand
            The figure.
        scheme
            Which bootstrap.
        """
        names = tuple(dict.fromkeys(estimand.columns))
        studies = max(columns[name].shape[1] for name in names)
        rows = max(1, _MOST_SUMS // (self.iterations * len(names)))
        lower, upper = np.empty(studies), np.empty(studies)
        for first in range(0, studies, rows):
            part = slice(first, min(first + rows, studies))
            totals = self._totals(columns, names, part, scheme)
            for place in range(part.start, part.stop):
                lower[place], upper[place] = self._ends(totals, estimand, place - first)
        return Ends(lower, upper)

    def _totals(
        self, columns: Columns, names: Sequence[str], part: slice, scheme: Scheme
    ) -> dict[str, Array]:
        """Add up each column of some studies: shape (studies, B), or (1, B) where all agree."""
        found: dict[str, Array] = {}
        for name in names:
            values = columns[name]
            chosen = values if values.shape[1] == 1 else values[:, part]
            keys = [str(place) for place in range(chosen.shape[1])]
            found[name] = add_up(keys, chosen, self.counts[scheme]).values
        return found

    def _ends(
        self, totals: dict[str, Array], estimand: Estimand, study: int
    ) -> tuple[float, float]:
        def total(name: str) -> Array:
            row: Array = totals[name][study if len(totals[name]) > 1 else 0]
            return row

        zero = np.logical_or.reduce([total(name) == 0 for name in estimand.divisors])
        with np.errstate(divide="ignore", invalid="ignore"):
            values = evaluate(estimand, total)
        if not zero.any():
            return interval(values, level=self.level)
        # Of the gate's figures only shares can be undefined; a mean without end would be refused.
        least, greatest = estimand.range or (np.nan, np.nan)
        low, _ = interval(np.where(zero, least, values), level=self.level)
        _, high = interval(np.where(zero, greatest, values), level=self.level)
        return low, high


def t_ends(columns: Columns, estimand: Estimand, design: Design, level: str) -> Ends:
    """Give the stratified t interval of a level or difference, linearised, in every study.

    The same as `gates.stratified_t`, for a design of equal cells, over all studies at once.
    """
    parts: list[Array] = []
    names = estimand.columns
    for above, below in zip(names[::2], names[1::2], strict=True):
        y, x = (columns[name].astype(np.float64) for name in (above, below))
        # Without a single case there is no figure: its ends are no numbers and cover nothing.
        total = np.where(x.sum(axis=0) == 0, np.nan, x.sum(axis=0))
        ratio = y.sum(axis=0) / total
        parts.append(ratio + (y - ratio * x) * (len(x) / total))
    values = parts[0] if len(parts) == 1 else parts[0] - parts[1]
    tasks, cells = len(values), len(design.sizes)
    within = values.reshape(cells, tasks // cells, -1).var(axis=1, ddof=1).sum(axis=0)
    error = np.sqrt(within * (tasks // cells)) / tasks
    tail = float((1 + exact_level(level)) / 2)
    reach = float(special.stdtrit(tasks - cells, tail)) * error
    mean = values.mean(axis=0)
    return Ends(mean - reach, mean + reach)
