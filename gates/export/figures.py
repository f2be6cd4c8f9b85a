"""The main plots as SVG and PDF; the same study gives the same bytes, whenever it is plotted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from gates.contrast_plot import plot_contrasts
from gates.finished import Finished
from gates.plot import plot_conditions
from gates.tradeoff_plot import plot_tradeoff

FIGURES: Final[Mapping[str, Callable[[Mapping[str, Any]], Figure]]] = {
    "conditions": plot_conditions,
    "contrasts": plot_contrasts,
    "tradeoff": plot_tradeoff,
}
"""What is drawn, by file name; each takes a terminal record."""

_STYLE: Final[dict[Any, Any]] = {
    # Otherwise drawn by lot, for the names of clip paths.
    "svg.hashsalt": "state-aware-retrieval-study",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.family": "DejaVu Sans",
}
_UNDATED: Final = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def write_figures(finished: Finished, folder: Path) -> None:
    """Write every figure in both forms.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    with mpl.rc_context(_STYLE):
        for name, draw in FIGURES.items():
            for form, metadata in _UNDATED.items():
                # Drawn anew: a layout that was computed once is not computed in the same way again.
                figure = draw(finished.terminal)
                figure.savefig(folder / f"{name}.{form}", format=form, metadata=metadata)
