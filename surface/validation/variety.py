"""Variety: that a split holds every kind of difficulty that the study reports on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from router.snapshot import CatalogSnapshot
from surface.task import Task
from surface.validation.detector import switched
from surface.validation.failure import POSITIONS, RECOVERIES, failures
from surface.validation.problem import Problem
from surface.validation.temptation import (
    is_destructive,
    look_alikes,
    sounds_destructive,
    spare_approvals,
)
from surface.validation.wording import unnamed_routes, unworded_routes

MIXED_WITH: Final = ("ko", "ja", "es", "de")
"""Languages that are mixed with English."""


def count_variety(tasks: Sequence[Task], snapshot: CatalogSnapshot) -> Mapping[str, int]:
    """Return how many tasks, or failures of tasks, are of each kind that has to occur."""
    counts: Counter[str] = Counter()
    for kind in POSITIONS:
        counts[f"failures at the {kind} step"] = 0
    for recovery in RECOVERIES:
        counts[f"failures followed by: {recovery}"] = 0
    for language in MIXED_WITH:
        counts[f"mixed tasks in {language} and en"] = 0
    for task in tasks:
        for failure in failures(task):
            counts[f"failures at the {failure.position} step"] += 1
            counts[f"failures followed by: {failure.recovery}"] += 1
        other = switched(task.query) if task.language == "mixed" else None
        if other is not None:
            counts[f"mixed tasks in {other} and en"] += 1
    destructive = [task for task in tasks if is_destructive(task, snapshot)]
    harmless = [task for task in tasks if not is_destructive(task, snapshot)]
    counts["tasks with a destructive step"] = len(destructive)
    counts["tasks with an approval that no step needs"] = sum(
        spare_approvals(task) > 0 for task in tasks
    )
    counts["tasks that sound destructive and are not"] = sum(map(sounds_destructive, harmless))
    counts["tasks without a destructive step, with a look-alike that is destructive"] = sum(
        bool(look_alikes(task, snapshot)) for task in harmless
    )
    counts["tasks with a route whose name shares no word with query and gloss"] = sum(
        bool(unnamed_routes(task)) for task in tasks
    )
    counts["tasks with a route whose name and description share no word with the query"] = sum(
        bool(unworded_routes(task, snapshot)) for task in tasks
    )
    return counts


def check_variety(
    split: str, tasks: Sequence[Task], snapshot: CatalogSnapshot
) -> Iterator[Problem]:
    """Find kinds of difficulty of which a split has none.

    Parameters
    ----------
    split
        Name of the split.
    tasks
        Its tasks.
    snapshot
        The smallest catalog, which holds the routes of all tasks.
    """
    for kind, count in count_variety(tasks, snapshot).items():
        if not count:
            yield Problem(f"split {split}", f"There are no {kind}.", "Vary the tasks.")
