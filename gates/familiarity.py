"""Results on services that the development tasks use, and on all others (the study's design).

Retriever and reference agent were built on the development tasks. Whoever fears that they learnt
its services by heart looks here; none of it decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from gates.metric_table import METRICS
from gates.number import Json, plain
from gates.terminal import Tally
from surface.task import Task

__all__ = ["DEVELOPMENT_SERVICES", "FAMILIARITY_METRICS", "familiarity"]

Tree = dict[str, Json]

DEVELOPMENT_SERVICES: Final = frozenset(
    {
        *("billing", "climate", "documents", "energy", "food", "freight", "helpdesk"),
        *("hotels", "hr", "lab", "orders", "payments", "sensors", "warehouse"),
    }
)
"""The services whose routes a development task requires. Stated here, and held by a test to the
tasks, so that figures follow from results and code alone."""

FAMILIARITY_METRICS: Final = (
    "task_pass",
    "next_tool_recall_at_5",
    "recovery_after_initial_miss",
    "state_completion",
    "tool_schema_tokens",
)


def familiarity(tally: Tally, tasks: Mapping[str, Task]) -> Tree:
    """Compute the main metrics where all services were seen in development, and where not.

    Parameters
    ----------
    tally
        Every episode's counts.
    tasks
        The study's tasks by id, on the surface of this package.

    Returns
    -------
    dict
        ``seen`` and ``unseen``: the number of tasks, and by condition the value of each of
        `FAMILIARITY_METRICS`, null where it has no denominator. A task is unseen when any route
        that it requires belongs to a service that no development task uses.
    """
    seen = {
        name
        for name, task in tasks.items()
        if {route.partition(".")[0] for route in task.required_routes} <= DEVELOPMENT_SERVICES
    }
    return {
        "seen": _part(tally, seen),
        "unseen": _part(tally, set(tasks) - seen),
    }


def _part(tally: Tally, kept: set[str]) -> Tree:
    conditions = sorted({key.condition for key in tally.keys})
    sums = {name: dict.fromkeys(_COLUMNS, 0) for name in conditions}
    for place, key in enumerate(tally.keys):
        if key.task_id in kept:
            for column in _COLUMNS:
                sums[key.condition][column] += (
                    1 if column == "episodes" else tally.columns[column][place]
                )
    return {
        "tasks": len(kept),
        "metrics": {
            name: {
                metric: _value(found[METRICS[metric].numerator], found[METRICS[metric].denominator])
                for metric in FAMILIARITY_METRICS
            }
            for name, found in sums.items()
        },
    }


def _value(numerator: int, denominator: int) -> Json:
    return plain(Fraction(numerator, denominator)) if denominator else None


_COLUMNS: Final = tuple(
    dict.fromkeys(
        column
        for metric in FAMILIARITY_METRICS
        for column in (METRICS[metric].numerator, METRICS[metric].denominator)
    )
)
