"""Which record of several the query speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from harness.agents.reference.glossary import load_glossary
from harness.agents.reference.observation import Record, Scalar
from harness.agents.reference.policy import Grades
from harness.agents.reference.quantity import convert
from harness.agents.reference.query import Query, mentions

_SHORTEST: Final = 2
_CLOSE: Final = 1e-6


def agreement(records: Sequence[Record], query: Query, grades: Grades) -> tuple[float, ...]:
    """Return how far each record of one array agrees with the query.

    Parameters
    ----------
    records
        The elements of one array, in order.
    query
        The query.
    grades
        How much each kind of agreement counts.

    Returns
    -------
    tuple of float
        One number for each record, unbounded; only differences within the array mean something.
    """
    scores = [0.0] * len(records)
    names = sorted({name for record in records for name in record.fields})
    for name in names:
        values = [record.fields.get(name) for record in records]
        if len({(type(value), value) for value in values}) == 1 and len(records) > 1:
            continue  # a field that is the same everywhere chooses nothing
        concepts = field_concepts(name)
        for index, value in enumerate(values):
            if value is not None:
                unit = records[index].units.get(name)
                scores[index] += _value(value, unit, concepts, query, grades)
        for direction in _rankings(query, concepts):
            best = _extreme(values, direction)
            for index, value in enumerate(values):
                if value is not None and value == best:
                    scores[index] += grades.record_superlative
    for place, index in (("first", 0), ("last", len(records) - 1)):
        if place in query.positions:
            scores[index] += grades.record_position
    return tuple(scores)


@lru_cache(maxsize=4096)
def field_concepts(name: str) -> frozenset[str]:
    """Return the concepts of a field's name."""
    return frozenset(load_glossary().english(name))


@lru_cache(maxsize=8192)
def value_concepts(value: str) -> frozenset[str]:
    """Return the concepts of an enum member or another short word of a schema's language."""
    return frozenset(load_glossary().english(value))


def _rankings(query: Query, concepts: frozenset[str]) -> list[str]:
    """Return the directions in which the query ranks a field of these concepts.

    A superlative that names no dimension (the highest) ranks fields that the query speaks of.
    """
    return [
        direction
        for direction, ranked in query.superlatives
        if concepts & (ranked or query.concepts)
    ]


def _extreme(values: Sequence[Scalar | None], direction: str) -> Scalar | None:
    """Return the largest or smallest of numbers or of ISO dates, or None if they do not compare."""
    present: list[Any] = [v for v in values if v is not None and not isinstance(v, bool)]
    texts = all(isinstance(value, str) and value[:4].isdigit() for value in present)
    numbers = all(isinstance(value, int | float) for value in present)
    if not present or not (texts or numbers):
        return None
    extreme: Scalar = max(present) if direction == "max" else min(present)
    return extreme


def _value(
    value: Scalar, unit: str | None, concepts: frozenset[str], query: Query, grades: Grades
) -> float:
    if isinstance(value, bool):
        return grades.record_flag if value and concepts & query.concepts else 0.0
    if isinstance(value, str):
        return _text(value, query, grades)
    return _number(value, unit, concepts, query, grades)


def _text(value: str, query: Query, grades: Grades) -> float:
    if len(value) >= _SHORTEST and mentions(query.plain, value):
        return grades.record_literal
    if any(literal.value == value for literal in query.literals):
        return grades.record_literal
    words = value_concepts(value)
    return grades.record_words if words and words <= query.concepts else 0.0


def _number(
    value: float, unit: str | None, concepts: frozenset[str], query: Query, grades: Grades
) -> float:
    score = 0.0
    for literal in query.literals:
        if literal.kind != "number":
            continue
        wanted: float | None = literal.value
        if unit and literal.unit:
            wanted = convert(float(literal.value), literal.unit, unit)
        elif literal.unit or not concepts & query.near(literal):
            continue
        if wanted is None:
            continue
        cue = query.cue(literal)
        if cue in {"min", "max"}:
            holds = value >= wanted if cue == "min" else value <= wanted
            score += grades.record_comparison if holds else -grades.record_comparison
        elif abs(value - wanted) <= _CLOSE * max(abs(value), abs(wanted), 1.0):
            score += grades.record_number
    return score
