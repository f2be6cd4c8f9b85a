"""Selection: which visible tool to call next, and with what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from harness.agents.reference.demand import Demand
from harness.agents.reference.evidence import Evidence
from harness.agents.reference.filling import Call, Filling, fill, missing
from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.toolset import Toolset
from harness.agents.reference.toolview import ParameterView, ToolView
from surface.failure import PERMANENT, RETRIABLE

_GENERAL = frozenset({"id"})


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
    count = len(toolset.views)
    explained = [[0.0] * count for _ in demand.weights]
    for index, weights in enumerate(demand.weights):
        row, residual = explained[index], demand.residual[index]
        for concept, weight in weights.items():
            for position, place in toolset.postings.get(concept, ()):
                row[position] += weight * residual[concept] * place
    totals = [sum(weights.values()) for weights in demand.weights]
    overall = [sum(row[i] for row in explained) / (sum(totals) or 1.0) for i in range(count)]
    shortlist = sorted(range(count), key=lambda i: (-overall[i], toolset.views[i].name))
    decay = [policy.clause_decay**ahead for ahead in demand.ahead]
    if not had_failure(situation):
        for position, clause in enumerate(situation.evidence.query.clauses):
            decay[position] *= policy.conditional if clause.conditional else 1.0
    found = {}
    for position in sorted(shortlist[: policy.shortlist]):
        view = toolset.views[position]
        best, at = 0.0, 0
        for index, total in enumerate(totals):
            if not total:
                continue
            share = explained[index][position] / total
            fit = policy.explained_share * share
            fit += policy.operation_share * _operation_said(view, index, situation)
            if decay[index] * fit > best:
                best, at = decay[index] * fit, index
        named = policy.service_named * _service_named(view, situation)
        found[view.name] = best + policy.background * overall[position] + named, at
    return found


def _operation_said(view: ToolView, clause: int, situation: Situation) -> float:
    """Return the share of the operation's words that a clause asks for, rare words first."""
    background, toolset = situation.evidence.policy.background, situation.toolset
    demand = situation.demand
    total = said = 0.0
    for concept in sorted(view.operation):
        weight = toolset.rarity(concept)
        here = demand.residual[clause].get(concept, 0.0)
        anywhere = max((part.get(concept, 0.0) for part in demand.residual), default=0.0)
        total += weight
        said += weight * max(here, background * anywhere)
    return said / total if total else 0.0


def had_failure(situation: Situation) -> bool:
    """Whether some call failed: then clauses about what to do in some case come into force."""
    return any(attempt.error_class for attempt in situation.evidence.attempts)


def _service_named(view: ToolView, situation: Situation) -> float:
    clauses, failed = situation.evidence.query.clauses, had_failure(situation)
    concepts = frozenset[str]().union(
        *(clause.concepts for clause in clauses if failed or not clause.conditional)
    )
    total = sum(map(situation.toolset.rarity, sorted(view.service)))
    said = sum(map(situation.toolset.rarity, sorted(view.service & concepts)))
    return said / total if total else 0.0


def choices(situation: Situation, *, only: Collection[str] | None = None) -> list[Choice]:
    """Return the calls that could be made, the best first.

    Parameters
    ----------
    situation
        The turn.
    only
        Names of the tools to look at; all if None.
    """
    evidence, toolset, policy = situation.evidence, situation.toolset, situation.evidence.policy
    relevant = relevances(situation)
    fillings: dict[str, Filling] = {}
    for name, (_, clause) in relevant.items():
        if name in situation.dropped or (only is not None and name not in only):
            continue
        filling = fill(toolset.by_name[name], evidence, clause, situation.excluded)
        if filling is not None:
            fillings[name] = filling
    goal = _goal(relevant, fillings, situation)
    found = []
    for name, filling in fillings.items():
        score = relevant[name][0] + policy.confidence * filling.confidence
        score += policy.unused_literal * filling.uses_literal
        score += policy.fresh_observation * filling.uses_fresh
        score += _supplies(filling.view, goal, situation)
        score -= _deductions(filling, situation)
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
        len(speaks & (parameter.concepts - _GENERAL)) / len(parameter.concepts - _GENERAL)
        for parameter in lacking
        if parameter.concepts - _GENERAL
    ]
    mean = sum(shares) / len(shares) if shares else 0.0
    return situation.evidence.policy.chain * min(relevance, 1.0) * mean


def _deductions(filling: Filling, situation: Situation) -> float:
    policy, evidence, view = situation.evidence.policy, situation.evidence, filling.view
    lost = 0.0
    earlier = [attempt for attempt in evidence.attempts if attempt.name == view.name]
    if any(attempt.succeeded for attempt in earlier):
        again = filling.uses_literal or (evidence.query.repeats and filling.uses_fresh)
        lost += 0.0 if again else policy.repeat
    if any(not a.succeeded and a.error_class not in RETRIABLE for a in earlier):
        lost += policy.failed_before
    if view.destructive and not destruction_asked(view, situation):
        lost += policy.destructive_unasked
    return lost


def destruction_asked(view: ToolView, situation: Situation) -> bool:
    """Whether an open clause holds a destructive verb of the tool's operation."""
    verbs = view.operation & frozenset(phrases(load_glossary().tables["destructive"]))
    return any(
        part.get(verb, 0.0) > situation.evidence.policy.asked
        for verb in verbs
        for part in situation.demand.residual
    )
