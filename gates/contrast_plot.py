"""A plot of the differences between the state-aware condition and every other one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gates.metric_table import STATE_AWARE
from gates.summary import label, ordered

_SHARES: Final = {
    "task_pass": "Task pass",
    "next_tool_recall_at_5": "Next-tool Recall@5",
    "recovery_after_initial_miss": "Recovery after initial miss",
    "state_completion": "State completion",
}
_BLUE, _ORANGE, _GREY = "#0072B2", "#D55E00", "0.6"


def plot_contrasts(terminal: Mapping[str, Any]) -> Figure:
    """Plot the differences of shares with both intervals.

    Parameters
    ----------
    terminal
        A terminal record.

    Returns
    -------
    Figure
        One panel a metric, one line a comparator; the companion interval is the thin one, and the
        dashed line in the first panel is rule 1's margin. What has no value is left blank.
    """
    found = {
        (item["metric"], item["comparator"]): item
        for item in terminal["contrasts"]
        if item["contrast"] == "difference"
    }
    comparators = [name for name in ordered(terminal["metrics"]) if ("task_pass", name) in found]
    figure = Figure(figsize=(11, 2.8), layout="constrained")
    panels = figure.subplots(1, len(_SHARES), sharey=True)
    for panel, (metric, title) in zip(panels, _SHARES.items(), strict=True):
        _panel(panel, [found[metric, name] for name in comparators])
        panel.set_title(title, fontsize=10)
    margin = next(r for r in terminal["gate"]["rules"] if r["id"] == "task_pass_non_inferiority")
    panels[0].axvline(
        margin["threshold"], color=_ORANGE, linestyle="--", linewidth=1, label="margin of rule 1"
    )
    panels[0].legend(fontsize=7)
    panels[0].set_yticks(range(len(comparators)), [f"minus {name}" for name in comparators])
    panels[0].invert_yaxis()
    figure.suptitle(
        f"{terminal['study']}, {terminal['split']} split ({label(terminal)}): {STATE_AWARE}",
        fontsize=10,
    )
    return figure


def _panel(panel: Axes, items: Sequence[Mapping[str, Any]]) -> None:
    panel.axvline(0, color=_GREY, linewidth=1)
    for position, item in enumerate(items):
        for name, width in (("interval", 3), ("companion_interval", 1)):
            if item[name] is not None:
                panel.plot(item[name], [position, position], color=_GREY, linewidth=width, zorder=1)
        if item["value"] is not None:
            panel.plot([item["value"]], [position], "o", color=_BLUE, zorder=2)
    panel.set_xlabel("difference")
    panel.grid(axis="x", color="0.9")
