from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gates.power_score import Simulation
from gates.power_size import power_at, size_row
from gates.threshold import Thresholds
from tests.support.power import scenario

HOW = Simulation(
    studies=300,
    iterations=199,
    draw_seed=4,
    seed=20260929,
    level="0.95",
    thresholds=Thresholds(),
)


def test_the_size_is_the_least_that_has_the_power() -> None:
    truth = scenario(effect=0.1, discordance=0.2)
    row: Any = size_row(truth, 0.8, HOW, stream=0)
    assert row["tasks"] == 4 * row["tasks_per_cell"]
    assert row["power"] >= 0.8
    each = row["tasks_per_cell"]
    assert power_at(replace(truth, tasks_per_cell=each), HOW, stream=0) == row["power"]
    assert power_at(replace(truth, tasks_per_cell=each - 1), HOW, stream=0) < 0.8
    assert row["tasks"] == pytest.approx(row["approximate_tasks"], rel=0.35)
    assert row["reason"] is None


@pytest.mark.parametrize("effect", [-0.02, -0.05])
def test_no_size_shows_what_is_not_true(effect: float) -> None:
    row = size_row(scenario(effect=effect), 0.8, HOW, stream=0)
    assert (row["tasks"], row["power"]) == (None, None)
    assert row["reason"] == "no number of tasks: the true difference is not above the margin"


def test_sizes_that_nobody_writes_are_not_simulated() -> None:
    row = size_row(scenario(effect=-0.0199), 0.8, HOW, stream=0)
    assert row["tasks"] is None
    assert row["reason"] == "more than 20,000 tasks"


def test_without_any_discordance_two_tasks_a_cell_do() -> None:
    row = size_row(scenario(discordance=0.0), 0.8, HOW, stream=0)
    assert (row["tasks_per_cell"], row["power"]) == (2, 1.0)
