"""Intervals of many studies are those that the study's own estimator gives to each of them."""

from __future__ import annotations

import numpy as np
import pytest

from gates.design import Sample
from gates.estimate import Plan
from gates.estimator import estimate
from gates.figure import FIGURES
from gates.power_draw import Columns, draw_studies
from gates.power_interval import Ends, Resampler, t_ends
from gates.power_model import Scenario
from gates.stratified_t import linearised, stratified_t
from tests.support.power import scenario

# Few misses and tasks, so that some replicates have no initial miss at all.
SPARSE = scenario(tasks_per_cell=2, initial_miss=0.05, progressive_initial_miss=0.08)


def study(truth: Scenario, columns: Columns, place: int) -> Sample:
    names = tuple(columns)
    matrix = np.stack(
        [values[:, place if values.shape[1] > 1 else 0] for values in columns.values()], axis=1
    )
    return Sample(truth.design, names, matrix)


@pytest.mark.parametrize("truth", [scenario(), SPARSE])
@pytest.mark.parametrize("rule_id", FIGURES)
def test_both_bootstraps_and_t_agree_with_the_estimator(truth: Scenario, rule_id: str) -> None:
    (columns,) = draw_studies(truth, 12, seed=11, stream=0)
    estimand, plan = FIGURES[rule_id], Plan(iterations=300)
    resampler = Resampler(truth.design, 300, plan.seed, plan.level)
    primary = resampler.ends(columns, estimand, "primary")
    companion = resampler.ends(columns, estimand, "companion")
    t = t_ends(columns, estimand, truth.design, plan.level)
    defined = undefined = 0
    for place in range(12):
        sample = study(truth, columns, place)
        figure = estimate(sample, [estimand], plan).by_key[estimand.key]
        if figure.primary is None or figure.companion is None:
            undefined += 1
            continue
        defined += figure.primary.undefined > 0
        for found, expected in ((primary, figure.primary), (companion, figure.companion)):
            assert found.lower[place] == pytest.approx(float(expected.lower), abs=1e-12)
            assert found.upper[place] == pytest.approx(float(expected.upper), abs=1e-12)
        values = linearised(sample, estimand)
        assert values is not None
        expected_t = stratified_t(values, truth.design.sizes)
        assert t.lower[place] == pytest.approx(expected_t.lower, abs=1e-9)
        assert t.upper[place] == pytest.approx(expected_t.upper, abs=1e-9)
    if truth is SPARSE and rule_id == "recovery_superiority":
        assert defined
        assert undefined
    else:
        assert not undefined


def test_few_sums_at_a_time_give_the_same_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = scenario()
    (columns,) = draw_studies(truth, 7, seed=2, stream=0)
    estimand = FIGURES["recovery_superiority"]
    resampler = Resampler(truth.design, 100, 1, "0.95")
    whole = resampler.ends(columns, estimand, "companion")
    monkeypatch.setattr("gates.power_interval._MOST_SUMS", 1_000)
    parts = resampler.ends(columns, estimand, "companion")
    assert (whole.lower == parts.lower).all()
    assert (whole.upper == parts.upper).all()


def test_ends_cover_and_lie_beyond_a_threshold() -> None:
    ends = Ends(np.array([-0.1, -0.02, 0.0, np.nan]), np.array([-0.05, 0.0, 0.1, np.nan]))
    assert ends.cover(-0.02).tolist() == [False, True, False, False]
    assert ends.cover(0.0).tolist() == [False, True, True, False]
    assert ends.beyond(">=", -0.02).tolist() == [False, True, True, False]
    assert ends.beyond(">", -0.02).tolist() == [False, False, True, False]
    assert ends.beyond("<", 0.0).tolist() == [True, False, False, False]


def test_an_end_that_is_the_truth_covers_it_whatever_its_last_digit() -> None:
    end = 39 / 50 - 40 / 50
    assert end != -0.02
    assert Ends(np.array([-0.02]), np.array([end])).cover(-0.02).all()
    assert not Ends(np.array([end]), np.array([0.0])).beyond(">", -0.02).any()
    assert Ends(np.array([end]), np.array([0.0])).beyond(">=", -0.02).all()
