"""Selection: which visible tool to call next, and with what."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from harness.agents.reference.demand import Demand
from harness.agents.reference.evidence import Evidence
from harness.agents.reference.filling import Call, Filling, fill, missing
from harness.agents.reference.toolset import Toolset
from harness.agents.reference.toolview import ParameterView, ToolView
from surface.failure import PERMANENT, RETRIABLE


@dataclass(frozen=True, eq=False)
class Choice:
    """A call that could be made."""

    filling: Filling
    score: float


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


def settled_calls(evidence: Evidence) -> tuple[frozenset[Call], frozenset[str]]:
    """Return the calls that are never made again, and the tools."""
    calls = {item.call for item in evidence.attempts if item.error_class not in RETRIABLE}
    tools = {item.name for item in evidence.attempts if item.error_class in PERMANENT}
    return frozenset(calls), frozenset(tools)


def relevances(situation: Situation) -> dict[str, tuple[float, int]]:
    """Return how relevant the most relevant tools are, and the clause that each would answer.

    The shortlist is made by the words that tools and query share; operations decide within it.
    """
    demand, toolset, policy = situation.demand, situation.toolset, situation.evidence.policy
    explained: list[dict[int, float]] = []
    overall: dict[int, float] = {}
    for weights, residual in zip(demand.weights, demand.residual, strict=True):
        row: dict[int, float] = {}
        for concept, weight in weights.items():
            open_weight = weight * residual[concept]
            for position, place in toolset.postings.get(concept, ()):
                row[position] = row.get(position, 0.0) + open_weight * place
        for position, share in row.items():
            overall[position] = overall.get(position, 0.0) + share
        explained.append(row)
    # Views are ordered by name, so that positions break ties; tools without a shared word follow.
    shortlist = sorted(overall, key=lambda position: (-round(overall[position], 9), position))
    rest = (position for position in range(len(toolset.views)) if position not in overall)
    shortlist = [*shortlist, *islice(rest, policy.shortlist)][: policy.shortlist]
    totals = [sum(weights.values()) for weights in demand.weights]
    decay = [policy.clause_decay**ahead for ahead in demand.ahead]
    if not had_failure(situation):
        for index, clause in enumerate(situation.evidence.query.clauses):
            decay[index] *= policy.conditional if clause.conditional else 1.0
    named = _named(situation)
    found = {}
    for position in sorted(shortlist):
        view = toolset.views[position]
        mass = math.fsum(weight for _, weight in toolset.operations[position])
        best, at = 0.0, 0
        for index, total in enumerate(totals):
            if not total:
                continue
            fit = policy.explained_share * explained[index].get(position, 0.0) / total
            if mass:
                fit += policy.operation_share * _said(position, index, situation) / mass
            if decay[index] * fit > best:
                best, at = decay[index] * fit, index
        best += policy.background * overall.get(position, 0.0) / (sum(totals) or 1.0)
        service = toolset.mass(view.service)
        if service:
            best += policy.service_named * toolset.mass(view.service & named) / service
        found[view.name] = best, at
    return found


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
        *(clause.concepts for clause in clauses if failed or not clause.conditional)
    )


def had_failure(situation: Situation) -> bool:
    """Whether some call failed: then clauses about what to do in some case come into force."""
    return any(attempt.error_class for attempt in situation.evidence.attempts)


def choices(situation: Situation) -> list[Choice]:
    """Return the calls that could be made, the best first."""
    evidence, toolset, policy = situation.evidence, situation.toolset, situation.evidence.policy
    relevant = relevances(situation)
    fillings: dict[str, Filling] = {}
    for name, (_, clause) in relevant.items():
        if name in situation.dropped:
            continue
        filling = fill(toolset.by_name[name], evidence, clause, situation.excluded)
        if filling is not None:
            fillings[name] = filling
    goal = _goal(relevant, fillings, situation)
    found = []
    for name, filling in fillings.items():
        score = relevant[name][0] + policy.confidence * filling.confidence
        here = relevant[name][1]
        said = sum(1.0 if item.clause == here else policy.background for item in filling.unused)
        use = policy.unused_literal * min(said, policy.most_literals)
        use += policy.fresh_observation * filling.uses_fresh
        # What a tool would use speaks for it as far as the query speaks of the tool.
        score += use * min(1.0, relevant[name][0] / policy.full_use)
        score += _supplies(filling.view, goal, situation)
        score -= _deductions(filling, relevant[name][1], situation)
        found.append(Choice(filling, score))
    return sorted(found, key=lambda item: (-round(item.score, 9), item.filling.view.name))


_Goal = tuple[float, tuple[ParameterView, ...]]


def _goal(
    relevant: Mapping[str, tuple[float, int]], fillings: Mapping[str, Filling], situation: Situation
) -> _Goal | None:
    """Return the relevance and the missing parameters of the tool that the query wants most.

    None if that tool can be filled, or was dropped: then nothing has to be supplied.
    """
    if not relevant:
        return None
    name = min(relevant, key=lambda name: (-round(relevant[name][0], 9), name))
    if name in fillings or name in situation.dropped:
        return None
    lacking = missing(situation.toolset.by_name[name], situation.evidence)
    return (relevant[name][0], lacking) if lacking else None


def _supplies(view: ToolView, goal: _Goal | None, situation: Situation) -> float:
    """Return the bonus of a tool that seems to return what the wanted tool lacks."""
    if goal is None or view.destructive:
        return 0.0
    relevance, lacking = goal
    speaks = view.operation | view.description
    shares = [
        len(speaks & parameter.topics) / len(parameter.topics)
        for parameter in lacking
        if parameter.topics
    ]
    mean = sum(shares) / len(shares) if shares else 0.0
    return situation.evidence.policy.chain * min(relevance, 1.0) * mean


def _deductions(filling: Filling, clause: int, situation: Situation) -> float:
    policy, evidence, view = situation.evidence.policy, situation.evidence, filling.view
    lost = 0.0
    earlier = [attempt for attempt in evidence.attempts if attempt.name == view.name]
    if any(attempt.succeeded for attempt in earlier):
        again = bool(filling.unused) or (evidence.query.repeats and filling.uses_fresh)
        lost += 0.0 if again else policy.repeat
    if any(not a.succeeded and a.error_class not in RETRIABLE for a in earlier):
        lost += policy.failed_before
    if view.destructive and not destruction_asked(view, situation):
        lost += policy.destructive_unasked
    if view.destructive and situation.demand.ahead[clause : clause + 1] > (0,):
        lost += policy.destructive_early
    return lost


def destruction_asked(view: ToolView, situation: Situation) -> bool:
    """Whether an open clause asks for what a destructive tool does: for a verb of its operation."""
    return any(
        part.get(verb, 0.0) > situation.evidence.policy.asked
        for verb in view.act
        for part in situation.demand.residual
    )
