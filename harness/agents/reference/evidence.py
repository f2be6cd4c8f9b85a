"""Evidence: everything that arguments may be taken from, and what was already used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, Final

from harness.agents.reference.conversation import Attempt, Conversation
from harness.agents.reference.observation import Leaf, Record, Scalar, walk
from harness.agents.reference.pattern import compiled
from harness.agents.reference.pick import agreement
from harness.agents.reference.policy import Grades, Policy
from harness.agents.reference.query import Query, read_query

_SHORTEST_REFERENCE: Final = 4
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
    foreign: frozenset[int]
    """Positions of attempts whose answers speak of something else than what was asked."""
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

    def chosen(self, leaf: Leaf, focus: int = -1) -> float:
        """Return how well the records around a leaf fit the query: 0 to 1, a half if alone.

        With a clause in focus, what that clause says counts most.
        """
        if not leaf.records:
            return _NEUTRAL
        name = f"choice {leaf.attempt} {focus}"
        choice: Mapping[str, float] | None = self.memo.get(name)
        if choice is None:
            choice = self.memo[name] = _choices(
                leaf.attempt,
                self.attempts[leaf.attempt].content,
                self.query.text,
                self.policy.grades,
                focus,
                self.linked(leaf.attempt),
            )
        places = [choice[record_key(leaf.attempt, record)] for record in leaf.records]
        return sum(places) / len(places)

    def linked(self, attempt: int) -> frozenset[str]:
        """Return the identifiers that answers before an attempt named outside lists."""
        return frozenset(
            str(leaf.value)
            for leaf in self.leaves
            if leaf.attempt < attempt and not leaf.records and is_reference(leaf.value)
        )

    @cached_property
    def owners(self) -> Mapping[str, frozenset[str]]:
        """The observed objects that hold a value, by :func:`value_key`."""
        found: dict[str, set[str]] = {}
        for leaf in self.leaves:
            if is_reference(leaf.value):
                found.setdefault(value_key(leaf.value), set()).add(leaf.owner)
        for position, attempt in enumerate(self.attempts):
            # What a call was made for, its answer is about.
            if attempt.succeeded and position not in self.foreign:
                for value in scalars(attempt.arguments):
                    found.setdefault(value_key(value), set()).add(f"{position}|")
        return {key: frozenset(value) for key, value in found.items()}


def is_reference(value: object) -> bool:
    """Whether a value has the look of an identifier: a text with a digit and no space."""
    return (
        isinstance(value, str)
        and len(value) >= _SHORTEST_REFERENCE
        and not any(character.isspace() for character in value)
        and any(character.isdigit() for character in value)
    )


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
    latest = -1
    used: set[str] = set()
    foreign: set[int] = set()
    for position, attempt in enumerate(conversation.attempts):
        if not attempt.succeeded:
            continue
        answer = walk(position, attempt.content)
        if answers_for_another(attempt, answer):
            foreign.add(position)
            continue
        latest = position
        leaves.extend(answer)
        used.update(value_key(value) for value in scalars(attempt.arguments))
    return Evidence(
        policy=policy,
        query=query,
        conversation=conversation,
        leaves=tuple(leaves),
        latest=latest,
        used=frozenset(used),
        seen_before=frozenset(value_key(leaf.value) for leaf in leaves if leaf.attempt < latest),
        foreign=frozenset(foreign),
    )


def answers_for_another(attempt: Attempt, answer: tuple[Leaf, ...]) -> bool:
    """Whether an answer speaks of something else than the call asked for.

    So it does when it has a field of an identifier's name, and nowhere the identifier sent.
    """
    for name, sent in attempt.arguments.items():
        if not (name.endswith("_id") and is_reference(sent)):
            continue
        named = [leaf.value for leaf in answer if leaf.name == name]
        if named and sent not in named:
            return True
    return False


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


@lru_cache(maxsize=1024)
def _choices(
    position: int,
    content: str,
    text: str,
    grades: Grades,
    focus: int,
    linked: frozenset[str],
) -> Mapping[str, float]:
    """Return the fit of the records of one answer to a query; kept by their content."""
    arrays: dict[str, dict[int, Record]] = {}
    for leaf in walk(position, content):
        for record in leaf.records:
            arrays.setdefault(record.array, {})[record.index] = record
    choice: dict[str, float] = {}
    for _, by_index in sorted(arrays.items()):
        records = [by_index[index] for index in sorted(by_index)]
        clause = focus if focus >= 0 else None
        scores = agreement(records, read_query(text), grades, clause, linked)
        low, high = min(scores), max(scores)
        for record, score in zip(records, scores, strict=True):
            share = (score - low) / (high - low) if high > low else _NEUTRAL
            choice[record_key(position, record)] = share
    return choice
