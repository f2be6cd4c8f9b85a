"""Decisions in simulated studies are the gate's, and the known facts come out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from gates.design import Sample
from gates.estimate import Plan
from gates.estimator import estimate
from gates.figure import FIGURES, demands
from gates.power_draw import draw_studies
from gates.power_model import Scenario
from gates.power_score import Simulation, pass_row, rule_row
from gates.rule import judge
from gates.threshold import Thresholds
from harness.compose import load_config
from tests.support.power import scenario
from tests.unit.gates.samples import gate_of

PASS = "task_pass_non_inferiority"


def simulation(**changes: Any) -> Simulation:
    usual = Simulation(
        studies=60,
        iterations=199,
        draw_seed=4,
        seed=20260929,
        level="0.95",
        thresholds=Thresholds(),
    )
    return replace(usual, **changes)


def designed(effect: float) -> Scenario:
    """The study's own design under the stated rates."""
    config = load_config()
    rates = config.power.rates
    study = config.study
    return Scenario(rates, len(study.languages), len(study.catalogs), 6, effect)


@pytest.mark.parametrize(
    "thresholds",
    [Thresholds(), Thresholds(Fraction(-5, 100), Fraction(9, 10))],
)
def test_demands_are_the_gates(thresholds: Thresholds) -> None:
    found = demands(thresholds)
    for rule in gate_of({}).rules[:4]:
        assert found[rule.id][0] == rule.comparison
    assert [threshold for _, threshold in found.values()] == [
        thresholds.task_pass_margin,
        thresholds.recall_threshold,
        0,
        0,
    ]


@pytest.mark.parametrize("rule_id", FIGURES)
def test_studies_are_decided_and_supported_as_the_gate_does(rule_id: str) -> None:
    truth = scenario(effect=-0.02, recall=0.97, recovery=0.52, whole_catalog=0.053)
    how = simulation(studies=40)
    passed = supported = 0
    for columns in draw_studies(truth, 40, seed=how.draw_seed, stream=3):
        studies = max(values.shape[1] for values in columns.values())
        for place in range(studies):
            matrix = np.stack(
                [values[:, place % values.shape[1]] for values in columns.values()], axis=1
            )
            sample = Sample(truth.design, tuple(columns), matrix)
            figure = estimate(
                sample, [FIGURES[rule_id]], Plan(how.iterations, companion=False)
            ).by_key[FIGURES[rule_id].key]
            rule = judge(rule_id, "", figure, *demands(how.thresholds)[rule_id], {})
            passed += rule.passed
            supported += bool(rule.supported)
    row = rule_row(truth, rule_id, how, stream=3)
    assert row["passed"] == passed / 40
    assert row["supported"] == supported / 40
    assert 0 < passed < 40


def test_the_gate_passes_where_all_four_rules_do() -> None:
    row: Any = pass_row(designed(-0.02), simulation(), stream=0)
    passed = dict(row["passed"])
    gate = passed.pop("gate")
    assert list(passed) == list(FIGURES)
    assert gate <= min(passed.values())
    assert gate >= sum(passed.values()) - 3
    assert sum(row["verdicts"].values()) == pytest.approx(1)


def test_the_known_facts_of_the_design() -> None:
    # The primary interval covers about 92.5%, companion and t about 95%, and at the margin the
    # point rule is a coin flip. 400 studies: standard errors 0.013, 0.011 and 0.025.
    row: Any = pass_row(designed(-0.02), simulation(studies=400, iterations=999), stream=0)
    covered = row["coverage"]
    assert covered["primary"] == pytest.approx(0.925, abs=0.03)
    assert covered["companion"] == pytest.approx(0.95, abs=0.03)
    assert covered["stratified_t"] == pytest.approx(0.95, abs=0.03)
    assert covered["primary"] < covered["companion"]
    widths = row["mean_width"]
    # Rao and Wu make up for a variance of (n - 1) / n, here 5/6.
    assert widths["primary"] / widths["companion"] == pytest.approx((5 / 6) ** 0.5, abs=0.01)
    assert row["passed"][PASS] == pytest.approx(0.49, abs=0.08)
    assert row["verdicts"]["non-inferiority demonstrated"] < 0.06
    assert row["verdicts"]["inconclusive at this sample size"] > 0.9


def test_power_grows_with_the_true_difference() -> None:
    rows: list[Any] = [
        pass_row(designed(effect), simulation(), stream=place)
        for place, effect in enumerate((-0.06, 0.0, 0.06))
    ]
    assert [row["true"] for row in rows] == [-0.06, 0.0, 0.06]
    for key in ("passed", "supported"):
        values = [row[key][PASS] if key == "passed" else row[key] for row in rows]
        assert values == sorted(values)
        assert values[0] < 0.2
        assert values[-1] > 0.8
    inferior = [row["verdicts"]["inferior"] for row in rows]
    assert inferior == sorted(inferior, reverse=True)


def test_a_study_without_a_miss_fails_rule_3_and_covers_nothing_by_t() -> None:
    truth = scenario(initial_miss=0.0, progressive_initial_miss=0.0)
    row: Any = rule_row(truth, "recovery_superiority", simulation(studies=10), stream=0)
    assert row["passed"] == 0
    assert row["supported"] == 0
    assert row["coverage"]["stratified_t"] == 0
    assert row["mean_width"]["stratified_t"] is None
