"""What the query says: candidates from its literals and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from harness.agents.reference.candidate import Candidate
from harness.agents.reference.clause import says
from harness.agents.reference.evidence import Evidence, value_key
from harness.agents.reference.glossary import load_glossary
from harness.agents.reference.literal import LiteralValue
from harness.agents.reference.pattern import matches, tells_kind
from harness.agents.reference.pick import value_concepts
from harness.agents.reference.policy import Grades
from harness.agents.reference.quantity import convert, rounded
from harness.agents.reference.query import mentions
from harness.agents.reference.toolview import ParameterView

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*")
_TIME_AFTER: Final = 24
"""Characters between a date and its clock time."""
_NOTED: Final = 12
"""Observed values that running text passes on."""


def literal(
    parameter: ParameterView,
    evidence: Evidence,
    item: LiteralValue,
    value: Any,
    grade: float,
    near: float | None = None,
) -> Candidate:
    """Return the candidate that a literal of the query makes for a parameter."""
    grades, query = evidence.policy.grades, evidence.query
    unused = value_key(value) not in evidence.used
    # Told that the task is incomplete, the agent trusts less that earlier calls were right.
    doubt = max(0.0, 1 - grades.used_doubt * evidence.nudges)
    grade += grades.unused if unused else -grades.used * doubt
    cue = query.cue(item)
    if parameter.cue and cue:
        grade += grades.cue if parameter.cue == cue else -grades.cue
    if parameter.topics & query.near(item):
        grade += grades.near if near is None else near
    clause = query.clause_at(item.start)
    if query.clauses and query.clauses[clause].barred:
        grade -= grades.barred
    grade += _headed(parameter, query.head(item), grades)
    return Candidate(value, grade, "query", item.start, item.key, clause, unused)


def _headed(parameter: ParameterView, head: frozenset[str], grades: Grades) -> float:
    """Return what the noun before a literal says for or against a parameter."""
    if not head or not parameter.topics:
        return 0.0
    if head & parameter.topics:
        return grades.head_number if parameter.kind == "number" else grades.head
    pattern = parameter.schema.get("pattern")
    if parameter.kind == "identifier" and isinstance(pattern, str) and not tells_kind(pattern):
        return -grades.misnamed
    return 0.0


def matching_literals(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Parts of the query that have the parameter's pattern."""
    pattern, grades = parameter.schema.get("pattern"), evidence.policy.grades
    if isinstance(pattern, str):
        for item in evidence.query.matching(pattern):
            if parameter.kind == "identifier":
                yield literal(parameter, evidence, item, item.value, grades.pattern_match)
            elif not item.value.islower():  # a loose pattern matches ordinary words
                yield literal(parameter, evidence, item, item.value, grades.name)
    elif parameter.kind == "identifier":
        for match in _TOKEN.finditer(evidence.query.text):
            item = LiteralValue("name", match.group(), match.start(), match.end())
            value: Any = item.value
            if parameter.base_type == "integer":
                if not item.value.isascii() or not item.value.isdigit() or len(item.value) > 15:
                    continue
                value = int(item.value)
            near = parameter.topics & evidence.query.near(item)
            if near:
                yield literal(parameter, evidence, item, value, grades.digits_only_name)


