from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from gates.error import EstimationError
from gates.estimand import Contrast, Estimand, Metric, estimands
from gates.estimate import Interval, Plan
from gates.estimator import estimate
from gates.metric_table import METRICS
from gates.number import exact, plain
from tests.unit.gates.samples import grid, level, sample_of

PLAN = Plan(iterations=400)
SHARE = Metric("share", "hits", "events", (0, 1))


def contrast(kind: Contrast, metric: Metric = SHARE) -> Estimand:
    return Estimand(metric, "X", "Y", kind)


def test_a_ratio_of_sums_is_not_the_mean_of_ratios() -> None:
    # Vector 11: 7/10, where the mean of the four ratios is 3/5.
    sample = sample_of([2, 2], {"X/hits": [9, 1, 4, 0], "X/events": [10, 2, 4, 4]})
    figure = estimate(sample, [level("hits", "events")], PLAN).by_key["figure[X]"]
    assert (figure.value, figure.numerator, figure.denominator) == (Fraction(7, 10), 14, 20)
    assert figure.reason is None
    # The law of its replicates runs from 1/6 to 13/14, each with probability 1/16.
    assert figure.primary == Interval(Fraction(1, 6), Fraction(13, 14), 0)


def test_a_difference_and_a_ratio_are_exact() -> None:
    sample = sample_of(
        [50],
        {
            "X/hits": [1] * 39 + [0] * 11,
            "X/events": [1] * 50,
            "Y/hits": [1] * 40 + [0] * 10,
            "Y/events": [1] * 50,
        },
    )
    result = estimate(sample, [contrast("difference"), contrast("ratio")], PLAN).by_key
    # In floats the difference is -0.020000000000000018.
    assert result["share[X - Y]"].value == Fraction(-1, 50)
    assert result["share[X / Y]"].value == Fraction(39, 40)


def test_endpoints_are_exact_figures_of_replicates() -> None:
    # The arms differ on one of 50 tasks: every replicate's difference is a multiple of 1/50.
    sample = sample_of(
        [50],
        {
            "X/hits": [1] * 39 + [0] * 11,
            "X/events": [1] * 50,
            "Y/hits": [1] * 40 + [0] * 10,
            "Y/events": [1] * 50,
        },
    )
    figure = estimate(sample, [contrast("difference")]).by_key["share[X - Y]"]
    assert figure.primary == Interval(Fraction(-3, 50), Fraction(0), 0)
    assert figure.companion is not None
    assert (figure.companion.lower * 49).denominator == 1


def test_an_undefined_point_estimate_has_a_reason_and_no_number() -> None:
    sample = grid({"FULL/next_tool_events": [0] * 50, "FULL/next_tool_hits": [0] * 50})
    wanted = [
        Estimand(METRICS["next_tool_recall_at_5"], "FULL"),
        Estimand(METRICS["next_tool_recall_at_5"], "SR-5-STATE-AWARE", "FULL", "difference"),
    ]
    for figure in estimate(sample, wanted, PLAN).by_key.values():
        assert (figure.value, figure.primary, figure.companion) == (None, None, None)
        assert figure.reason is not None
        assert figure.reason.startswith("not estimable: FULL has none of these: transitions after")


def test_a_ratio_of_two_arms_needs_something_to_compare_with() -> None:
    sample = sample_of(
        [2], {"X/hits": [1, 1], "X/events": [1, 1], "Y/hits": [0, 0], "Y/events": [1, 1]}
    )
    figure = estimate(sample, [contrast("ratio")], PLAN).by_key["share[X / Y]"]
    assert figure.value is None
    assert figure.reason is not None
    assert "Y has none of these: hits" in figure.reason


def test_undefined_replicates_count_as_the_ends_of_the_range() -> None:
    # One miss, recovered, among three tasks: 8/27 of the replicates have no miss, the others 1.
    sample = sample_of([3], {"X/hits": [1, 0, 0], "X/events": [1, 0, 0]})
    figure = estimate(sample, [level("hits", "events")]).by_key["figure[X]"]
    assert figure.value == 1
    assert figure.primary is not None
    assert figure.primary.lower == 0
    assert figure.primary.upper == 1
    assert abs(figure.primary.undefined / 10_000 - 8 / 27) < 0.03
    assert figure.companion is not None
    assert abs(figure.companion.undefined / 10_000 - 4 / 9) < 0.03


def test_undefined_replicates_of_a_difference_count_as_minus_1_and_1() -> None:
    sample = sample_of(
        [3],
        {"X/hits": [0, 0, 0], "X/events": [1, 0, 0], "Y/hits": [0, 0, 0], "Y/events": [1, 1, 1]},
    )
    figure = estimate(sample, [contrast("difference")]).by_key["share[X - Y]"]
    assert figure.value == 0
    assert figure.primary is not None
    assert figure.primary.lower == -1
    assert figure.primary.upper == 1
    assert figure.primary.undefined > 0


def test_an_unbounded_mean_has_no_interval_once_a_replicate_is_undefined() -> None:
    sample = sample_of([3], {"X/tokens": [90, 0, 0], "X/narrow": [1, 0, 0]})
    figure = estimate(sample, [level("tokens", "narrow", share=False)], PLAN).by_key["figure[X]"]
    assert figure.value == 90
    assert figure.primary is None
    assert figure.reason is not None
    assert "its range has no end" in figure.reason


