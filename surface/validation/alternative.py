"""Alternatives of two routes: what a task needs from one route, had from two others instead.

Such detours are longer, so nothing forbids them; the report counts them.
"""

from __future__ import annotations

from router.snapshot import CatalogSnapshot
from surface.task import Task
from surface.validation.rival import (
    argument_meanings,
    effect,
    known_meanings,
    output_meanings,
    required_meanings,
    taken_meanings,
)


def has_detour(task: Task, position: int, snapshot: CatalogSnapshot) -> bool:
    """Whether two other routes could stand in for a step by their declared contracts.

    The first reads, can be called with what is known when the step is due, and answers something
    that the second needs. The second has the step's effect and can be called with that in
    addition, but not without it. Together they answer all that later steps take from the step.
    Neither is a route of the task. A step that no later step takes anything from has no detour.

    Parameters
    ----------
    task
        The task.
    position
        Zero-based position of the step.
    snapshot
        The catalog, which holds every route of the task.
    """
    taken = taken_meanings(task, position, snapshot)
    if not taken:
        return False
    wanted = effect(snapshot.endpoint(task.steps[position].route))
    known = known_meanings(task, position, snapshot) | frozenset(
        argument_meanings(task, position, snapshot)
    )
    others = [
        (effect(endpoint), required_meanings(endpoint), output_meanings(endpoint))
        for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True)
        if route not in task.required_routes
    ]
    reads = [out for kind, needed, out in others if kind == "read" and needed <= known]
    seconds = [
        (needed - known, taken - out)
        for kind, needed, out in others
        if kind == wanted and not needed <= known
    ]
    return any(missing <= out and lacking <= out for out in reads for missing, lacking in seconds)
