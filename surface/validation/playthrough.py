"""The gold played through: an agent that knows it passes the task if it sees all of its routes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from surface.catalog import Catalog
from surface.executor import Execution, Executor
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
    """Play a task in each catalog: it passes with its routes exposed, and with no fewer.

    What the first failure is about is reported, and nothing after it.
    """
    for tier, catalog in catalogs.items():
        executor = Executor(task, catalog)
        failed = _play(executor, frozenset(task.required_routes))
        if failed is not None:
            number, execution = failed
            answer = execution.error or "an answer that belongs to no step"
            yield Problem(
                f"{task.id}: step {number}",
                f"In catalog {tier} the right call gets {answer}.",
                _REMEDIES[execution.decision],
            )
            return
        for route in task.required_routes:
            if _play(executor, frozenset(task.required_routes) - {route}) is None:
                yield Problem(
                    task.id,
                    f"In catalog {tier} the task passes although {route} is not exposed.",
                    "Correct the executor.",
                )
                return


def _play(executor: Executor, exposed: frozenset[str]) -> tuple[int, Execution] | None:
    """Make the right calls in order; return number and answer of the first that fails, if any."""
    progress = executor.start()
    for number, step in enumerate(executor.task.steps, start=1):
        progress, execution = executor.execute(
            progress,
            route=step.route,
            arguments=gold_arguments(executor, progress),
            exposed=exposed,
        )
        if not execution.advanced:
            return number, execution
    return None
