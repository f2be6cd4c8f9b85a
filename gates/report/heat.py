"""Recall@5 of the state-aware condition by language and stratum, with its counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from gates.finished import Finished
from gates.metric_table import METRICS, STATE_AWARE
from gates.report.words import LANGUAGE_WORDS, STRATUM_WORDS, shown
from surface.task import LANGUAGES, STRATA

_STEPS: Final = 5


@dataclass(frozen=True)
class Cell:
    """One stratum in one language."""

    hits: int
    events: int
    value: str
    step: int | None
    """How dark it is, from 0 to 4; None where nothing was to be found."""


@dataclass(frozen=True)
class HeatMap:
    """Strata by languages, in the study's order."""

    condition: str
    languages: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def heat_map(finished: Finished) -> HeatMap:
    """Count hits and events of the state-aware condition in every cell."""
    strata = _ordered({task.stratum for task in finished.tasks.values()}, STRATA)
    languages = _ordered({task.language for task in finished.tasks.values()}, LANGUAGES)
    metric = METRICS["next_tool_recall_at_5"]
    hits: defaultdict[tuple[str, str], int] = defaultdict(int)
    events: defaultdict[tuple[str, str], int] = defaultdict(int)
    for place, key in enumerate(finished.tally.keys):
        if key.condition == STATE_AWARE:
            task = finished.tasks[key.task_id]
            hits[task.stratum, task.language] += finished.count(metric.numerator, place)
            events[task.stratum, task.language] += finished.count(metric.denominator, place)
    return HeatMap(
        condition=STATE_AWARE,
        languages=tuple(LANGUAGE_WORDS.get(name, name) for name in languages),
        rows=tuple(
            (
                STRATUM_WORDS.get(stratum, stratum),
                tuple(
                    _cell(hits[stratum, language], events[stratum, language])
                    for language in languages
                ),
            )
            for stratum in strata
        ),
    )


def _ordered(names: Collection[str], known: Sequence[str]) -> list[str]:
    """Return names in the protocol's order, others behind them."""
    return [name for name in known if name in names] + sorted(set(names) - set(known))


def _cell(hits: int, events: int) -> Cell:
    if not events:
        return Cell(hits, events, "", None)
    step = min(_STEPS - 1, hits * _STEPS // events)
    return Cell(hits, events, shown(hits / events, 2), step)
