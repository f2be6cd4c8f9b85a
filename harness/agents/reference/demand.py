"""Demand: what the query asks for, clause by clause, and what is still open of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from harness.agents.reference.conversation import Attempt
from harness.agents.reference.evidence import Evidence, is_reference, scalars
from harness.agents.reference.glossary import Kind, load_glossary
from harness.agents.reference.policy import Policy
from harness.agents.reference.toolset import Toolset
from harness.agents.reference.toolview import ToolView, operation_of, provider_of


@dataclass(frozen=True, eq=False)
class Demand:
    """Residual demand of each clause."""

    weights: tuple[Mapping[str, float], ...]
    """For each clause the weight of each concept that some visible tool or the glossary knows."""
    residual: tuple[Mapping[str, float], ...]
    """For each clause the part of each concept that is still open: 0 to 1."""
    peak: Mapping[str, float]
    """For each concept the largest part that some clause leaves open; for a noun 1.

    What was asked for can be done, but what it was asked for stays the object of what follows
    ("look it up and cancel it").
    """
    order: tuple[tuple[bool, int], ...]
    """For each clause what sorts it: those that say "first" or "before that", then as written."""
    threshold: float
    """Least open share of a clause that waits for a call."""

    def share(self, clause: int) -> float:
        """Return the share of a clause's weight that is open."""
        weights, residual = self.weights[clause], self.residual[clause]
        total = sum(weights.values())
        if not total:
            return 0.0
        return sum(weight * residual[concept] for concept, weight in weights.items()) / total

    @property
    def open_share(self) -> float:
        """The share of the whole query's weight that is open."""
        total = sum(sum(weights.values()) for weights in self.weights)
        left = sum(
            weight * residual[concept]
            for weights, residual in zip(self.weights, self.residual, strict=True)
            for concept, weight in weights.items()
        )
        return left / total if total else 0.0

    @property
    def ahead(self) -> tuple[int, ...]:
        """For each clause how many open clauses come before it."""
        waiting = [self.share(clause) > self.threshold for clause in range(len(self.weights))]
        return tuple(
            sum(is_open and other < own for is_open, other in zip(waiting, self.order, strict=True))
            for own in self.order
        )


def concept_weight(concept: str, evidence: Evidence, toolset: Toolset) -> float:
    """Return how much a concept of the query counts: by its kind and its rarity among the tools.

    A word that neither the glossary nor a visible tool knows asks for nothing.
    """
    policy = evidence.policy
    kind: Kind = load_glossary().kind(concept)
    if kind == "word" and concept not in toolset.frequency:
        return 0.0
    by_kind: Mapping[Kind, float] = {
        "verb": policy.verb_weight,
        "noun": policy.noun_weight,
        "state": policy.state_weight,
        "word": policy.word_weight,
    }
    return by_kind[kind] * toolset.rarity(concept)


def measure(evidence: Evidence, toolset: Toolset) -> Demand:
    """Credit the successful calls to clauses and return what is left open."""
    policy = evidence.policy
    weights = tuple(
        {
            concept: weight
            for concept in sorted(clause.concepts)
            if not clause.barred and (weight := concept_weight(concept, evidence, toolset))
        }
        for clause in evidence.query.clauses
    )
    residual = [dict.fromkeys(clause, 1.0) for clause in weights]
    for position, attempt in enumerate(evidence.attempts):
        if not attempt.succeeded or not weights or position in evidence.foreign:
            continue
        known, operation = _speaks_of(attempt.name, toolset.by_name.get(attempt.name))
        fits = [
            _fit(known, operation, weights[i], residual[i], policy) for i in range(len(weights))
        ]
        for clause, share in _literals_in(attempt, evidence).items():
            fits[clause] += policy.credit_literal * share
        fit = max(fits)
        if fit <= 0.0:
            continue
        clause = fits.index(fit)
        for concept in weights[clause]:
            if concept in known:
                residual[clause][concept] = min(residual[clause][concept], policy.covered_residual)
            else:
                residual[clause][concept] *= 1 - policy.fit_discount * min(fit, 1.0)
    floor = min(policy.nudge_floor * evidence.nudges, 1.0)
    lifted = tuple({key: max(value, floor) for key, value in part.items()} for part in residual)
    peak: dict[str, float] = {}
    for part in lifted:
        for concept, value in part.items():
            lasting = load_glossary().kind(concept) == "noun"
            peak[concept] = max(1.0 if lasting else value, peak.get(concept, 0.0))
    order = tuple((not clause.first, i) for i, clause in enumerate(evidence.query.clauses))
    return Demand(weights, lifted, peak, order, policy.open_clause)


def _literals_in(attempt: Attempt, evidence: Evidence) -> Mapping[int, float]:
    """Return for clauses the share that they hold of the arguments that the query states."""
    query = evidence.query
    places: Counter[int] = Counter()
    for value in scalars(attempt.arguments):
        if is_reference(value):
            place = query.text.find(str(value))
            if place >= 0:
                places[query.clause_at(place)] += 1
        elif isinstance(value, int | float) and not isinstance(value, bool):
            places.update(
                {
                    query.clause_at(literal.start)
                    for literal in query.literals
                    if literal.kind in {"number", "count"} and literal.value == value
                }
            )
    total = sum(places.values())
    return {clause: number / total for clause, number in places.items() if query.clauses}


def _speaks_of(name: str, view: ToolView | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return all concepts and the operation's concepts of a tool; by its name if it is gone."""
    if view is not None:
        return view.concepts, view.operation
    operation = frozenset(load_glossary().english(operation_of(name)))
    return operation | frozenset(load_glossary().english(provider_of(name))), operation


def _fit(
    known: frozenset[str],
    operation: frozenset[str],
    weights: Mapping[str, float],
    residual: Mapping[str, float],
    policy: Policy,
) -> float:
    """Return how well a call fits a clause: explained share and explained operation, halved."""
    total = sum(weights.values())
    if not total or not operation:
        return 0.0
    explained = sum(w * residual[concept] for concept, w in weights.items() if concept in known)
    named = math.fsum(residual.get(concept, 0.0) for concept in operation)
    return policy.explained_share * explained / total + policy.operation_share * named / len(
        operation
    )
