"""Near-duplicate queries: how much two requests share once their literals are masked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from surface.argument import Rule
from surface.pointer import leaves
from surface.task import Task
from surface.validation.problem import Problem
from surface.validation.text import normal

GRAM: Final = 5
"""Length of the character n-grams."""
LIMIT: Final = 0.5
"""Queries whose Jaccard similarity reaches this are near-duplicates (design, surface)."""

_WITH_DIGIT: Final = re.compile(r"[a-z_@+][a-z0-9_@.+-]*[0-9][a-z0-9_-]*|[0-9][a-z0-9_:.,/-]*")
_MASK: Final = "#"
_SHORT: Final = 2


def masked(task: Task) -> str:
    """Return a task's query, normalised, with every literal replaced by one sign.

    Literals are the texts that rules name and all words with a digit.
    """
    text = normal(task.query)
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
    """Compare the queries of all pairs of tasks."""
    profiles = [(task.id, grams(masked(task))) for task in tasks]
    for (first, left), (second, right) in combinations(profiles, 2):
        shared = jaccard(left, right)
        if shared >= LIMIT:
            yield Problem(
                second,
                f"The query shares {shared:.2f} of its 5-grams with that of {first}, which must "
                f"be below {LIMIT}.",
                "Word one of the two differently.",
            )


def _is_long(literal: str) -> bool:
    # A shorter one would be cut out of the middle of words.
    return len(literal) > _SHORT


def _named(rule: Rule) -> list[Any]:
    return [rule.equals, rule.says, rule.contains, rule.one_of]
