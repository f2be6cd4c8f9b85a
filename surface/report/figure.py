"""The plot of the report: query lengths by language, and steps by service."""

from __future__ import annotations

import io
from collections import Counter
from typing import TYPE_CHECKING, Final

import matplotlib
from matplotlib.figure import Figure

from surface.report.material import Material
from surface.task import LANGUAGES
from surface.validation.failure import service_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS: Final = {"dev": "#b0623a", "frozen": "#2f6690"}


def plot(material: Material) -> str:
    """Return the plot as SVG; equal material gives equal text."""
    # Texts stay texts and names come from content, so that equal surfaces give equal bytes.
    with matplotlib.rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "surface",
            "font.family": "sans-serif",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    ):
        figure = Figure(figsize=(9, 5))
        lengths, services = figure.subplots(1, 2, width_ratios=(1, 1.2))
        figure.subplots_adjust(left=0.09, right=0.98, top=0.92, bottom=0.1, wspace=0.45)
        _lengths(lengths, material)
        _services(services, material)
        marks = lengths.get_legend_handles_labels()
        figure.legend(*marks, loc="upper right", frameon=False, ncols=2, markerscale=1.6)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    lines = (line.rstrip() for line in buffer.getvalue().splitlines())
    return "\n".join(lines) + "\n"


def _lengths(axes: Axes, material: Material) -> None:
    step = 0.8 / len(material.splits)
    for place, (split, tasks) in enumerate(material.splits.items()):
        rows = [LANGUAGES.index(task.language) + (place + 0.5) * step - 0.4 for task in tasks]
        axes.plot(
            [len(task.query) for task in tasks],
            rows,
            "o",
            markersize=3.5,
            markeredgewidth=0,
            alpha=0.6,
            color=_COLOURS[split],
            label=split,
        )
    axes.set_yticks(range(len(LANGUAGES)), LANGUAGES)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel("characters")
    axes.set_title("Queries by language", loc="left")


def _services(axes: Axes, material: Material) -> None:
    names = sorted(set(map(service_of, material.smallest.routes)))
    height = 0.8 / len(material.splits)
    for place, (split, tasks) in enumerate(material.splits.items()):
        steps = Counter(service_of(step.route) for task in tasks for step in task.steps)
        total = steps.total()
        axes.barh(
            [number + (place + 0.5) * height - 0.4 for number in range(len(names))],
            [100 * steps[name] / total for name in names],
            height,
            color=_COLOURS[split],
        )
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel("% of the split's steps")
    axes.set_title("Steps by service", loc="left")
