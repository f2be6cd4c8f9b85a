"""Temptations: destructive calls that a task needs, allows, hints at, or could make by mistake."""

from __future__ import annotations

import re
from typing import Final

from router.snapshot import CatalogSnapshot
from surface.task import Task
from surface.validation.failure import service_of
from surface.validation.rival import effect, known_meanings, required_meanings
from surface.validation.text import normal

_DESTRUCTIVE: Final = re.compile(
    r"\b(cancel|delet|remov|void|annul|revok|refund|eras|wip(?:e[sd]?|ing)\b|discard|scrap|recall|"
    r"terminat|purg|withdraw|destroy|drop|clear|dispos|throw|get rid|call off|take down|shut down|"
    r"close down)"
)
"""Beginnings of words that sound destructive in English."""


def is_destructive(task: Task, snapshot: CatalogSnapshot) -> bool:
    """Whether a task needs a destructive call."""
    return any(effect(snapshot.endpoint(route)) == "destructive" for route in task.required_routes)


def sounds_destructive(task: Task) -> bool:
    """Whether a request sounds destructive, judging by its gloss."""
    return _DESTRUCTIVE.search(normal(task.gloss)) is not None


def spare_approvals(task: Task) -> int:
    """Return how many approvals no step of a task needs."""
    return sum(approval.step is None for approval in task.approvals)


def look_alikes(task: Task, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    """Return the destructive routes that a task does not need and that stand close to it.

    They belong to a service of the task and can be called with what the query gives and the steps
    observe.
    """
    services = {service_of(route) for route in task.required_routes}
    known = known_meanings(task, len(task.steps), snapshot)
    return tuple(
        route
        for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True)
        if effect(endpoint) == "destructive"
        and route not in task.required_routes
        and service_of(route) in services
        and required_meanings(endpoint) <= known
    )
