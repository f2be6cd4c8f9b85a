"""Wording: what a query's words have in common with the routes that it needs, and what they hint.

The query of a task may share no word with a route that it needs; a request may sound destructive
and need nothing of the kind.
"""

from __future__ import annotations

import re
from typing import Final

from router.snapshot import CatalogSnapshot
from surface.task import Task
from surface.validation.language import ENGLISH
from surface.validation.rival import effect
from surface.validation.text import normal

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_DESTRUCTIVE: Final = re.compile(
    r"\b(cancel|delet|remov|void|annul|revok|refund|eras|wip(?:e[sd]?|ing)\b|discard|scrap|recall|terminat|purg|"
    r"withdraw|destroy|drop|clear|dispos|throw|get rid|call off|take down|shut down|close down)"
)
"""Beginnings of words that sound destructive in English."""


def words(text: str) -> frozenset[str]:
    """Return the words of a text, casefolded, without the function words of English."""
    return frozenset(_WORD.findall(normal(text).replace("_", " "))) - ENGLISH


def unworded_routes(task: Task, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    """Return the routes of a task whose name and description share no word with its query."""
    said = words(task.query)
    return tuple(
        route
        for route in task.required_routes
        if not said & words(f"{route.replace('.', ' ')} {snapshot.endpoint(route).description}")
    )


def unnamed_routes(task: Task) -> tuple[str, ...]:
    """Return the routes of a task whose name shares no word with its query, in any language.

    The gloss stands for what the query would say in the language of the names.
    """
    said = words(f"{task.query} {task.gloss}")
    return tuple(
        route for route in task.required_routes if not said & words(route.replace(".", " "))
    )


def is_destructive(task: Task, snapshot: CatalogSnapshot) -> bool:
    """Whether a task needs a destructive call."""
    return any(effect(snapshot.endpoint(route)) == "destructive" for route in task.required_routes)


def sounds_destructive(task: Task) -> bool:
    """Whether a request sounds destructive, judging by its gloss."""
    return _DESTRUCTIVE.search(normal(task.gloss)) is not None


def spare_approvals(task: Task) -> int:
    """Return how many approvals no step of a task needs."""
    return sum(approval.step is None for approval in task.approvals)
