"""The differences of the state-aware condition to every other one, as a forest plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gates.metric_table import STATE_AWARE
from gates.report.scale import Scale
from gates.report.words import METRIC_WORDS, ends_shown, shown, tick_shown
from gates.sensitivity_table import DELTAS
from gates.summary import ordered

_START, _END, _ROOM = 10.0, 390.0, 20.0


@dataclass(frozen=True)
class Bar:
    """An interval in the drawing."""

    start: float
    end: float


@dataclass(frozen=True)
class Line:
    """One difference."""

    comparator: str
    value: str
    primary: str
    companion: str
    reason: str | None
    at: float
    primary_bar: Bar | None
    companion_bar: Bar | None


@dataclass(frozen=True)
class Panel:
    """The differences of one metric on one scale."""

    metric: str
    title: str
    unit: str
    lines: tuple[Line, ...]
    zero: float
    margin: float | None
    """Where rule 1's margin is; in the panel of task pass alone."""
    ticks: tuple[tuple[float, str], ...]


def forest(terminal: Mapping[str, Any]) -> tuple[Panel, ...]:
    """Return one panel a metric, in the report's order; a metric without a difference has none."""
    found = {
        (item["metric"], item["comparator"]): item
        for item in terminal["contrasts"]
        if item["contrast"] == "difference" and item["value"] is not None
    }
    others = [name for name in ordered(terminal["metrics"]) if name != STATE_AWARE]
    margin = next(
        rule["threshold"]
        for rule in terminal["gate"]["rules"]
        if rule["id"] == "task_pass_non_inferiority"
    )
    panels = []
    for metric in DELTAS:
        items = [found[metric, name] for name in others if (metric, name) in found]
        if items:
            panels.append(_panel(metric, items, margin if metric == "task_pass" else None))
    return tuple(panels)


def _panel(metric: str, items: Sequence[Mapping[str, Any]], margin: float | None) -> Panel:
    values = [item["value"] for item in items]
    for item in items:
        values += [*(item["interval"] or ()), *(item["companion_interval"] or ())]
    scale = Scale.around(
        values, start=_START, end=_END, holds=(0.0, *(() if margin is None else (margin,)))
    )
    unit = "share" if items[0]["unit"] == "share" else "tokens, mean per episode"
    return Panel(
        metric=metric,
        title=METRIC_WORDS[metric],
        unit=unit,
        lines=tuple(_line(item, scale) for item in items),
        zero=scale(0),
        margin=None if margin is None else scale(margin),
        ticks=tuple(
            (scale(tick), tick_shown(tick)) for tick in scale.ticks(6) if _fits(scale(tick))
        ),
    )


def _fits(place: float) -> bool:
    """Whether the number of a tick stays inside of the drawing."""
    return _START + _ROOM <= place <= _END - _ROOM


def _line(item: Mapping[str, Any], scale: Scale) -> Line:
    def bar(ends: Sequence[float] | None) -> Bar | None:
        return None if ends is None else Bar(scale(ends[0]), scale(ends[1]))

    return Line(
        comparator=item["comparator"],
        value=shown(item["value"]),
        primary=ends_shown(item["interval"]),
        companion=ends_shown(item["companion_interval"]),
        reason=item["reason"],
        at=scale(item["value"]),
        primary_bar=bar(item["interval"]),
        companion_bar=bar(item["companion_interval"]),
    )
