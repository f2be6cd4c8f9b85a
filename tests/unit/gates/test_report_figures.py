"""The drawings of the report: what they count, and where they put it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from gates.metric_table import METRICS, STATE_AWARE
from gates.report.flow import flows
from gates.report.forest import Bar, forest
from gates.report.heat import heat_map
from gates.report.power_curve import power_curve, stored_power
from gates.report.scale import Scale
from gates.report.tradeoff import trade_off
from gates.report.words import LANGUAGE_WORDS, STRATUM_WORDS, shown, told_apart
from surface.task import LANGUAGES, STRATA
from tests.support.finished import shop


def terminal_with(task_pass: float | None) -> dict[str, Any]:
    """A record of two differences and rule 1."""

    def contrast(comparator: str, value: float, **ends: list[float]) -> dict[str, Any]:
        return {
            "metric": "task_pass",
            "comparator": comparator,
            "contrast": "difference",
            "value": value,
            "unit": "share",
            "interval": ends.get("interval"),
            "companion_interval": ends.get("companion"),
            "reason": None,
        }

    return {
        "metrics": dict.fromkeys((STATE_AWARE, "FULL", "ORACLE")),
        "contrasts": [
            contrast("ORACLE", -0.4, interval=[-0.5, -0.3], companion=[-0.6, -0.2]),
            contrast("FULL", 0.1),
        ],
        "gate": {
            "rules": [
                {"id": "task_pass_non_inferiority", "value": task_pass, "threshold": -0.02},
            ]
        },
    }


def test_a_forest_plot_has_one_scale_for_a_metric() -> None:
    (panel,) = forest(terminal_with(0.0))
    scale = Scale.around([-0.6, 0.1], start=10, end=390)
    assert [line.comparator for line in panel.lines] == ["FULL", "ORACLE"]
    full, oracle = panel.lines
    assert (full.at, full.primary_bar, full.primary) == (scale(0.1), None, "")
    assert oracle.primary_bar == Bar(scale(-0.5), scale(-0.3))
    assert oracle.companion_bar == Bar(scale(-0.6), scale(-0.2))
    assert oracle.companion == "−0.600 to −0.200"
    assert (panel.zero, panel.margin) == (scale(0), scale(-0.02))
    order = [scale(-0.6), oracle.at, scale(-0.02), panel.zero, full.at]
    assert [10, *order, 390] == sorted([10, *order, 390])


@pytest.mark.parametrize(
    ("scale", "about", "ticks"),
    [
        (Scale(0.03, 0.97, 0, 1), 5, (0.2, 0.4, 0.6, 0.8)),
        (Scale(-0.62, 0.14, 0, 1), 6, (-0.6, -0.4, -0.2, 0)),
        (Scale(0.09, 0.31, 0, 1), 3, (0.1, 0.2, 0.3)),
        (Scale(1300, 8000, 0, 1, logarithmic=True), 5, (2000, 5000)),
        (Scale(900, 60_000, 0, 1, logarithmic=True), 5, (1e3, 2e3, 5e3, 1e4, 2e4, 5e4)),
    ],
)
def test_ticks_are_round_and_inside(scale: Scale, about: int, ticks: tuple[float, ...]) -> None:
    assert scale.ticks(about) == ticks


def test_equal_values_have_a_scale() -> None:
    assert Scale.around([0.5, 0.5], start=0, end=100)(0.5) == 50
    assert Scale.powers([700], start=0, end=100)(700) == 50


def test_cells_of_the_heat_map_add_up_to_the_metric() -> None:
    finished = shop()
    found = heat_map(finished)
    metric = METRICS["next_tool_recall_at_5"]
    hits, events = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for place, key in enumerate(finished.tally.keys):
        if key.condition == STATE_AWARE:
            task = finished.tasks[key.task_id]
            hits[task.stratum, task.language] += finished.count(metric.numerator, place)
            events[task.stratum, task.language] += finished.count(metric.denominator, place)
    strata = [name for name in STRATA if name in {stratum for stratum, _ in events}]
    languages = [name for name in LANGUAGES if name in {language for _, language in events}]
    assert found.languages == tuple(map(LANGUAGE_WORDS.__getitem__, languages))
    assert [name for name, _ in found.rows] == [STRATUM_WORDS[name] for name in strata]
    for stratum, (_, cells) in zip(strata, found.rows, strict=True):
        for language, cell in zip(languages, cells, strict=True):
            searched = events[stratum, language]
            assert (cell.hits, cell.events) == (hits[stratum, language], searched)
            assert (cell.step is None) == (cell.value == "") == (not searched)
    overall = finished.terminal["metrics"][STATE_AWARE]["overall"][metric.key]
    assert sum(hits.values()) / sum(events.values()) == pytest.approx(overall, rel=1e-12)


def test_a_flow_only_narrows_and_begins_with_the_metrics() -> None:
    finished = shop()
    found = {flow.condition: flow for flow in flows(finished)}
    assert tuple(found) == finished.conditions
    for condition, flow in found.items():
        counts = [stage.episodes for stage in flow.stages]
        assert all(before >= after for before, after in pairwise(counts))
        overall = finished.terminal["metrics"][condition]["overall"]
        assert counts[0] == pytest.approx(flow.episodes * overall["initial_miss"])
        if counts[0]:
            recovered = overall["recovery_after_initial_miss"]
            assert counts[1] == pytest.approx(counts[0] * recovered)
            passed = overall["recovery_after_initial_miss_passed"]
            assert counts[3] == pytest.approx(counts[0] * passed)
    assert any(flow.stages[0].episodes for flow in found.values())


def test_the_trade_off_has_a_mark_for_every_condition_and_catalog() -> None:
    finished = shop()
    found = trade_off(finished.terminal)
    assert tuple(series.condition for series in found.series) == finished.conditions
    for series in found.series:
        by_catalog = finished.terminal["metrics"][series.condition]["catalog"]
        assert [point.size for point in series.points] == ["4", "5"]
        for point in series.points:
            assert point.passed == shown(by_catalog[point.size]["task_pass"])
            assert point.tokens == shown(by_catalog[point.size]["tool_schema_tokens"])
            assert 56 <= point.x <= 610
            assert 16 <= point.y <= 300


@pytest.mark.parametrize(
    ("found", "blind", "here", "beyond"),
    [
        (0.0, False, True, ""),
        (0.2, False, False, "lies outside of what was simulated, at its upper end"),
        (-0.2, False, False, "lies outside of what was simulated, at its lower end"),
        (0.0, True, False, ""),
        (None, False, False, ""),
    ],
)
def test_a_study_is_on_the_power_curve_where_that_reaches(
    found: float | None, blind: bool, here: bool, beyond: str
) -> None:
    curve = power_curve(terminal_with(found), blind=blind)
    assert (curve.here is not None, curve.beyond) == (here, beyond)
    if here:
        at_zero = next(
            place
            for row, place in zip(stored_power()["rows"], curve.x_ticks, strict=True)
            if row["true"] == 0
        )
        assert curve.here == at_zero[0]


def test_the_stored_curve_is_one_of_power() -> None:
    rows = stored_power()["rows"]
    for before, after in pairwise(rows):
        assert before["true"] < after["true"]
        assert before["passes"] <= after["passes"]
        assert before["demonstrates"] <= after["demonstrates"]
    # The bound demands more than the value does, and the value passes half the time at the margin.
    assert all(row["demonstrates"] <= row["passes"] for row in rows)
    assert next(row["passes"] for row in rows if row["true"] == -0.02) == pytest.approx(
        0.5, abs=0.05
    )


def test_conditions_of_one_colour_look_different() -> None:
    looks = ("circle", "square", "triangle", "diamond", "cross")
    seen = [(place % 5, told_apart(place, looks)) for place in range(25)]
    assert len(set(seen)) == len(seen)
