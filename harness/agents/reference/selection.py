"""Selection: which visible tool to call next, and with what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from harness.agents.reference.evidence import Evidence
from harness.agents.reference.filling import Call, Filling, fill, missing
from harness.agents.reference.policy import Policy
from harness.agents.reference.relevance import Situation, relevances
from harness.agents.reference.toolview import ParameterView, ToolView
from surface.failure import PERMANENT, RETRIABLE

_ROUNDING: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Choice:
    """A call that could be made."""

    filling: Filling
    score: float


def settled_calls(evidence: Evidence) -> tuple[frozenset[Call], frozenset[str]]:
    """Return the calls that are never made again, and the tools."""
    calls = {item.call for item in evidence.attempts if item.error_class not in RETRIABLE}
    tools = {item.name for item in evidence.attempts if item.error_class in PERMANENT}
    return frozenset(calls), frozenset(tools)


def best_choice(situation: Situation) -> Choice | None:
    """Return the best call that could be made; None if no visible tool can be filled."""
    relevant = relevances(situation)
    if not relevant:
        return None
    order = sorted(relevant, key=lambda name: (-round(relevant[name][0], 9), name))
    first = _filled(order[0], relevant, situation)
    goal = _goal(order[0], relevant, first, situation)
    best: Choice | None = None
    for name in order:
        relevance, clause = relevant[name]
        if best is not None and _most(relevance, goal, situation.evidence.policy) < best.score:
            continue  # nothing that it could use or supply would make it the best
        filling = first if name == order[0] else _filled(name, relevant, situation)
        if filling is None:
            continue
        choice = Choice(filling, _score(filling, relevance, clause, goal, situation))
        if best is None or _rank(choice) < _rank(best):
            best = choice
    return best


def _rank(choice: Choice) -> tuple[float, str]:
    return -round(choice.score, 9), choice.filling.view.name


def _filled(
    name: str, relevant: Mapping[str, tuple[float, int]], situation: Situation
) -> Filling | None:
    if name in situation.dropped:
        return None
    view = situation.toolset.by_name[name]
    return fill(view, situation.evidence, relevant[name][1], situation.excluded)


def _most(relevance: float, goal: _Goal | None, policy: Policy) -> float:
    """Return what no tool of this relevance exceeds, rounding included."""
    use = policy.unused_literal * policy.most_literals + policy.fresh_observation
    most = relevance + policy.confidence + use * min(1.0, relevance / policy.full_use)
    return most + _ROUNDING + (policy.chain * min(goal[0], 1.0) if goal else 0.0)


def _score(
    filling: Filling, relevance: float, clause: int, goal: _Goal | None, situation: Situation
) -> float:
    policy = situation.evidence.policy
    score = relevance + policy.confidence * filling.confidence
    said = sum(1.0 if item.clause == clause else policy.background for item in filling.unused)
    use = policy.unused_literal * min(said, policy.most_literals)
    use += policy.fresh_observation * filling.uses_fresh
    # What a tool would use speaks for it as far as the query speaks of the tool.
    score += use * min(1.0, relevance / policy.full_use)
    score += _supplies(filling.view, goal, situation)
    return score - _deductions(filling, clause, situation)


_Goal = tuple[float, tuple[ParameterView, ...]]


def _goal(
    name: str,
    relevant: Mapping[str, tuple[float, int]],
    filling: Filling | None,
    situation: Situation,
) -> _Goal | None:
    """Return the relevance and the missing parameters of the tool that the query wants most.

    None if that tool can be filled, or was dropped: then nothing has to be supplied.
    """
    if filling is not None or name in situation.dropped:
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
