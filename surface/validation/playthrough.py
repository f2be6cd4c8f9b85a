"""The gold played through: an agent that knows it passes the task, in every catalog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from surface.catalog import Catalog
from surface.executor import Executor
from surface.gold import gold_arguments
from surface.task import Task
from surface.validation.problem import Problem

_REMEDIES: Final = {
    "unavailable": "Use a route of the first tier.",
    "schema_invalid": "Correct the rules of the step.",
    "blocked": "Add an approval for this call; each is used up by one.",
    "not_found": "Let the query or an earlier observation hold every identifier.",
    "repeat": "Let the step differ from those before it.",
    "example": "Correct the rules of the step.",
}
"""What to do, by the decision of the executor."""


def check_playthrough(task: Task, catalogs: Mapping[int, Catalog]) -> Iterator[Problem]:
    """Play a task in each catalog with only its required routes exposed; stop at a failure."""
    for tier, catalog in catalogs.items():
        executor = Executor(task, catalog)
        progress = executor.start()
        for number, step in enumerate(task.steps, start=1):
            progress, execution = executor.execute(
                progress,
                route=step.route,
                arguments=gold_arguments(executor, progress),
                exposed=task.required_routes,
            )
            if not execution.advanced:
                answer = execution.error or "an answer that belongs to no step"
                yield Problem(
                    f"{task.id}: step {number}",
                    f"In catalog {tier} the right call gets {answer}.",
                    _REMEDIES[execution.decision],
                )
                return
