"""Candidates held against a declared state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from router.context import CompatibilityContext
from router.eligibility import Preconditions, Requirements, RouteConditions, StateEligibility
from router.record import Record
from router.retrieval import CapabilityCandidate, CapabilityRetrieval
from router.state import TypedExecutionState

__all__ = [
    "StateAwareCapabilityCandidate",
    "StateAwareCapabilityRetrieval",
    "StateConditionedCapabilityRetrieval",
    "backfill_ranked_candidates_by_state",
    "evaluate_candidate_state",
    "filter_retrieval_by_state",
    "whole_k",
]


class StateAwareCapabilityCandidate(Record):
    """A candidate and whether the state lets it be offered."""

    candidate: CapabilityCandidate
    eligibility: StateEligibility


class StateAwareCapabilityRetrieval(Record):
    """The eligible ones among the first K candidates: fewer than K may be left."""

    query: str
    registry_version: int
    requested_k: Annotated[int, Field(ge=1)]
    total_ranked: Annotated[int, Field(ge=0)]
    candidates: tuple[StateAwareCapabilityCandidate, ...] = ()


class StateConditionedCapabilityRetrieval(Record):
    """The first K eligible candidates, and every visible candidate that is not eligible."""

    query: str
    registry_version: int
    requested_k: Annotated[int, Field(ge=1)]
    total_ranked: Annotated[int, Field(ge=0)]
    candidates: tuple[StateAwareCapabilityCandidate, ...] = ()
    """By rank; the ranks are those of the whole ranking."""
    excluded: tuple[StateAwareCapabilityCandidate, ...] = ()
    """By rank, also below the last candidate."""


def evaluate_candidate_state(
    candidate: CapabilityCandidate,
    state: TypedExecutionState,
    *,
    requirements_by_route: Requirements | None = None,
    preconditions_by_route: Preconditions | None = None,
    context: CompatibilityContext | None = None,
) -> StateAwareCapabilityCandidate:
    """Check one candidate; see :func:`filter_retrieval_by_state` for the parameters."""
    conditions = RouteConditions(state, requirements_by_route, preconditions_by_route, context)
    return _checked(candidate, conditions)


def filter_retrieval_by_state(
    retrieval: CapabilityRetrieval,
    state: TypedExecutionState,
    *,
    requirements_by_route: Requirements | None = None,
    preconditions_by_route: Preconditions | None = None,
    context: CompatibilityContext | None = None,
) -> StateAwareCapabilityRetrieval:
    """Leave out the candidates that a state does not let be offered.

    Parameters
    ----------
    retrieval
        What was retrieved.
    state
        What was observed.
    requirements_by_route
        Types that have to be there, by route id. A route without an entry needs nothing.
    preconditions_by_route
        Conditions that have to hold, by route id.
    context
        Synonyms and conversions that the host declares.

    Returns
    -------
    StateAwareCapabilityRetrieval
        The eligible candidates with their ranks; nothing takes the place of the others.
    """
    conditions = RouteConditions(state, requirements_by_route, preconditions_by_route, context)
    checked = [_checked(candidate, conditions) for candidate in retrieval.candidates]
    return StateAwareCapabilityRetrieval(
        query=retrieval.query,
        registry_version=retrieval.registry_version,
        requested_k=retrieval.requested_k,
        total_ranked=retrieval.total_ranked,
        candidates=tuple(one for one in checked if one.eligibility.eligible),
    )


def backfill_ranked_candidates_by_state(
    *,
    query: str,
    registry_version: int,
    requested_k: int,
    ranked_candidates: Sequence[CapabilityCandidate],
    state: TypedExecutionState,
    requirements_by_route: Requirements | None = None,
    preconditions_by_route: Preconditions | None = None,
    context: CompatibilityContext | None = None,
) -> StateConditionedCapabilityRetrieval:
    """Take the first K eligible candidates of a ranking.

    Parameters
    ----------
    query, registry_version
        Passed on.
    requested_k
        How many candidates are wanted.
    ranked_candidates
        All candidates, best first.
    state, requirements_by_route, preconditions_by_route, context
        As for :func:`filter_retrieval_by_state`.

    Raises
    ------
    ValueError
        When ``requested_k`` is no integer of at least 1.
    """
    wanted = whole_k(requested_k)
    conditions = RouteConditions(state, requirements_by_route, preconditions_by_route, context)
    checked = [_checked(candidate, conditions) for candidate in ranked_candidates]
    return StateConditionedCapabilityRetrieval(
        query=query,
        registry_version=registry_version,
        requested_k=wanted,
        total_ranked=len(checked),
        candidates=tuple([one for one in checked if one.eligibility.eligible][:wanted]),
        excluded=tuple(one for one in checked if not one.eligibility.eligible),
    )


def whole_k(k: object) -> int:
    """The number of candidates that is asked for.

    Raises
    ------
    ValueError
        When it is no integer of at least 1.
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ValueError(f"k is {k!r}. Ask for a whole number of candidates, at least 1.")
    return k


def _checked(
    candidate: CapabilityCandidate, conditions: RouteConditions
) -> StateAwareCapabilityCandidate:
    return StateAwareCapabilityCandidate(
        candidate=candidate, eligibility=conditions.check(candidate.route_id)
    )
