"""Task pass against the tokens of the tools that were shown, by condition and catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from gates.report.scale import Scale
from gates.report.words import shown, tick_shown, told_apart
from gates.summary import ordered

LEFT, RIGHT, TOP, BOTTOM = 56.0, 610.0, 16.0, 300.0
_MARK: Final = 6.0
_MARKS: Final = ("circle", "square", "triangle", "diamond", "cross")


@dataclass(frozen=True)
class Point:
    """A condition on one catalog."""

    size: str
    x: float
    y: float
    tokens: str
    passed: str
    name: str = ""
    """What stands beside the mark: the sizes of all points that lie on it, at the last of them."""


@dataclass(frozen=True)
class Series:
    """A condition."""

    condition: str
    mark: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class TradeOff:
    """Every condition, and the axes."""

    series: tuple[Series, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]


def trade_off(terminal: Mapping[str, Any]) -> TradeOff:
    """Return one series a condition, one point a catalog; tokens on a logarithmic axis."""
    by_condition = {
        condition: terminal["metrics"][condition]["catalog"]
        for condition in ordered(terminal["metrics"])
    }
    across = Scale.powers(
        (part["tool_schema_tokens"] for parts in by_condition.values() for part in parts.values()),
        start=LEFT,
        end=RIGHT,
    )
    up = Scale(0, 1, BOTTOM, TOP)
    return TradeOff(
        series=tuple(
            Series(
                condition,
                told_apart(place, _MARKS),
                _named(
                    Point(
                        size,
                        across(parts[size]["tool_schema_tokens"]),
                        up(parts[size]["task_pass"]),
                        shown(parts[size]["tool_schema_tokens"]),
                        shown(parts[size]["task_pass"]),
                    )
                    for size in sorted(parts, key=int)
                ),
            )
            for place, (condition, parts) in enumerate(by_condition.items())
        ),
        x_ticks=tuple((across(tick), tick_shown(tick)) for tick in across.ticks()),
        y_ticks=tuple((up(tick), f"{tick:.1f}") for tick in (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    )


def _named(points: Iterable[Point]) -> tuple[Point, ...]:
    """Name marks; points that lie on each other share one name."""
    found: list[Point] = []
    sizes: list[str] = []
    for point in points:
        together = (
            found and abs(found[-1].x - point.x) < _MARK and abs(found[-1].y - point.y) < _MARK
        )
        if together:
            found[-1] = replace(found[-1], name="")
        sizes = [*sizes, point.size] if together else [point.size]
        found.append(replace(point, name=", ".join(sizes)))
    return tuple(found)
