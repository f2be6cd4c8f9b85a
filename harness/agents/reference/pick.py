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
_AMOUNTS: Final = frozenset({"volume", "weight", "quantity", "amount", "length", "stock"})
"""What "most" and "smallest" measure when nothing else is named."""


def agreement(
    records: Sequence[Record],
    query: Query,
    grades: Grades,
    focus: int | None = None,
    linked: frozenset[str] = frozenset(),
) -> tuple[float, ...]:
    """Return how far each record of one array agrees with the query.

    What states a property sifts first; a superlative ranks what is left ("the smaller of the two
    files with that title").

    Parameters
    ----------
    records
        The elements of one array, in order.
    query
        The query.
    grades
        How much each kind of agreement counts.
    focus
        The clause that the call would answer; what it says counts in full, the rest in part.
    linked
        Identifiers that earlier answers named outside lists.

    Returns
    -------
    tuple of float
        One number for each record, unbounded; only differences within the array mean something.
    """
    scores = [0.0] * len(records)
    part = query.parts[focus] if focus is not None and focus < len(query.parts) else None
    fields = _varying(records)
    for name in fields:
        concepts = field_concepts(name)
        for index, record in enumerate(records):
            value = record.fields.get(name)
            if value is None:
                continue
            unit = record.units.get(name)
            said = _value(value, unit, concepts, query, grades)
            if part is not None:
                said = grades.record_elsewhere * said + _value(value, unit, concepts, part, grades)
            if isinstance(value, str) and value in linked:
                said += grades.record_linked
            scores[index] += said
    asked = [part] if part is not None and part.superlatives else query.parts
    if scores:
        sifted = [n for n, score in enumerate(scores) if score >= max(scores) - grades.record_sift]
        for index in _extremes(records, sifted, fields, asked):
            scores[index] += grades.record_superlative
        for place, index in (("first", sifted[0]), ("last", sifted[-1])):
            if place in query.positions:
                scores[index] += grades.record_position
    return tuple(scores)


def _varying(records: Sequence[Record]) -> list[str]:
    """Return the fields that choose: a field that is the same everywhere chooses nothing."""
    names = sorted({name for record in records for name in record.fields})
    if len(records) <= 1:
        return names
    return [
        name
        for name in names
        if len({(type(record.fields.get(name)), record.fields.get(name)) for record in records}) > 1
    ]


def _extremes(
    records: Sequence[Record], sifted: Sequence[int], fields: Sequence[str], asked: Sequence[Query]
) -> list[int]:
    """Return the positions of the records that the superlatives of some clauses pick."""
    found = []
    for query in asked:
        for direction, ranked in query.superlatives:
            for name in _ranked_fields(records, fields, ranked, query):
                values = [records[index].fields.get(name) for index in sifted]
                best = _extreme(values, direction)
                found += [
                    index
                    for index, value in zip(sifted, values, strict=True)
                    if value is not None and value == best
                ]
    return found


def _ranked_fields(
    records: Sequence[Record], fields: Sequence[str], ranked: frozenset[str], query: Query
) -> list[str]:
    """Return the fields that a superlative of a clause ranks.

    One that names no dimension (the highest) ranks fields that its clause speaks of; failing
    these, the only field of numbers, or those that tell how much there is.
    """
    if ranked:
        return [name for name in fields if field_concepts(name) & ranked]
    numbers = [
        name
        for name in fields
        if all(type(record.fields.get(name)) in {int, float} for record in records)
    ]
    named = [name for name in numbers if field_concepts(name) & query.concepts]
    if named or len(numbers) == 1:
        return named or numbers
    return [name for name in numbers if field_concepts(name) & _AMOUNTS]


@lru_cache(maxsize=4096)
def field_concepts(name: str) -> frozenset[str]:
    """Return the concepts of a field's name."""
    return frozenset(load_glossary().english(name))


@lru_cache(maxsize=8192)
def value_concepts(value: str) -> frozenset[str]:
    """Return the concepts of an enum member or another short word of a schema's language."""
    return frozenset(load_glossary().english(value))


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
    if words and words <= query.concepts:
        # A verb of the query is what is to be done rather than the state of a record.
        kind = load_glossary().kind
        weak = all(kind(word) == "verb" for word in words)
        return grades.record_verb if weak else grades.record_words
    # A title of which the query says some words, "the one about the cracked lantern".
    said = len(words & query.concepts) / len(words) if words else 0.0
    return grades.record_some_words * said


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
        elif literal.unit or not (concepts & query.near(literal) or literal.looks_exact):
            continue
        if wanted is None:
            continue
        cue = query.cue(literal)
        if cue == "to":
            continue  # a goal ("set it to 19 °C"), no property
        if cue in {"min", "max"}:
            holds = value >= wanted if cue == "min" else value <= wanted
            score += grades.record_comparison if holds else -grades.record_comparison
        elif abs(value - wanted) <= _CLOSE * max(abs(value), abs(wanted), 1.0):
            score += grades.record_number
    return score
