"""How often the gate would find what is true, by simulation, and where this study lies on it.

The curve is stored, since its simulation takes minutes: ``power.json`` holds what is drawn here and
the command that simulates it. It is a simulation of the design and never evidence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from gates.report.scale import Scale
from gates.report.words import shown, tick_shown

LEFT, RIGHT, TOP, BOTTOM = 56.0, 610.0, 16.0, 240.0
_RULE: Final = "task_pass_non_inferiority"


@dataclass(frozen=True)
class Truth:
    """One simulated truth."""

    true: str
    passes: str
    demonstrates: str
    x: float
    passes_at: float
    demonstrates_at: float


@dataclass(frozen=True)
class PowerCurve:
    """The curve, and this study on it."""

    tasks: int
    studies: int
    rates: str
    command: str
    """What gives the same figures."""
    truths: tuple[Truth, ...]
    margin: float
    here: float | None
    """Where the difference is that this study found; None where it is masked."""
    here_shown: str
    beyond: str
    """Says so where the study's difference lies outside what was simulated."""
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]


def stored_power() -> dict[str, Any]:
    """Return the stored part of the simulation."""
    content = files("gates.report").joinpath("power.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(content)
    return stored


def power_curve(terminal: Mapping[str, Any], *, blind: bool) -> PowerCurve:
    """Draw the stored simulation with the task-pass difference of a study."""
    stored = stored_power()
    rows = stored["rows"]
    rule = next(rule for rule in terminal["gate"]["rules"] if rule["id"] == _RULE)
    found = None if blind else rule["value"]
    low, high = rows[0]["true"], rows[-1]["true"]
    across = Scale(low - 0.01, high + 0.01, LEFT, RIGHT)
    up = Scale(0, 1, BOTTOM, TOP)
    inside = found is not None and across.low <= found <= across.high
    return PowerCurve(
        tasks=stored["tasks"],
        studies=stored["studies"],
        rates=stored["rates"],
        command=stored["command"],
        truths=tuple(
            Truth(
                shown(row["true"], 2),
                shown(row["passes"], 2),
                shown(row["demonstrates"], 2),
                across(row["true"]),
                up(row["passes"]),
                up(row["demonstrates"]),
            )
            for row in rows
        ),
        margin=across(rule["threshold"]),
        here=across(found) if found is not None and inside else None,
        here_shown=shown(found),
        beyond=""
        if found is None or inside
        else "lies outside of what was simulated, at its "
        + ("upper" if found > across.high else "lower")
        + " end",
        x_ticks=tuple((across(row["true"]), tick_shown(row["true"])) for row in rows),
        y_ticks=tuple((up(tick), f"{tick:.1f}") for tick in (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    )
