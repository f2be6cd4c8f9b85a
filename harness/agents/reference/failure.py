"""Failures: which call is unresolved, and what answers it (policy, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.agents.reference.conversation import Attempt
from harness.agents.reference.evidence import Evidence, is_reference, scalars, value_key
from harness.agents.reference.filling import Filling, fill
from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.observation import Leaf
from harness.agents.reference.pattern import matches
from harness.agents.reference.relevance import Situation, relevances
from harness.agents.reference.seen import same_name
from harness.agents.reference.toolview import ParameterView, ToolView, operation_of, provider_of
from harness.agents.reference.validation import is_valid
from surface.failure import PERMANENT, PRECONDITION, TRANSIENT


@dataclass(frozen=True)
class Answer:
    """A call that answers a failure."""

    name: str
    arguments: Mapping[str, Any]


def unresolved(evidence: Evidence) -> int | None:
    """Return the position of the failure that still has to be answered.

    A transient or precondition failure is resolved when its tool succeeds; a permanent one when
    any later call does.
    """
    found: int | None = None
    for position, attempt in enumerate(evidence.attempts):
        if attempt.error_class in TRANSIENT | PRECONDITION | PERMANENT:
            blocked_by = evidence.attempts[found] if found is not None else None
            # A hitch of the recovery call itself does not replace what it should restore.
            keeps = (
                blocked_by is not None
                and blocked_by.error_class in PRECONDITION
                and attempt.error_class in TRANSIENT
                and attempt.name != blocked_by.name
            )
            found = found if keeps else position
        elif found is not None and attempt.succeeded:
            failed = evidence.attempts[found]
            if failed.error_class in PERMANENT or attempt.name == failed.name:
                found = None
    return found


def answer(situation: Situation) -> Answer | None:
    """Return the call that answers the open failure; None if there is no failure or no answer."""
    evidence = situation.evidence
    attempts = evidence.attempts
    position = unresolved(evidence)
    if position is None:
        return None
    last, failed = attempts[-1], attempts[position]
    if last.error_class in TRANSIENT:
        return _again(last, situation)
    if failed.error_class in PERMANENT:
        return _other_provider(failed, situation)
    if failed.error_class not in PRECONDITION:
        return None
    rounds = sum(item.call == failed.call and not item.succeeded for item in attempts)
    if last.succeeded:
        return _refreshed(failed, situation)
    if rounds <= evidence.policy.recovery_rounds:
        return _restoring(failed, situation)
    return None


def _again(last: Attempt, situation: Situation) -> Answer | None:
    """Return the same call, unless it has been tried often enough or is not visible."""
    run = 0
    for attempt in reversed(situation.evidence.attempts):
        if attempt.call != last.call or attempt.error_class not in TRANSIENT:
            break
        run += 1
    visible = last.name in situation.toolset.by_name
    return (
        Answer(last.name, last.arguments)
        if visible and run <= situation.evidence.policy.transient_retries
        else None
    )


def _restoring(failed: Attempt, situation: Situation) -> Answer | None:
    """Return the call that seems to restore what a precondition failure complains of."""
    evidence, policy = situation.evidence, situation.evidence.policy
    glossary = load_glossary()
    explanation = failed.error.partition(":")[2]
    wanted = frozenset(phrases(glossary.tables["recovery"][failed.error_class])) | frozenset(
        glossary.english(explanation)
    )
    values = _references(failed)
    relevant = relevances(situation)
    best: tuple[float, str, Filling] | None = None
    for view in situation.toolset.views:
        if view.name == failed.name or view.destructive or view.name in situation.dropped:
            continue
        speaks = _speaks(view, wanted, situation)
        if not speaks:
            continue
        relevance, clause = relevant.get(view.name, (0.0, 0))
        filling = fill(view, evidence, clause, situation.excluded, preferred=values)
        if filling is None:
            continue
        sent = {value_key(value) for value in scalars(filling.arguments)}
        score = speaks + policy.recovery_relevance * relevance
        score += policy.recovery_value * bool(values & sent)
        score += policy.recovery_service * (view.provider == provider_of(failed.name))
        if best is None or (-round(score, 9), view.name) < (-round(best[0], 9), best[1]):
            best = score, view.name, filling
    if best is None or best[0] < policy.recovery_threshold:
        return None
    return Answer(best[1], best[2].arguments)


def _references(failed: Attempt) -> frozenset[str]:
    """Return what a failed call named: its identifiers, not its numbers."""
    values = scalars(failed.arguments)
    return frozenset(value_key(value) for value in values if is_reference(value))


def _speaks(view: ToolView, wanted: frozenset[str], situation: Situation) -> float:
    """Return how much a tool speaks of what has to be restored; rare words count more."""
    policy, rarity = situation.evidence.policy, situation.toolset.rarity
    total = situation.toolset.mass(view.operation)
    named = situation.toolset.mass(view.operation & wanted)
    described = max(map(rarity, view.description & wanted), default=0.0)
    share = named / total if total else 0.0
    return policy.recovery_operation * share + policy.recovery_description * described


def _refreshed(failed: Attempt, situation: Situation) -> Answer | None:
    """Return the failed call with what the recovery returned in place of what it replaces."""
    view = situation.toolset.by_name.get(failed.name)
    if view is None:
        return None
    arguments = dict(failed.arguments)
    parameters = {item.name: item for item in (*view.required, *view.optional)}
    evidence = situation.evidence
    fresh = [leaf for leaf in evidence.leaves if leaf.attempt == evidence.latest]
    for name, value in failed.arguments.items():
        parameter = parameters.get(name)
        leaf = next(
            (leaf for leaf in fresh if parameter and _replaces(leaf, value, parameter, evidence)),
            None,
        )
        if leaf is not None:
            arguments[name] = leaf.value
    return Answer(failed.name, arguments if is_valid(view.tool, arguments) else failed.arguments)


def _replaces(leaf: Leaf, value: object, parameter: ParameterView, evidence: Evidence) -> bool:
    """Whether an observed value is the new one of what a parameter had."""
    if type(leaf.value) is not type(value):
        return False
    if same_name(parameter, leaf):
        return True
    pattern = parameter.schema.get("pattern")
    return (
        parameter.kind == "identifier"
        and isinstance(pattern, str)
        and isinstance(leaf.value, str)
        and matches(pattern, leaf.value)
        and value_key(leaf.value) not in evidence.seen_before
    )


def _other_provider(failed: Attempt, situation: Situation) -> Answer | None:
    """Return the call of another tool that does what the failed one should have done."""
    evidence, policy, toolset = situation.evidence, situation.evidence.policy, situation.toolset
    glossary = load_glossary()
    operation = frozenset(glossary.english(operation_of(failed.name)))
    gone = toolset.by_name.get(failed.name)
    described = gone.description if gone else operation
    values = _references(failed)
    relevant = relevances(situation)
    best: tuple[float, str, Filling] | None = None
    for view in toolset.views:
        if view.name in situation.dropped:
            continue
        if view.destructive and not (gone is not None and gone.destructive):
            continue
        likeness = policy.likeness_operation * _overlap(operation, view.operation, situation)
        likeness += policy.likeness_description * _overlap(described, view.description, situation)
        names = {parameter.name for parameter in view.required}
        asked = names | failed.arguments.keys()
        same = len(names & failed.arguments.keys())
        likeness += policy.likeness_parameters * same / (len(asked) or 1)
        if likeness < policy.provider_threshold:
            continue
        relevance, clause = relevant.get(view.name, (0.0, 0))
        filling = fill(view, evidence, clause, situation.excluded, preferred=values)
        if filling is None:
            continue
        score = likeness + relevance + policy.confidence * filling.confidence
        score += policy.other_service * (view.provider != provider_of(failed.name))
        if best is None or (-round(score, 9), view.name) < (-round(best[0], 9), best[1]):
            best = score, view.name, filling
    return Answer(best[1], best[2].arguments) if best else None


def _overlap(first: frozenset[str], second: frozenset[str], situation: Situation) -> float:
    """Return the Jaccard overlap of concepts, rare ones weighing more."""
    union = situation.toolset.mass(first | second)
    return situation.toolset.mass(first & second) / union if union else 0.0
