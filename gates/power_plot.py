"""Plots of a power analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

_BLUE, _ORANGE, _GREEN, _GREY = "#0072B2", "#D55E00", "#009E73", "0.6"
_RULE = "task_pass_non_inferiority"
_WORD = "non-inferiority demonstrated"


def plot_power(record: Mapping[str, Any]) -> Figure:
    """Plot a power analysis.

    Parameters
    ----------
    record
        What `gates.power.analyse_power` returned.

    Returns
    -------
    Figure
        How often rule 1 and the gate pass and the bound demonstrates, by true difference; how often
        each interval covers; tasks for the wanted power, by the variance that drives them.
    """
    figure = Figure(figsize=(12, 3.8), layout="constrained")
    passing, covering, size = figure.subplots(1, 3)
    rows = [row for row in record["tables"]["task_pass"] if row["reason"] is None]
    _passing(passing, rows, float(Fraction(record["thresholds"]["task_pass_margin"])))
    _covering(covering, rows, float(record["simulation"]["level"]))
    _size(size, record)
    design = record["design"]
    figure.suptitle(
        f"{record['study']}: {design['tasks']} tasks on {design['catalogs']} catalogs"
        f" ({record['label']})",
        fontsize=10,
    )
    return figure


def _passing(panel: Axes, rows: Sequence[Mapping[str, Any]], margin: float) -> None:
    true = [row["true"] for row in rows]
    for label, color, marker, values in (
        ("rule 1 passes", _BLUE, "o", [row["passed"][_RULE] for row in rows]),
        ("the gate passes", _ORANGE, "s", [row["passed"]["gate"] for row in rows]),
        ("non-inferiority demonstrated", _GREEN, "^", [row["verdicts"][_WORD] for row in rows]),
    ):
        panel.plot(true, values, marker=marker, color=color, label=label)
    panel.axvline(margin, color=_GREY, linestyle="--", linewidth=1)
    panel.set_ylim(-0.02, 1.02)
    panel.set_xlabel("true difference of task pass")
    panel.set_ylabel("share of simulated studies")
    panel.set_title("What the gate says", fontsize=10)
    panel.legend(fontsize=7)


def _covering(panel: Axes, rows: Sequence[Mapping[str, Any]], level: float) -> None:
    true = [row["true"] for row in rows]
    for name, color, marker in (
        ("primary", _BLUE, "o"),
        ("companion", _ORANGE, "s"),
        ("stratified_t", _GREEN, "^"),
    ):
        values = [row["coverage"][name] for row in rows]
        panel.plot(true, values, marker=marker, color=color, label=name.replace("_", " "))
    panel.axhline(level, color=_GREY, linestyle="--", linewidth=1)
    panel.set_xlabel("true difference of task pass")
    panel.set_ylabel("coverage")
    panel.set_title(f"Intervals at {level:.4g}", fontsize=10)
    panel.legend(fontsize=7)


def _size(panel: Axes, record: Mapping[str, Any]) -> None:
    rows = [row for row in record["tables"]["size"] if row["tasks"] is not None]
    kinds = dict.fromkeys((row["true"], row["catalog_correlation"]) for row in rows)
    trues = list(dict.fromkeys(true for true, _ in kinds))
    correlations = list(dict.fromkeys(correlation for _, correlation in kinds))
    for true, correlation in kinds:
        chosen = [
            row for row in rows if (row["true"], row["catalog_correlation"]) == (true, correlation)
        ]
        panel.plot(
            [row["discordance"] for row in chosen],
            [row["tasks"] for row in chosen],
            # A difference by its line, a correlation by colour and mark: none by colour alone.
            linestyle=("-", "--", ":", "-.")[trues.index(true) % 4],
            marker=("o", "s", "^", "D")[correlations.index(correlation) % 4],
            color=(_BLUE, _ORANGE, _GREEN, "0.3")[correlations.index(correlation) % 4],
            label=f"true {true:g}, correlation {correlation:g}",
        )
    panel.axhline(record["design"]["tasks"], color=_GREY, linestyle="--", linewidth=1)
    panel.set_xlabel("discordance")
    panel.set_ylabel("tasks")
    panel.set_title(
        f"Tasks for {record['simulation']['power']:.0%} power of the bound", fontsize=10
    )
    if rows:
        panel.legend(fontsize=7)
