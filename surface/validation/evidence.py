"""Evidence: the query's words that tell a step from its rivals, and that put it in its place."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from router.snapshot import CatalogSnapshot
from surface.task import Task
from surface.validation.problem import Problem
from surface.validation.rival import rivals
from surface.validation.script import without_literals


def check_evidence(task: Task, largest: CatalogSnapshot) -> Iterator[Problem]:
    """Check the quotes of every step of a task against its query and the largest catalog."""
    told: dict[str, set[str]] = {}
    for position, step in enumerate(task.steps):
        place = f"{task.id}: step {position + 1}"
        found = rivals(task, position, largest)
        for route, quote in step.apart.items():
            yield from _quoted(task, f"{place}, apart {route!r}", quote)
            if route not in found:
                yield Problem(
                    f"{place}, apart {route!r}",
                    "The route is no rival of the step.",
                    "Remove the quote.",
                )
        # What tells a route from a rival at one step does so wherever the task needs the route.
        known = told.setdefault(step.route, set())
        known.update(step.apart)
        for route in found:
            if route not in known:
                yield Problem(
                    f"{place}, apart",
                    f"{route} could take the place of {step.route} by its contract.",
                    "Quote the query's words that tell the two apart, or word the query so that "
                    "it does.",
                )
        if step.after is not None:
            yield from _quoted(task, f"{place}, after", step.after)
        elif needs_order(task, position):
            yield Problem(
                f"{place}, after",
                f"Nothing puts the step after step {position}.",
                "Quote the query's words that give the order, or word the query so that it does.",
            )


def needs_order(task: Task, position: int) -> bool:
    """Whether only the query can say that a step comes after the one before it.

    Data that the step takes from it says so too, and so does a failure: of the step before, or of
    the same route earlier, which is then called again.

    Parameters
    ----------
    task
        The task.
    position
        Zero-based position of the step.
    """
    if position == 0 or task.steps[position - 1].error is not None:
        return False
    step = task.steps[position]
    origins = (rule.origin for rule in step.arguments.values())
    if any(origin is not None and origin.step == position for origin in origins):
        return False
    failed = {earlier.route for earlier in task.steps[:position] if earlier.error is not None}
    return step.route not in failed


def _quoted(task: Task, place: str, quote: str) -> Iterator[Problem]:
    if _folded(quote) not in _folded(task.query):
        yield Problem(
            place, f"The words {quote!r} do not stand in the query.", "Quote it word for word."
        )
    elif not any(letter.isalpha() for letter in without_literals(quote)):
        yield Problem(
            place, f"{quote!r} holds literals alone, which say nothing.", "Quote words beside them."
        )


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
