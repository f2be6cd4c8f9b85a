"""The grid of a split: strata by languages, equally many tasks in each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from surface.task import LANGUAGES, STRATA, Task
from surface.validation.problem import Problem


def check_grid(split: str, tasks: Sequence[Task], per_cell: int) -> Iterator[Problem]:
    """Count the tasks of every stratum x language cell."""
    cells = Counter((task.stratum, task.language) for task in tasks)
    for stratum in STRATA:
        for language in LANGUAGES:
            found = cells[stratum, language]
            if found != per_cell:
                yield Problem(
                    f"split {split}: {stratum} x {language}",
                    f"The cell holds {found} tasks instead of {per_cell}.",
                    "Add or move tasks.",
                )
