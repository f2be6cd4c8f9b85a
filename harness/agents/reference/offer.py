"""All candidates of a parameter, from query, observations and schema together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from harness.agents.reference import named, said, seen
from harness.agents.reference.candidate import Candidate, best
from harness.agents.reference.evidence import Evidence, value_key
from harness.agents.reference.observation import is_writable
from harness.agents.reference.pattern import admits
from harness.agents.reference.toolview import ParameterKind, ParameterView

_Find = Callable[[ParameterView, Evidence], Iterator[Candidate]]


def candidates(parameter: ParameterView, evidence: Evidence) -> tuple[Candidate, ...]:
    """Return the values that a parameter could take, the best first."""
    known: tuple[Candidate, ...] | None = evidence.memo.get(parameter.signature)
    if known is None:
        finders = _FINDERS.get(parameter.kind, ())
        known = best(
            item
            for find in finders
            for item in find(parameter, evidence)
            if admits(parameter.schema, item.value)
        )
        evidence.memo[parameter.signature] = known
    return known


def ranked_for(
    parameter: ParameterView,
    evidence: Evidence,
    clause: int,
    preferred: frozenset[str] = frozenset(),
    *,
    careful: bool = False,
) -> list[Candidate]:
    """Return the candidates of a parameter for a call that answers a clause, the best first.

    Values of the clause at hand, of its records and of a call to restore (`preferred`) gain; where
    a call destroys (`careful`), so do identifiers that the query names.
    """
    policy = evidence.policy
    known = candidates(parameter, evidence)
    here = any(item.source == "query" and item.clause == clause for item in known)
    elsewhere = policy.rival_clause if here else policy.other_clause
    lifted = []
    for item in known:
        bonus = 0.0
        if item.source == "query" and item.clause >= 0:
            if item.clause == clause:
                bonus += policy.same_clause
            elif parameter.kind == "number":
                bonus -= elsewhere
            if careful and parameter.kind == "identifier":
                bonus += policy.destructive_named
        if item.owner:
            leaf = evidence.leaves[item.order]
            focused, overall = evidence.chosen(leaf, clause), evidence.chosen(leaf)
            bonus += 2 * policy.grades.chosen * (focused - overall)
        if preferred and not isinstance(item.value, list):
            bonus += policy.restored_value * (value_key(item.value) in preferred)
        lifted.append(replace(item, evidence=item.evidence + bonus) if bonus else item)
    return sorted(lifted, key=lambda item: -item.evidence)


def _list(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Lists: all unused values of the query, else the latest records that fit the query best."""
    single = [one for one in candidates(parameter.item, evidence) if one.source != "schema"]
    said_ones = [one for one in single if one.source == "query"]
    unused = [one for one in said_ones if one.unused] or said_ones
    if unused:
        yield _joined(unused)
    seen_ones = [one for one in single if one.source == "observation"]
    latest = [one for one in seen_ones if one.fresh] or seen_ones
    if latest:
        alike = evidence.policy.grades.records_alike
        fits = [one for one in latest if one.evidence >= latest[0].evidence - alike]
        yield _joined(fits)
        if len(fits) < len(latest):
            every = _joined(latest)
            yield replace(every, evidence=every.evidence - alike)


def _joined(items: list[Candidate]) -> Candidate:
    ordered = sorted(items, key=lambda item: item.order)
    return replace(
        items[0],
        value=[item.value for item in ordered],
        unused=any(item.unused for item in items),
        fresh=any(item.fresh for item in items),
    )


def _members(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Members of an enum: said, observed, the default, the only one, the first."""
    grades = evidence.policy.grades
    if "const" in parameter.schema:
        if is_writable(parameter.schema["const"]):
            yield Candidate(parameter.schema["const"], grades.only_member, "schema")
        return
    members = [member for member in parameter.schema["enum"] if is_writable(member)]
    for order, member in enumerate(members):
        grade = said.member_grade(member, parameter, evidence)
        if grade:
            clause = said.member_clause(member, evidence)
            yield Candidate(member, grade, "query", order, clause=clause)
    for position, leaf in enumerate(evidence.leaves):
        if leaf.value in members and seen.same_name(parameter, leaf):
            yield seen.candidate(evidence, position, leaf.value, grades.member_observed)
    if members:
        grade = grades.only_member if len(members) == 1 else grades.first_member
        yield Candidate(members[0], grade, "schema")
    yield from _default(parameter, evidence)


def _default(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    default = parameter.schema.get("default")
    if default is not None and is_writable(default):
        yield Candidate(default, evidence.policy.grades.default, "schema")


def _guessed_flag(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    yield Candidate(True, evidence.policy.grades.flag_guess, "schema")


_FINDERS: Final[Mapping[ParameterKind, tuple[_Find, ...]]] = {
    "array": (_list,),
    "boolean": (said.flags, seen.observed_fields, _default, _guessed_flag),
    "date": (said.dates, seen.observed_fields),
    "datetime": (said.instants, seen.observed_fields),
    "email": (said.emails, seen.observed_fields),
    "enum": (_members,),
    "identifier": (said.matching_literals, said.months, seen.observed_identifiers),
    "number": (said.number_literals, seen.observed_numbers, _default),
    "prose": (said.quoted, seen.observed_fields, said.request_words),
    "search": (said.quoted, said.search_words),
    "text": (
        said.quoted, named.named_values, said.matching_literals, seen.observed_fields, named.names,
        named.places,
    ),
    "time": (said.times, seen.observed_fields),
}  # fmt: skip
