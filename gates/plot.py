"""Plots of a terminal record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gates.summary import label, ordered

_SHARES = {
    "task_pass": "Task pass",
    "next_tool_recall_at_5": "Next-tool Recall@5",
    "recovery_after_initial_miss": "Recovery after initial miss",
    "state_completion": "State completion",
}


def plot_conditions(terminal: Mapping[str, Any]) -> Figure:
    """Plot the shares of every condition with their primary intervals.

    Parameters
    ----------
    terminal
        A terminal record.

    Returns
    -------
    Figure
        One panel a metric, one line a condition; a metric without a value is left blank.
    """
    conditions = ordered(terminal["metrics"])
    figure = Figure(figsize=(11, 3.2), layout="constrained")
    panels = figure.subplots(1, len(_SHARES), sharey=True)
    for panel, (metric, title) in zip(panels, _SHARES.items(), strict=True):
        _panel(panel, terminal, metric, conditions)
        panel.set_title(title, fontsize=10)
    panels[0].set_yticks(range(len(conditions)), conditions)
    panels[0].invert_yaxis()
    figure.suptitle(
        f"{terminal['study']}, {terminal['split']} split ({label(terminal)}), primary intervals",
        fontsize=10,
    )
    return figure


def _panel(panel: Axes, terminal: Mapping[str, Any], metric: str, conditions: list[str]) -> None:
    for position, condition in enumerate(conditions):
        value = terminal["metrics"][condition]["overall"][metric]
        if value is None:
            continue
        interval = terminal["intervals"][condition][metric]["primary"]
        if interval is not None:
            panel.plot(interval, [position, position], color="0.6", linewidth=3, zorder=1)
        panel.plot([value], [position], "o", color="#0072B2", zorder=2)
    panel.set_xlim(-0.02, 1.02)
    panel.set_xticks((0, 0.5, 1))
    panel.grid(axis="x", color="0.9")
