"""Turn by turn: whether the tool that is needed next was shown, and where it was ranked."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from gates.finished import Finished
from gates.report.scale import Scale
from gates.report.words import shown, told_apart

LEFT, RIGHT, TOP, BOTTOM = 56.0, 610.0, 16.0, 220.0
_DASHES: Final = ("", "6 3", "2 3", "10 3 2 3", "1 5")


@dataclass(frozen=True)
class Moment:
    """One turn of one condition: of the episodes whose task is incomplete before it."""

    turn: int
    episodes: int
    exposed: int
    share: str
    rank: str
    """Median over the episodes in which the tool was ranked."""
    x: float
    y: float


@dataclass(frozen=True)
class Course:
    """One condition."""

    condition: str
    dash: str
    moments: tuple[Moment, ...]


@dataclass(frozen=True)
class Courses:
    """All conditions and the axes."""

    courses: tuple[Course, ...]
    turns: tuple[int, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]


def courses(finished: Finished) -> Courses:
    """Count exposure and rank of the next required route in every turn that still needs one.

    A prompt that overflowed shows nothing. The ranking in force is that of the last tool turn.
    """
    last = max(
        (row["turn"] for item in finished.results.episodes.values() for row in item.turns),
        default=1,
    )
    across, up = Scale(1, max(2, last), LEFT, RIGHT), Scale(0, 1, BOTTOM, TOP)
    found: dict[str, defaultdict[int, list[tuple[bool, int | None]]]] = {
        name: defaultdict(list) for name in finished.conditions
    }
    for key, item in finished.results.episodes.items():
        ranks = {row["turn"]: row["gold_next_rank"] for row in item.transitions}
        rank = None
        for row in item.turns:
            # A turn without a call leaves no transition: what was in force stays so.
            rank = ranks.get(row["turn"] - 1, rank)
            if row["gold_next_route"] is not None:
                shows = row["accepted"] and row["gold_next_route"] in row["exposure"]
                found[key.condition][row["turn"]].append((shows, rank))
    return Courses(
        courses=tuple(
            Course(
                name,
                told_apart(place, _DASHES),
                tuple(_moment(turn, events, across, up) for turn, events in sorted(turns.items())),
            )
            for place, (name, turns) in enumerate(found.items())
        ),
        turns=tuple(range(1, last + 1)),
        x_ticks=tuple((across(turn), str(turn)) for turn in range(1, last + 1)),
        y_ticks=tuple((up(tick), f"{tick:.1f}") for tick in (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    )


def _moment(turn: int, events: list[tuple[bool, int | None]], across: Scale, up: Scale) -> Moment:
    exposed = sum(flag for flag, _ in events)
    ranks = [rank for _, rank in events if rank is not None]
    return Moment(
        turn=turn,
        episodes=len(events),
        exposed=exposed,
        share=shown(exposed / len(events), 2),
        rank=shown(statistics.median(ranks), 1) if ranks else "",
        x=across(turn),
        y=up(exposed / len(events)),
    )
