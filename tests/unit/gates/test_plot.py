"""The plot shows what the record says, renders, and leaves out what has no value."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from gates.metric_table import CONDITIONS
from gates.plot import plot_conditions

METRICS = (
    "task_pass",
    "next_tool_recall_at_5",
    "recovery_after_initial_miss",
    "state_completion",
)


def record(**values: float | None) -> dict[str, Any]:
    """A record in which every share is 0.5, in [0.4, 0.7], unless it is given."""
    shares = {metric: values.get(metric, 0.5) for metric in METRICS}
    both = {
        metric: {"primary": None if value is None else [0.4, 0.7], "companion": None}
        for metric, value in shares.items()
    }
    return {
        "study": "small",
        "split": "frozen",
        "development": False,
        "agent": {"kind": "openai"},
        "evidence": "model",
        "metrics": {name: {"overall": shares} for name in sorted(CONDITIONS)},
        "intervals": dict.fromkeys(sorted(CONDITIONS), both),
    }


def points(panel: Any) -> list[tuple[float, float]]:
    return [
        (line.get_xdata()[0], line.get_ydata()[0])
        for line in panel.lines
        if line.get_marker() == "o"
    ]


def test_a_panel_a_metric_a_line_a_condition() -> None:
    figure = plot_conditions(record())
    panels = figure.axes
    assert [panel.get_title() for panel in panels] == [
        "Task pass",
        "Next-tool Recall@5",
        "Recovery after initial miss",
        "State completion",
    ]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == list(CONDITIONS)
    for panel in panels:
        assert points(panel) == [(0.5, place) for place in range(5)]
        ends = [np.asarray(line.get_xdata()).tolist() for line in panel.lines]
        assert [pair for pair in ends if len(pair) == 2] == [[0.4, 0.7]] * 5
        low, high = panel.get_xlim()
        assert low < 0 < 1 < high


def test_the_first_condition_stands_on_top() -> None:
    bottom, top = plot_conditions(record()).axes[0].get_ylim()
    assert bottom > top


def test_what_was_run_and_what_answered_stands_above() -> None:
    title = plot_conditions(record()).get_suptitle()
    assert title == "small, frozen split (confirmatory, a language model), primary intervals"


def test_what_has_no_value_is_left_blank() -> None:
    figure = plot_conditions(record(next_tool_recall_at_5=None))
    assert points(figure.axes[1]) == []
    assert len(points(figure.axes[0])) == 5


def test_a_value_without_an_interval_is_a_point() -> None:
    terminal = record(task_pass=0.0)
    for both in terminal["intervals"].values():
        both["task_pass"] = {"primary": None, "companion": None}
    panel = plot_conditions(terminal).axes[0]
    assert points(panel) == [(0.0, place) for place in range(5)]
    assert len(panel.lines) == 5


@pytest.mark.parametrize("form", ["png", "svg"])
def test_it_renders(form: str) -> None:
    stream = io.BytesIO()
    plot_conditions(record(recovery_after_initial_miss=None)).savefig(stream, format=form)
    assert len(stream.getvalue()) > 5_000
