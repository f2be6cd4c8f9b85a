"""The estimator: figures and both of their bootstrap intervals, from the same replicates.

Replicates are ordered as float64; each endpoint is then computed once more as an exact fraction,
from the whole numbers of the replicate that it belongs to. An endpoint of exactly -2 percentage
points is therefore -1/50, and not a difference of two rounded quotients.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gates.bootstrap import STREAMS, Scheme, interval
from gates.design import Design, Sample
from gates.estimand import Estimand, evaluate
from gates.estimate import Estimate, Estimates, Interval, Plan
from gates.metric_table import COLUMNS
from gates.replicate import Totals, add_up, replicates

__all__ = ["UNCHANGING", "estimate", "obstacle"]

Outcome: TypeAlias = Interval | str | None
"""An interval, or why there is none; None where none was asked for."""


UNCHANGING: Final = (
    "the primary interval says nothing about uncertainty: every cell holds one task only, so that"
    " resampling changes nothing"
)
"""Said of an interval without width."""


def estimate(sample: Sample, wanted: Iterable[Estimand], plan: Plan | None = None) -> Estimates:
    """Estimate figures, each with both intervals, all from the same replicates.

    Parameters
    ----------
    sample
        Sums per task.
    wanted
        What to estimate, see `gates.estimand.estimands`.
    plan
        How; the protocol's plan if not given.

    Raises
    ------
    EstimationError
        If a column is missing, a sum is too large to be exact, or the plan is out of range.
    """
    plan = plan or Plan()
    listed = tuple(wanted)
    columns = tuple(sorted({name for estimand in listed for name in estimand.columns}))
    sums = sample.select(columns)
    point = add_up(columns, sums, [np.ones((1, len(sums)), dtype=np.int64)])
    intervals = {
        scheme: _intervals(listed, sample.design, columns, sums, scheme, plan) for scheme in STREAMS
    }
    return Estimates(
        sample.design,
        plan,
        {
            estimand.key: _result(
                estimand,
                sample.design,
                point,
                intervals["primary"][estimand.key],
                intervals["companion"][estimand.key],
            )
            for estimand in listed
        },
    )


def _intervals(
    listed: tuple[Estimand, ...],
    design: Design,
    columns: tuple[str, ...],
    sums: npt.NDArray[np.int64],
    scheme: Scheme,
    plan: Plan,
) -> dict[str, Outcome]:
    if scheme == "companion" and not plan.companion:
        return dict.fromkeys((estimand.key for estimand in listed), None)
    reason = obstacle(design, scheme)
    if reason is not None:
        return {estimand.key: reason for estimand in listed}
    totals = replicates(
        design,
        columns,
        sums,
        scheme=scheme,
        iterations=plan.iterations,
        seed=plan.seed,
        stream=plan.stream if scheme == "primary" else None,
    )
    return {estimand.key: _interval(estimand, totals, plan.level) for estimand in listed}


def obstacle(design: Design, scheme: Scheme) -> str | None:
    """Return why a design has no interval of a scheme; None where it has one."""
    if scheme == "companion" and design.single:
        return f"no companion interval: the cell {design.single[0]} holds one task only"
    return None


def _interval(estimand: Estimand, totals: Totals, level: str) -> Outcome:
    zero = np.logical_or.reduce([totals.of(name) == 0 for name in estimand.divisors])
    undefined = int(np.count_nonzero(zero))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = evaluate(estimand, totals.of)
    if not undefined:
        low, high = interval(values, level=level)
        return Interval(
            _exact(estimand, totals, values, low), _exact(estimand, totals, values, high), 0
        )
    if estimand.range is None:
        return f"no interval: undefined in {undefined} replicates, and its range has no end"
    ends = []
    for side, extreme in enumerate(estimand.range):
        filled = np.where(zero, extreme, values)
        end = interval(filled, level=level)[side]
        ends.append(Fraction(extreme) if end == extreme else _exact(estimand, totals, filled, end))
    return Interval(ends[0], ends[1], undefined)


def _exact(
    estimand: Estimand, totals: Totals, values: npt.NDArray[np.float64], endpoint: float
) -> Fraction:
    replicate = int(np.argmax(values == endpoint))
    return evaluate(estimand, totals.at(replicate))


def _result(
    estimand: Estimand, design: Design, point: Totals, primary: Outcome, companion: Outcome
) -> Estimate:
    total = point.at(0)
    numerator, denominator = (int(total(name)) for name in estimand.columns[:2])
    empty = [name for name in estimand.divisors if total(name) == 0]
    if empty:
        condition, _, column = empty[0].partition("/")
        reason = f"not estimable: {condition} has none of these: {COLUMNS.get(column, column)}"
        return Estimate(estimand, numerator, denominator, None, None, None, reason)
    reasons = [outcome for outcome in (primary, companion) if isinstance(outcome, str)]
    if isinstance(primary, Interval) and len(design.single) == len(design.sizes):
        reasons.insert(0, UNCHANGING)
    return Estimate(
        estimand,
        numerator,
        denominator,
        evaluate(estimand, total),
        primary if isinstance(primary, Interval) else None,
        companion if isinstance(companion, Interval) else None,
        "; ".join(dict.fromkeys(reasons)) or None,
    )