def test_cells_of_one_task_have_no_companion_interval() -> None:
    sample = sample_of([2, 1], {"X/hits": [1, 0, 1], "X/events": [1, 1, 1]})
    figure = estimate(sample, [level("hits", "events")], PLAN).by_key["figure[X]"]
    assert figure.primary == Interval(Fraction(1, 3), Fraction(1), 0)
    assert figure.companion is None
    assert figure.reason == "no companion interval: the cell c01 x en holds one task only"


def test_a_design_without_repeats_has_an_interval_that_says_nothing() -> None:
    # The development split: one task a cell, so that every replicate is the sample itself.
    sample = sample_of([1, 1], {"X/hits": [1, 0], "X/events": [1, 1]})
    figure = estimate(sample, [level("hits", "events")], PLAN).by_key["figure[X]"]
    assert figure.value == Fraction(1, 2)
    assert figure.primary == Interval(Fraction(1, 2), Fraction(1, 2), 0)
    assert figure.to_json()["degenerate"] is True
    assert figure.companion is None
    assert figure.reason == (
        "the primary interval says nothing about uncertainty: every cell holds one task only, so"
        " that resampling changes nothing; no companion interval: the cell c00 x en holds one task"
        " only"
    )


def test_a_companion_can_be_left_out() -> None:
    sample = sample_of([2], {"X/hits": [1, 0], "X/events": [1, 1]})
    plan = Plan(iterations=400, stream=4, companion=False)
    figure = estimate(sample, [level("hits", "events")], plan).by_key["figure[X]"]
    assert figure.primary is not None
    assert figure.companion is None


def test_a_certain_figure_is_marked() -> None:
    sample = sample_of([3], {"X/hits": [1, 1, 1], "X/events": [1, 1, 1]})
    figure = estimate(sample, [level("hits", "events")], PLAN).by_key["figure[X]"]
    assert figure.primary == Interval(Fraction(1), Fraction(1), 0)
    assert figure.primary.degenerate


def test_the_same_figures_whatever_else_is_estimated() -> None:
    sample = grid({"FULL/passes": 31, "SR-5-STATE-AWARE/harmed": 4})
    everything = estimate(sample, estimands(), PLAN)
    for key in ("task_pass[FULL]", "harm[SR-5-STATE-AWARE]"):
        alone = next(estimand for estimand in estimands() if estimand.key == key)
        assert estimate(sample, [alone], PLAN).by_key[key] == everything.by_key[key]


def test_figures_are_looked_up_by_metric_and_condition() -> None:
    result = estimate(grid({"FULL/passes": 31}), estimands(), PLAN)
    assert result.get("task_pass", "FULL").value == Fraction(31, 50)
    assert result.get("task_pass", "SR-5-STATE-AWARE", "FULL").value == Fraction(19, 50)
    assert result.get("input_tokens", "SR-5-STATE-AWARE", "FULL", "ratio").value is None
    with pytest.raises(EstimationError, match=r"task_pass\[FULL - ORACLE\] was not estimated"):
        result.get("task_pass", "FULL", "ORACLE")


def test_a_missing_column_is_an_error() -> None:
    sample = sample_of([2], {"X/hits": [1, 0]})
    with pytest.raises(EstimationError, match="'X/events'"):
        estimate(sample, [level("hits", "events")], PLAN)


def test_too_few_iterations_are_an_error() -> None:
    sample = sample_of([2], {"X/hits": [1, 0], "X/events": [1, 1]})
    with pytest.raises(EstimationError, match="38 replicates are too few"):
        estimate(sample, [level("hits", "events")], Plan(iterations=38))


@pytest.mark.parametrize(("comparator", "kind"), [(None, "ratio"), ("Y", "level")])
def test_a_contrast_has_two_conditions(comparator: str | None, kind: Contrast) -> None:
    with pytest.raises(ValueError, match=f"A {kind}"):
        Estimand(SHARE, "X", comparator, kind)


def test_json_has_no_nan_and_keeps_the_whole_numbers() -> None:
    sample = grid({"FULL/next_tool_events": [0] * 50})
    result = estimate(sample, estimands(), PLAN)
    for figure in result.by_key.values():
        written = json.loads(json.dumps(figure.to_json(), allow_nan=False))
        if figure.value is None:
            assert written["value"] is None
            assert written["reason"]
        else:
            assert Fraction(written["value_exact"]) == figure.value
            assert written["value"] == float(figure.value)
        if figure.primary is not None:
            assert written["interval"] == [float(figure.primary.lower), float(figure.primary.upper)]


def test_numbers_are_written_plainly_and_exactly() -> None:
    assert (plain(None), exact(None)) == (None, None)
    assert (plain(Fraction(-1, 50)), exact(Fraction(-1, 50))) == (-0.02, "-1/50")
    large = Fraction(2**60 + 1, 2**54)
    assert plain(large) == 64.0
    assert exact(large) == "1152921504606846977/18014398509481984"


def test_estimates_of_the_study_stay_finite() -> None:
    rng = np.random.default_rng(11)
    sample = grid({"ORACLE/passes": rng.integers(0, 2, 50).tolist()})
    for figure in estimate(sample, estimands(), PLAN).by_key.values():
        for interval in (figure.primary, figure.companion):
            if interval is not None and figure.value is not None:
                assert interval.lower <= interval.upper
