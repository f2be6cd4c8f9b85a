"""Wording: what a query's words have in common with the routes that it needs."""

from __future__ import annotations

import re
from typing import Final

from router.snapshot import CatalogSnapshot
from surface.task import Task
from surface.validation.language import ENGLISH
from surface.validation.text import normal

_WORD: Final = re.compile(r"[^\W\d_]{2,}")


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
