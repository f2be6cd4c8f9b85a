"""Rivals: other endpoints that could take a step's place by their declared contracts alone.

A contract says nothing about what a request means. Where two of them fit, the query has to tell
the two apart (design, surface).
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from router.contract import EndpointSpec
from router.snapshot import CatalogSnapshot
from surface.argument import Source
from surface.pointer import registered
from surface.task import Task

Effect = Literal["read", "write", "destructive"]


def effect(endpoint: EndpointSpec) -> Effect:
    """Return what an endpoint does to the world."""
    if endpoint.destructive:
        return "destructive"
    return "read" if endpoint.read_only else "write"


def rivals(task: Task, position: int, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    """Return the routes that rival a step, ordered as in the catalog.

    A rival is no route of the task, has the step's effect, and can be called with what is known
    when the step is due: the meanings of the step's own arguments, and where a later step takes
    something from the step, also all that the query gives and earlier steps observed. It answers
    the meanings that later steps take; where none does and the step reads, all that the step
    answers.

    Parameters
    ----------
    task
        The task.
    position
        Zero-based position of the step.
    snapshot
        The catalog, which holds every route of the task.
    """
    endpoint, required = snapshot.endpoint(task.steps[position].route), task.required_routes
    own = Counter(argument_meanings(task, position, snapshot))
    taken = taken_meanings(task, position, snapshot)
    known = known_meanings(task, position, snapshot) if taken else frozenset()
    answered = taken
    if not taken and endpoint.read_only:
        answered = output_meanings(endpoint)
    return tuple(
        route
        for route, other in zip(snapshot.routes, snapshot.endpoints, strict=True)
        if route not in required
        and effect(other) == effect(endpoint)
        and _callable(other, own, known)
        and answered <= output_meanings(other)
    )


def taken_meanings(task: Task, position: int, snapshot: CatalogSnapshot) -> frozenset[str]:
    """Return the semantic ids that later steps take from a step.

    A step that fails and is called again stands for the call that succeeds.
    """
    route = task.steps[position].route
    if task.steps[position].error is not None:
        position = next(
            (
                later
                for later in range(position + 1, len(task.steps))
                if task.steps[later].route == route and task.steps[later].error is None
            ),
            position,
        )
    origins = (rule.origin for step in task.steps for rule in step.arguments.values())
    sources = (item for item in origins if item is not None and item.step == position + 1)
    return frozenset(
        meaning for item in sources for meaning in _meanings_at(snapshot.endpoint(route), item)
    )


def _callable(other: EndpointSpec, own: Counter[str], known: frozenset[str]) -> bool:
    required = Counter(str(item.semantic_id) for item in other.parameters if item.required)
    return all(meaning in known or count <= own[meaning] for meaning, count in required.items())


def known_meanings(task: Task, position: int, snapshot: CatalogSnapshot) -> frozenset[str]:
    """Return the meanings that stand in the query or have been observed before a step."""
    observed = (
        output_meanings(snapshot.endpoint(step.route))
        for step in task.steps[:position]
        if step.error is None
    )
    given = (
        argument_meanings(task, number, snapshot, literal=True) for number in range(len(task.steps))
    )
    return frozenset().union(*observed, *given)


def argument_meanings(
    task: Task, position: int, snapshot: CatalogSnapshot, *, literal: bool = False
) -> tuple[str, ...]:
    """Return the meaning of each argument of a step, or of those that the query gives."""
    step = task.steps[position]
    parameters = {item.name: item for item in snapshot.endpoint(step.route).parameters}
    return tuple(
        str(parameters[name].semantic_id)
        for name, rule in step.arguments.items()
        if name in parameters and not (literal and rule.origin is not None)
    )


def required_meanings(endpoint: EndpointSpec) -> frozenset[str]:
    """Return the semantic ids that a call of an endpoint cannot do without."""
    return frozenset(str(item.semantic_id) for item in endpoint.parameters if item.required)


def output_meanings(endpoint: EndpointSpec) -> frozenset[str]:
    """Return the semantic ids that an endpoint answers."""
    return frozenset(str(item.semantic_id) for item in endpoint.output_fields)


def _meanings_at(endpoint: EndpointSpec, source: Source) -> frozenset[str]:
    pointer = registered(source.path)
    # A repeated value can be taken as a whole, without an index.
    return frozenset(
        str(item.semantic_id)
        for item in endpoint.output_fields
        if item.pointer in {pointer, f"{pointer}[]"}
    )
