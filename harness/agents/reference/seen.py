"""What observations showed: candidates from the values of successful answers."""

from __future__ import annotations

from collections.abc import Iterator

from harness.agents.reference.candidate import Candidate
from harness.agents.reference.evidence import Evidence, value_key
from harness.agents.reference.observation import Leaf
from harness.agents.reference.pattern import matches, tells_kind
from harness.agents.reference.quantity import convert, rounded
from harness.agents.reference.said import writable_number
from harness.agents.reference.toolview import ParameterView


def same_name(parameter: ParameterView, leaf: Leaf) -> bool:
    """Whether a field has the parameter's name, number of the noun apart."""
    return parameter.stem == leaf.stem


def shared(parameter: ParameterView, leaf: Leaf) -> float:
    """Return the share of the parameter's concepts that a field's name and its parent's hold."""
    wanted = parameter.topics
    return len(wanted & leaf.concepts) / len(wanted) if wanted else 0.0


def candidate(evidence: Evidence, position: int, value: object, grade: float) -> Candidate:
    """Return the candidate that an observed value makes."""
    leaf = evidence.leaves[position]
    grades = evidence.policy.grades
    key = value_key(leaf.value)
    is_latest = leaf.attempt == evidence.latest
    grade += grades.latest if is_latest else 0.0
    grade -= grades.observed_used if key in evidence.used else 0.0
    grade += grades.chosen * (2 * evidence.chosen(leaf) - 1)
    fresh = is_latest and key not in evidence.seen_before and key not in evidence.used
    return Candidate(value, grade, "observation", position, leaf.key, owner=leaf.owner, fresh=fresh)


def observed_identifiers(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Observed values that have the parameter's pattern; without a pattern, its name."""
    grades = evidence.policy.grades
    pattern = parameter.schema.get("pattern")
    by_pattern = isinstance(pattern, str) and parameter.base_type == "string"
    kind = int if parameter.base_type in {"integer", "number"} else str
    leaves = (
        [(position, evidence.leaves[position]) for position in evidence.matching(str(pattern))]
        if by_pattern
        else evidence.of_type(kind)
    )
    for position, leaf in leaves:
        same, share = same_name(parameter, leaf), shared(parameter, leaf)
        if by_pattern or same or share:
            grade = grades.same_name if same else grades.shared_concepts * share
            if by_pattern and not (same or share or tells_kind(str(pattern))):
                grade -= grades.unnamed
            yield candidate(evidence, position, leaf.value, grades.observed + grade)


def observed_numbers(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Observed numbers, converted to the parameter's unit.

    Between quantities of one dimension names need not agree; plain numbers need a shared name.
    """
    grades = evidence.policy.grades
    instead = grades.said_instead * says_quantity(parameter, evidence)
    for position, leaf in evidence.of_type(int, float):
        same, share = same_name(parameter, leaf), shared(parameter, leaf)
        observed = leaf.value
        if isinstance(observed, str):
            continue
        number: float | None = observed
        grade = grades.observed_field
        if parameter.unit and leaf.unit:
            number = convert(float(observed), leaf.unit, parameter.unit)
            grade = grades.observed - instead
        elif parameter.unit or leaf.unit:
            if not same:
                continue
        elif not same and not share:
            continue
        value = writable_number(number, parameter, evidence)
        if value is not None:
            grade += grades.same_field if same else grades.shared_field * share
            yield candidate(evidence, position, value, grade)


def says_quantity(parameter: ParameterView, evidence: Evidence) -> bool:
    """Whether the query states an unused quantity of the parameter's dimension, and no bound."""
    unit, query = parameter.unit, evidence.query
    return unit is not None and any(
        literal.kind in {"number", "count"}
        and literal.unit is not None
        and convert(float(literal.value), literal.unit, unit) is not None
        and query.cue(literal) not in {"min", "max"}
        and not was_sent(literal.value, literal.unit, unit, evidence)
        for literal in query.literals
    )


def was_sent(value: float, source: str, target: str, evidence: Evidence) -> bool:
    """Whether a quantity of the query was sent already, in the unit of a parameter."""
    number = convert(float(value), source, target)
    written = rounded(number, evidence.policy.significant_digits) if number is not None else None
    return written is not None and value_key(written) in evidence.used


def observed_fields(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Observed texts and switches of the parameter's form and name."""
    grades = evidence.policy.grades
    pattern = parameter.schema.get("pattern")
    formal = parameter.kind in {"date", "datetime", "time", "email"}
    wanted = bool if parameter.kind == "boolean" else str
    for position, leaf in evidence.of_type(wanted):
        value = leaf.value
        same, share = same_name(parameter, leaf), shared(parameter, leaf)
        if not (same or share or formal):
            continue
        if isinstance(value, str) and not has_form(value, parameter, pattern):
            continue
        grade = grades.observed_field + (grades.same_field if same else grades.shared_field * share)
        yield candidate(evidence, position, value, grade)


def has_form(value: str, parameter: ParameterView, pattern: object) -> bool:
    """Whether an observed text has the form that a parameter wants."""
    if isinstance(pattern, str):
        return matches(pattern, value)
    if parameter.kind == "email":
        return "@" in value
    if parameter.kind == "date":
        return matches(r"^\d{4}-\d{2}-\d{2}$", value)
    if parameter.kind == "datetime":
        return matches(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}", value)
    if parameter.kind == "time":
        return matches(r"^\d{2}:\d{2}", value)
    return True
