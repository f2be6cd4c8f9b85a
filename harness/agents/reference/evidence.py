"""Evidence: everything that arguments may be taken from, and what was already used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from harness.agents.reference.conversation import Attempt, Conversation
from harness.agents.reference.observation import Leaf, Record, Scalar, walk
from harness.agents.reference.pattern import compiled
from harness.agents.reference.pick import agreement
from harness.agents.reference.policy import Grades, Policy
from harness.agents.reference.query import Query, read_query

_NEUTRAL: Final = 0.5
"""Fit of a record that has no rival."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What one turn can draw on."""

    policy: Policy
    query: Query
    conversation: Conversation
    leaves: tuple[Leaf, ...]
    latest: int
    """Position of the last successful attempt; -1 if there is none."""
    used: frozenset[str]
    """Values sent by successful calls, as :func:`value_key` writes them."""
    seen_before: frozenset[str]
    """Values in the query or in observations before the latest one."""
    choice: Mapping[str, float]
    """For each array element (``array#index``) of an observation, how well it fits: 0 to 1."""
    memo: dict[str, Any] = field(default_factory=dict)
    """Derived values of this turn: candidates by parameter, leaves by pattern."""

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """The attempts so far."""
        return self.conversation.attempts

    @property
    def nudges(self) -> int:
        """How often the agent was told that the task is incomplete."""
        return self.conversation.nudges

    def matching(self, pattern: str) -> tuple[int, ...]:
        """Return the positions of the leaves that are texts of a pattern."""
        found: tuple[int, ...] | None = self.memo.get(f"pattern {pattern}")
        if found is None:
            expression = compiled(pattern)
            search = expression.search if expression is not None else None
            found = tuple(
                position
                for position, leaf in self.of_type(str)
                if search is not None and search(str(leaf.value))
            )
            self.memo[f"pattern {pattern}"] = found
        return found

    def of_type(self, *types: type) -> list[tuple[int, Leaf]]:
        """Return the leaves whose values have exactly one of these types, with positions."""
        found = []
        for kind in types:
            if kind.__name__ not in self.memo:
                self.memo[kind.__name__] = [
                    (position, leaf)
                    for position, leaf in enumerate(self.leaves)
                    if type(leaf.value) is kind
                ]
            found += self.memo[kind.__name__]
        return sorted(found, key=itemgetter(0)) if len(types) > 1 else found

    def chosen(self, leaf: Leaf) -> float:
        """Return how well the records around a leaf fit the query: 0 to 1, a half if alone."""
        places = [self.choice[record_key(leaf.attempt, record)] for record in leaf.records]
        return sum(places) / len(places) if places else _NEUTRAL


def value_key(value: object) -> str:
    """Write a scalar so that equal values of one type are equal, 1 and 1.0 included."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{type(value).__name__}:{value}"


def record_key(attempt: int, record: Record) -> str:
    """Return what stands for an array element in :attr:`Evidence.choice`."""
    return f"{attempt}|{record.array}#{record.index}"


def gather(conversation: Conversation, policy: Policy) -> Evidence:
    """Collect the evidence of a conversation."""
    query = read_query(conversation.query)
    leaves: list[Leaf] = []
    choice: dict[str, float] = {}
    latest = -1
    used: set[str] = set()
    for position, attempt in enumerate(conversation.attempts):
        if attempt.succeeded:
            latest = position
            leaves.extend(walk(position, attempt.content))
            choice |= _choices(position, attempt.content, query.text, policy.grades)
            used.update(value_key(value) for value in scalars(attempt.arguments))
    return Evidence(
        policy=policy,
        query=query,
        conversation=conversation,
        leaves=tuple(leaves),
        latest=latest,
        used=frozenset(used),
        seen_before=frozenset(value_key(leaf.value) for leaf in leaves if leaf.attempt < latest),
        choice=choice,
    )


def scalars(arguments: Mapping[str, Any]) -> list[Scalar]:
    """Return the scalars among arguments, those in arrays and objects too."""
    found: list[Scalar] = []
    open_nodes: list[Any] = [arguments]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, Mapping):
            open_nodes.extend(node.values())
        elif isinstance(node, list):
            open_nodes.extend(node)
        elif isinstance(node, str | int | float):
            found.append(node)
    return found


@lru_cache(maxsize=256)
def _choices(position: int, content: str, text: str, grades: Grades) -> Mapping[str, float]:
    """Return the fit of the records of one answer to a query; kept by their content."""
    arrays: dict[str, dict[int, Record]] = {}
    for leaf in walk(position, content):
        for record in leaf.records:
            arrays.setdefault(record.array, {})[record.index] = record
    choice: dict[str, float] = {}
    for _, by_index in sorted(arrays.items()):
        records = [by_index[index] for index in sorted(by_index)]
        scores = agreement(records, read_query(text), grades)
        low, high = min(scores), max(scores)
        for record, score in zip(records, scores, strict=True):
            share = (score - low) / (high - low) if high > low else _NEUTRAL
            choice[record_key(position, record)] = share
    return choice