def number_literals(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Numbers of the query, converted to the parameter's unit."""
    grades = evidence.policy.grades
    for item in evidence.query.literals:
        if item.kind not in {"number", "count"} or item.looks_like_identifier:
            continue
        number: float | None = item.value
        if parameter.unit and item.unit:
            number = convert(float(item.value), item.unit, parameter.unit)
            grade, near = grades.quantity, grades.near
        elif item.unit and item.unit != "percent":
            continue  # a quantity is no plain number
        elif parameter.unit:
            grade, near = grades.bare_quantity, grades.number_near
        else:
            grade = grades.number if item.kind == "number" else grades.count
            near = grades.number_near
        value = writable_number(number, parameter, evidence)
        if value is not None:
            yield literal(parameter, evidence, item, value, grade, near)


def writable_number(
    number: float | None, parameter: ParameterView, evidence: Evidence
) -> float | int | None:
    """Return a number as the parameter's type takes it."""
    if number is None:
        return None
    value = rounded(number, evidence.policy.significant_digits)
    if value is not None and parameter.base_type == "integer":
        return round(value)
    return value


def dates(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Dates of the query."""
    for item in evidence.query.literals:
        if item.kind == "date":
            yield literal(parameter, evidence, item, item.value, evidence.policy.grades.date)


def instants(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Dates of the query with the clock time after them, in UTC."""
    grades = evidence.policy.grades
    literals = evidence.query.literals
    for item in literals:
        if item.kind != "date":
            continue
        time = next(
            (
                other
                for other in literals
                if other.kind == "time" and 0 <= other.start - item.end <= _TIME_AFTER
            ),
            None,
        )
        clock = time.value if time else "00:00:00"
        grade = grades.date if time else grades.date_as_instant
        yield literal(parameter, evidence, item, f"{item.value}T{clock}Z", grade)


def times(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Clock times of the query, with seconds if the parameter's pattern wants them."""
    pattern = parameter.schema.get("pattern")
    for item in evidence.query.literals:
        if item.kind == "time":
            short = item.value[:5]
            fits = isinstance(pattern, str) and matches(pattern, short)
            value = short if fits else item.value
            yield literal(parameter, evidence, item, value, evidence.policy.grades.date)


def emails(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """E-mail addresses of the query."""
    for item in evidence.query.literals:
        if item.kind == "email":
            yield literal(parameter, evidence, item, item.value, evidence.policy.grades.email)


def quoted(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Quoted texts of the query."""
    for item in evidence.query.literals:
        if item.kind == "quoted":
            yield literal(parameter, evidence, item, item.value, evidence.policy.grades.quoted)


def months(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Months of the query, where a parameter's pattern takes them."""
    if isinstance(parameter.schema.get("pattern"), str):
        for item in evidence.query.literals:
            if item.kind == "month":
                yield literal(parameter, evidence, item, item.value, evidence.policy.grades.date)


def member_grade(member: object, parameter: ParameterView, evidence: Evidence) -> float:
    """Return how clearly the query says a member of an enum; 0 if it does not."""
    grades, query = evidence.policy.grades, evidence.query
    if not isinstance(member, str):
        return 0.0
    if mentions(query.plain, member):
        return grades.member_said
    for codes in load_glossary().tables["values"].values():
        if member in codes and says(query.plain, codes[member]):
            return grades.named_value
    words = value_concepts(member)
    if words and words <= query.concepts:
        # A member that only repeats what the parameter is about says little.
        return grades.member_words if words - parameter.about else grades.member_part
    return grades.member_part * len(words & query.concepts) / len(words) if words else 0.0


def member_clause(member: object, evidence: Evidence) -> int:
    """Return the first clause that says a member's words; -1 if none does."""
    words = value_concepts(member) if isinstance(member, str) else frozenset[str]()
    clauses = enumerate(evidence.query.clauses)
    return next((i for i, clause in clauses if words and words <= clause.concepts), -1)


def flags(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """True for a switch that the query speaks of."""
    if parameter.concepts & evidence.query.concepts:
        yield Candidate(True, evidence.policy.grades.flag, "query")


def search_words(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """The request itself, as words to search for."""
    yield Candidate(evidence.query.text, evidence.policy.grades.request_words, "query")


def request_words(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """The request itself, followed by what was last observed, for running text."""
    text = evidence.memo.get("request")
    if text is None:
        latest = [leaf for leaf in evidence.leaves if leaf.attempt == evidence.latest]
        latest.sort(key=lambda leaf: -evidence.chosen(leaf))
        notes = "; ".join(f"{leaf.name}: {leaf.value}" for leaf in latest[:_NOTED])
        text = f"{evidence.query.text}\n{notes}" if notes else evidence.query.text
        evidence.memo["request"] = text
    longest = parameter.schema.get("maxLength")
    if isinstance(longest, int) and 0 <= longest < len(text):
        text = text[:longest]
    yield Candidate(text, evidence.policy.grades.request_words, "query")
