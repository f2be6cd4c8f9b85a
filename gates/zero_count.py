"""Counts of zero, where a resampled interval has no width, and what bounds them instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from gates.clopper_pearson import upper_bound
from gates.design import Sample
from gates.estimate import Estimates
from gates.number import Json

__all__ = ["instrument_bounds", "zero_counts"]

Tree = dict[str, Json]


def zero_counts(estimates: Estimates, sample: Sample) -> list[Json]:
    """Bound every level of which no event was seen, or nothing but events.

    The units are the tasks that could have had one. Of a metric whose every case is an event the
    cases without are counted: the bootstrap would say [1, 1].

    Parameters
    ----------
    estimates
        Levels and contrasts; contrasts are passed over.
    sample
        The sums that they were computed from.
    """
    return list(_zero_counts(estimates, sample))


def _zero_counts(estimates: Estimates, sample: Sample) -> Iterator[Json]:
    for figure in estimates.by_key.values():
        estimand = figure.estimand
        if estimand.comparator is not None or not figure.denominator:
            continue
        full = estimand.metric.range is not None and figure.numerator == figure.denominator
        if figure.numerator and not full:
            continue
        units = int(np.count_nonzero(sample.select(estimand.columns[1:])))
        yield {
            "metric": estimand.metric.key,
            "condition": estimand.condition,
            "zero": "cases without" if full else "cases",
            "tasks": units,
            "upper_bound": upper_bound(0, units, level=estimates.plan.level),
        }


def instrument_bounds(sample: Sample, conditions: tuple[str, ...], level: str) -> Tree:
    """Bound the rates behind rules 5 and 6 over all conditions together.

    Parameters
    ----------
    sample
        Sums per task.
    conditions
        Conditions whose events count.
    level
        Level of the one-sided bound.

    Returns
    -------
    dict
        By rule: tasks, tasks with an event, and the bound of their share.
    """

    def total(column: str) -> npt.NDArray[np.int64]:
        names = [f"{name}/{column}" for name in conditions]
        return np.asarray(sample.select(names).sum(axis=1), dtype=np.int64)

    events: Mapping[str, npt.NDArray[np.int64]] = {
        "no_unauthorized_destructive": total("unauthorized_destructive_executions"),
        "policy_integrity": total("policy_attempts") - total("policy_consistent"),
    }
    return {
        rule_id: {
            "tasks": values.size,
            "tasks_with_event": int(np.count_nonzero(values)),
            "upper_bound": upper_bound(int(np.count_nonzero(values)), values.size, level=level),
        }
        for rule_id, values in events.items()
    }
