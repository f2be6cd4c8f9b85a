"""Relevance: how much the query speaks of each visible tool (policy, section 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice

from harness.agents.reference.demand import Demand
from harness.agents.reference.evidence import Evidence
from harness.agents.reference.filling import Call
from harness.agents.reference.toolset import Toolset


@dataclass(frozen=True, eq=False)
class Situation:
    """Everything that selection looks at in one turn."""

    evidence: Evidence
    toolset: Toolset
    demand: Demand
    excluded: frozenset[Call]
    """Calls that are never made again."""
    dropped: frozenset[str]
    """Tools that failed for good."""


def relevances(situation: Situation) -> dict[str, tuple[float, int]]:
    """Return how relevant the most relevant tools are, and the clause that each would answer.

    The shortlist is made by the words that tools and query share; operations decide within it.
    """
    known: dict[str, tuple[float, int]] | None = situation.evidence.memo.get("relevances")
    if known is None:
        known = situation.evidence.memo["relevances"] = _relevances(situation)
    return known


def _relevances(situation: Situation) -> dict[str, tuple[float, int]]:
    demand, toolset, policy = situation.demand, situation.toolset, situation.evidence.policy
    opened = [
        {concept: weight * residual[concept] for concept, weight in weights.items()}
        for weights, residual in zip(demand.weights, demand.residual, strict=True)
    ]
    overall = _overall(opened, toolset)
    totals = [sum(weights.values()) for weights in demand.weights]
    whole = sum(totals) or 1.0
    decay = [policy.clause_decay**ahead for ahead in demand.ahead]
    if not had_failure(situation):
        for index, clause in enumerate(situation.evidence.query.clauses):
            decay[index] *= policy.conditional if clause.conditional else 1.0
    named = _named(situation)
    found = {}
    for position in _shortlist(overall, toolset, policy.shortlist):
        view, places = toolset.views[position], toolset.places[position]
        mass = toolset.masses[position]
        best, at = 0.0, 0
        for index, total in enumerate(totals):
            if not total:
                continue
            explained = math.fsum(
                weight * places[concept]
                for concept, weight in opened[index].items()
                if concept in places
            )
            fit = policy.explained_share * explained / total
            if mass:
                fit += policy.operation_share * _said(position, index, situation) / mass
            if decay[index] * fit > best:
                best, at = decay[index] * fit, index
        best += policy.background * overall.get(position, 0.0) / whole
        if view.service & named:
            best += (
                policy.service_named
                * toolset.mass(view.service & named)
                / toolset.mass(view.service)
            )
        found[view.name] = best, at
    return found


def _overall(opened: list[dict[str, float]], toolset: Toolset) -> dict[int, float]:
    """Return for each tool that shares a word with the query how much demand it explains."""
    weights: dict[str, float] = {}
    for part in opened:
        for concept, weight in part.items():
            weights[concept] = weights.get(concept, 0.0) + weight
    overall: dict[int, float] = {}
    for concept, weight in weights.items():
        for position, place in toolset.postings.get(concept, ()):
            overall[position] = overall.get(position, 0.0) + weight * place
    return overall


def _shortlist(overall: Mapping[int, float], toolset: Toolset, size: int) -> list[int]:
    """Return positions of tools, in their order.

    Views are ordered by name, so that positions break ties; tools without a shared word follow.
    """
    ranked = nsmallest(size, ((-round(share, 9), position) for position, share in overall.items()))
    chosen = [position for _, position in ranked]
    rest = (position for position in range(len(toolset.views)) if position not in overall)
    return sorted([*chosen, *islice(rest, size - len(chosen))])


def _said(tool: int, clause: int, situation: Situation) -> float:
    """Return the mass of the operation's words that a clause still asks for.

    Words that another clause asks for count in part.
    """
    background, toolset = situation.evidence.policy.background, situation.toolset
    here, parts = situation.demand.residual[clause], situation.demand.peak
    return math.fsum(
        weight * max(here.get(concept, 0.0), background * parts[concept])
        for concept, weight in toolset.operations[tool]
        if concept in parts
    )


def _named(situation: Situation) -> frozenset[str]:
    """Return the concepts that can name a service: those of clauses that are in force."""
    clauses, failed = situation.evidence.query.clauses, had_failure(situation)
    return frozenset[str]().union(
        *(
            clause.concepts
            for clause in clauses
            if not clause.barred and (failed or not clause.conditional)
        )
    )


def had_failure(situation: Situation) -> bool:
    """Whether some call failed: then clauses about what to do in some case come into force."""
    return any(attempt.error_class for attempt in situation.evidence.attempts)
