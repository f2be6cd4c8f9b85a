"""Intervals for a figure that a reader makes up, from the draws that the study's own come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gates.bootstrap import STREAMS, Scheme, interval
from gates.design import Sample
from gates.error import EstimationError
from gates.estimate import Plan
from gates.estimator import UNCHANGING, obstacle
from gates.replicate import add_up, replicates

Sums = Callable[[str], npt.NDArray[np.float64]]
"""Gives the sums of a column, named ``<condition>/<column>``: whole numbers, one a replicate."""


@dataclass(frozen=True)
class OwnFigure:
    """A figure of a reader's own with both intervals."""

    value: float
    primary: tuple[float, float] | None
    companion: tuple[float, float] | None
    reason: str | None
    """Why an interval is missing or says nothing; None where none does."""


def own_interval(
    sample: Sample,
    columns: Sequence[str],
    statistic: Callable[[Sums], npt.NDArray[np.float64]],
    plan: Plan,
) -> OwnFigure:
    """Compute a figure from sums of counts, and both intervals of it.

    Parameters
    ----------
    sample
        Sums per task, see `gates.portion.portion`.
    columns
        What the figure is made of, named ``<condition>/<column>`` with the columns of
        `gates.metric_table.COLUMNS`.
    statistic
        Makes the figure from the sums of all replicates at once, shape (B,); the value itself comes
        from sums of shape (1,).
    plan
        How intervals are made; with `Finished.plan` the draws are the study's own.

    Raises
    ------
    EstimationError
        If a column is missing, a figure is not one finite number a replicate, or the plan is out of
        range.
    """
    names = tuple(columns)
    sums = sample.select(names)
    point = add_up(names, sums, [np.ones((1, len(sums)), dtype=np.int64)])
    value = _figures(statistic, point.of, 1)
    intervals: dict[Scheme, tuple[float, float]] = {}
    single = len(sample.design.single) == len(sample.design.sizes)
    reasons = [UNCHANGING] if single else []
    for scheme in STREAMS:
        if (reason := obstacle(sample.design, scheme)) is not None:
            reasons.append(reason)
            continue
        totals = replicates(
            sample.design,
            names,
            sums,
            scheme=scheme,
            iterations=plan.iterations,
            seed=plan.seed,
            stream=plan.stream if scheme == "primary" else None,
        )
        values = _figures(statistic, totals.of, plan.iterations)
        intervals[scheme] = interval(values, level=plan.level)
    return OwnFigure(
        value=float(value[0]),
        primary=intervals.get("primary"),
        companion=intervals.get("companion"),
        reason="; ".join(reasons) or None,
    )


def _figures(
    statistic: Callable[[Sums], npt.NDArray[np.float64]], sums: Sums, count: int
) -> npt.NDArray[np.float64]:
    # A figure that divides by a sum of 0 is refused below, not warned of.
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(statistic(sums), dtype=np.float64)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise EstimationError(
            f"The figure is not one finite number for each of {count} replicate(s).",
            "Use operations of numpy arrays, and decide what a sum of 0 below the line counts as.",
        )
    return values
