"""Near-duplicates: how much two requests share once their literals are masked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from surface.argument import Rule
from surface.pointer import leaves
from surface.task import Task
from surface.validation.chain import chain_of
from surface.validation.problem import Problem
from surface.validation.text import normal

GRAM: Final = 5
"""Length of the character n-grams."""
LIMIT: Final = 0.5
"""Queries whose Jaccard similarity reaches this are near-duplicates (design, surface)."""

TOPIC_LIMIT: Final = 0.2
"""Glosses of tasks with different topics stay below it; the highest between two of dev is 0.15."""

_WITH_DIGIT: Final = re.compile(r"[a-z_@+][a-z0-9_@.+-]*[0-9][a-z0-9_-]*|[0-9][a-z0-9_:.,/-]*")
_MASK: Final = "#"
_SHORT: Final = 2


def masked(task: Task, text: str | None = None) -> str:
    """Return a task's query, normalised, with every literal replaced by one sign.

    Parameters
    ----------
    task
        The task. Literals are the texts that its rules name and all words with a digit.
    text
        Another text of the task in place of its query.
    """
    text = normal(task.query if text is None else text)
    literals = {
        normal(item)
        for step in task.steps
        for rule in step.arguments.values()
        for item in leaves(_named(rule))
        if isinstance(item, str)
    }
    for literal in sorted(filter(_is_long, literals), key=lambda item: (-len(item), item)):
        text = text.replace(literal, _MASK)
    return _WITH_DIGIT.sub(_MASK, text)


def grams(text: str) -> frozenset[str]:
    """Return the character 5-grams of a text; the text itself where it is shorter."""
    return frozenset(text[start : start + GRAM] for start in range(max(1, len(text) - GRAM + 1)))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of common members among all members of two sets."""
    return len(left & right) / len(left | right)


def check_similarity(tasks: Sequence[Task]) -> Iterator[Problem]:
    """Compare queries, and what they say in English, between all pairs of tasks.

    Queries in different languages share no letters, so it takes the glosses to find a translation.
    Tasks of different splits with the same chain of routes may not share the topic either.
    """
    profiles = [(task, grams(masked(task)), grams(masked(task, task.gloss))) for task in tasks]
    for (first, left, meant), (second, right, said) in combinations(profiles, 2):
        query, gloss = jaccard(left, right), jaccard(meant, said)
        if query >= LIMIT:
            yield _alike(first, second, "query", query, LIMIT)
        elif gloss >= LIMIT:
            yield _alike(first, second, "gloss", gloss, LIMIT)
        elif (
            first.split != second.split
            and chain_of(first) == chain_of(second)
            and gloss >= TOPIC_LIMIT
        ):
            yield _alike(first, second, "gloss", gloss, TOPIC_LIMIT)


def _alike(first: Task, second: Task, text: str, shared: float, limit: float) -> Problem:
    chain = " and its chain" if limit == TOPIC_LIMIT else ""
    remedy = "Give one of the two other steps." if chain else "Word one of the two differently."
    if text == "gloss" and not chain:
        remedy = "Let one of the two ask for something else."
    return Problem(
        f"{second.id}: {text}" if text == "gloss" else second.id,
        f"The {text} shares {shared:.2f} of its 5-grams{chain} with that of {first.id}, which must "
        f"be below {limit}.",
        remedy,
    )


def _is_long(literal: str) -> bool:
    # A shorter one would be cut out of the middle of words.
    return len(literal) > _SHORT


def _named(rule: Rule) -> list[Any]:
    return [rule.equals, rule.says, rule.contains, rule.one_of]
