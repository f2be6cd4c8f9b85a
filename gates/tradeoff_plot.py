"""A plot of what passing costs: task pass against the tokens of the tools that were shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from matplotlib.figure import Figure

from gates.summary import label, ordered

_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "0.3")
_MARKS: Final = ("o", "s", "^", "D", "v")


def plot_tradeoff(terminal: Mapping[str, Any]) -> Figure:
    """Plot task pass against mean tool-schema tokens, by condition and catalog.

    Parameters
    ----------
    terminal
        A terminal record.

    Returns
    -------
    Figure
        One line a condition, one point a catalog, named by its size; conditions differ by mark as
        well as by colour.
    """
    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    panel = figure.subplots()
    for position, condition in enumerate(ordered(terminal["metrics"])):
        catalogs = terminal["metrics"][condition]["catalog"]
        sizes = sorted(catalogs, key=int)
        tokens = [catalogs[size]["tool_schema_tokens"] for size in sizes]
        passes = [catalogs[size]["task_pass"] for size in sizes]
        panel.plot(
            tokens,
            passes,
            marker=_MARKS[position % len(_MARKS)],
            color=_COLOURS[position % len(_COLOURS)],
            linewidth=1,
            label=condition,
        )
        for size, x, y in zip(sizes, tokens, passes, strict=True):
            panel.annotate(size, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7)
    panel.set_xscale("log")
    panel.set_ylim(-0.02, 1.06)
    panel.set_xlabel("tool-schema tokens, mean per episode")
    panel.set_ylabel("task pass")
    panel.grid(color="0.9")
    panel.legend(fontsize=7, title="condition (points: catalog size)", title_fontsize=7)
    panel.set_title(
        f"{terminal['study']}, {terminal['split']} split ({label(terminal)})", fontsize=9
    )
    return figure
