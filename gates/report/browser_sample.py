"""Which tasks the episode browser holds when all of them would make the page too large.

A task stays or goes with all its catalogs and conditions, so that what is held can be compared. The
cells of the design take turns; within one a hash decides, which knows nothing of outcomes.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

from surface.task import Task


def sampling_order(tasks: Mapping[str, Task], ids: Iterable[str]) -> tuple[str, ...]:
    """Return task ids so that each beginning of the list is spread evenly over the cells.

    Parameters
    ----------
    tasks
        The study's tasks by id.
    ids
        Those to be ordered.
    """
    cells = defaultdict(list)
    for name in sorted(ids, key=_chance):
        cells[tasks[name].stratum, tasks[name].language].append(name)
    placed = [
        (place, _chance(name), name)
        for members in cells.values()
        for place, name in enumerate(members)
    ]
    return tuple(name for _, _, name in sorted(placed))


def _chance(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
