"""How often rules pass and intervals cover, over simulated studies of one truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gates.estimand import Estimand, evaluate
from gates.figure import FIGURES, demands
from gates.number import Json
from gates.power_draw import Columns, draw_studies
from gates.power_interval import Ends, Resampler, t_ends
from gates.power_model import Scenario
from gates.rule import Comparison, holds
from gates.threshold import Thresholds

__all__ = ["Simulation", "pass_row", "rule_row"]

Tree = dict[str, Json]
Flags = npt.NDArray[np.bool_]

_RULE_1 = "task_pass_non_inferiority"


@dataclass(frozen=True)
class Simulation:
    """How every row is simulated."""

    studies: int
    """Simulated studies of a row."""

    iterations: int
    """Replicates of each bootstrap."""

    draw_seed: int
    """Seed of the studies' data; every row has a stream of its own."""

    seed: int
    """Seed of the bootstraps, the study's own."""

    level: str
    """Confidence level."""

    thresholds: Thresholds
    """What the rules compare with."""


def pass_row(scenario: Scenario, how: Simulation, *, stream: int) -> Tree:
    """Simulate one true difference of task pass: all rules, and the intervals of the first.

    Returns
    -------
    dict
        ``true``; ``passed`` by rule and for the ``gate``; ``supported``; the shares of the three
        ``verdicts``; ``coverage`` and ``mean_width`` of primary, companion and stratified t.
    """
    batches = list(draw_studies(scenario, how.studies, seed=how.draw_seed, stream=stream))
    passed = {rule_id: _passed(batches, rule_id, how) for rule_id in FIGURES}
    ends = _ends(scenario, batches, _RULE_1, how)
    margin = float(how.thresholds.task_pass_margin)
    above = ends["companion"].beyond(">", margin)
    below = ends["companion"].beyond("<", margin)
    return {
        "true": scenario.effect,
        "passed": {
            **{rule_id: _share(flags) for rule_id, flags in passed.items()},
            "gate": _share(np.logical_and.reduce(list(passed.values()))),
        },
        "supported": _share(ends["primary"].beyond(*_demand(_RULE_1, how))),
        "verdicts": {
            "non-inferiority demonstrated": _share(above),
            "inferior": _share(below),
            "inconclusive at this sample size": _share(~(above | below)),
        },
        "demonstrated_by_t": _share(ends["stratified_t"].beyond(">", margin)),
        **_calibration(ends, scenario.effect),
    }


def rule_row(scenario: Scenario, rule_id: str, how: Simulation, *, stream: int) -> Tree:
    """Simulate one truth behind a rule: how often it passes, is supported, and is covered."""
    batches = list(draw_studies(scenario, how.studies, seed=how.draw_seed, stream=stream))
    ends = _ends(scenario, batches, rule_id, how)
    truth = scenario.truth[rule_id]
    return {
        "true": truth,
        "passed": _share(_passed(batches, rule_id, how)),
        "supported": _share(ends["primary"].beyond(*_demand(rule_id, how))),
        **_calibration(ends, truth),
    }


def _passed(batches: Iterable[Columns], rule_id: str, how: Simulation) -> Flags:
    """Decide a rule in every study as the gate does: with exact fractions."""
    estimand, demand = FIGURES[rule_id], demands(how.thresholds)[rule_id]
    return np.array(
        [holds(value, *demand) for columns in batches for value in _values(columns, estimand)]
    )


def _values(columns: Columns, estimand: Estimand) -> list[Fraction | None]:
    totals = {name: columns[name].sum(axis=0).tolist() for name in estimand.columns}
    studies = max(map(len, totals.values()))
    found: list[Fraction | None] = []
    for study in range(studies):
        sums = {
            name: Fraction(values[study if len(values) > 1 else 0])
            for name, values in totals.items()
        }
        defined = all(sums[name] for name in estimand.divisors)
        found.append(evaluate(estimand, sums.__getitem__) if defined else None)
    return found


def _ends(
    scenario: Scenario, batches: Sequence[Columns], rule_id: str, how: Simulation
) -> dict[str, Ends]:
    design, estimand = scenario.design, FIGURES[rule_id]
    resampler = Resampler(design, how.iterations, how.seed, how.level)
    return {
        "primary": _joined([resampler.ends(item, estimand, "primary") for item in batches]),
        "companion": _joined([resampler.ends(item, estimand, "companion") for item in batches]),
        "stratified_t": _joined([t_ends(item, estimand, design, how.level) for item in batches]),
    }


def _joined(parts: Sequence[Ends]) -> Ends:
    return Ends(
        np.concatenate([part.lower for part in parts]),
        np.concatenate([part.upper for part in parts]),
    )


def _calibration(ends: dict[str, Ends], truth: float) -> Tree:
    return {
        "coverage": {name: _share(item.cover(truth)) for name, item in ends.items()},
        "mean_width": {name: _mean(item.upper - item.lower) for name, item in ends.items()},
    }


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    """Give the mean over the studies that have a value; None where none has."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else None


def _demand(rule_id: str, how: Simulation) -> tuple[Comparison, float]:
    comparison, threshold = demands(how.thresholds)[rule_id]
    return comparison, float(threshold)


def _share(flags: Flags) -> float:
    return float(flags.mean())
