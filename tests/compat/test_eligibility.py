"""Random contracts, contexts, states and preconditions through both packages."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.compat.published import BOTH, by_route, checked, make, verdict
from tests.compat.strategies import (
    any_contracts,
    contexts,
    declared,
    preconditions,
    states,
)


@given(any_contracts, any_contracts, st.none() | contexts)
def test_fields_compare_alike(
    required: dict[str, Any], produced: dict[str, Any], context: dict[str, Any] | None
) -> None:
    found = []
    for package in BOTH:
        compared = package.compare_capability_fields(
            make(package, "CapabilityFieldContract", required),
            make(package, "CapabilityFieldContract", produced),
            context=None if context is None else make(package, "CompatibilityContext", context),
        )
        codes = [reason.code for reason in compared.reasons]
        found.append((compared.status, compared.satisfies, codes))
    assert found[0] == found[1]


@given(contexts)
def test_contexts_are_put_in_order_alike(context: dict[str, Any]) -> None:
    found = []
    for package in BOTH:
        made = make(package, "CompatibilityContext", context)
        found.append(
            [(one.canonical_id, sorted(one.aliases)) for one in made.semantic_equivalences]
        )
    assert found[0] == found[1]


@given(st.lists(any_contracts, max_size=4), states)
def test_requirements_are_judged_alike(
    requirements: list[dict[str, Any]], state: dict[str, Any]
) -> None:
    found = [
        verdict(
            package.evaluate_state_eligibility(
                make(package, "CapabilityFieldContract", requirements),
                make(package, "TypedExecutionState", state),
            )
        )
        for package in BOTH
    ]
    assert found[0] == found[1]


@given(st.lists(preconditions, max_size=4), states)
def test_preconditions_are_judged_alike(
    conditions: list[dict[str, Any]], state: dict[str, Any]
) -> None:
    found = [
        verdict(
            package.evaluate_preconditions(
                make(package, "CapabilityPrecondition", conditions),
                make(package, "TypedExecutionState", state),
            )
        )
        for package in BOTH
    ]
    assert found[0] == found[1]


ROUTES = [f"t.e{number}" for number in range(6)]


@given(st.lists(st.sampled_from(ROUTES), unique=True), states, declared(ROUTES), st.integers(1, 7))
def test_candidates_are_filtered_alike(
    order: list[str], state: dict[str, Any], declarations: dict[str, Any], k: int
) -> None:
    """The three functions that a host calls with a ranking of its own."""
    candidates = [
        {
            "rank": rank,
            "route_id": route,
            "tool": "t",
            "endpoint": route[2:],
            "score": 1.5 / rank,
            "tool_fingerprint": "t",
            "endpoint_fingerprint": "e",
        }
        for rank, route in enumerate(order, start=1)
    ]
    retrieval = {
        "query": "q",
        "registry_version": 2,
        "requested_k": max(1, len(order)),
        "total_ranked": len(order),
        "candidates": candidates,
    }
    found = []
    for package in BOTH:
        held = make(package, "TypedExecutionState", state)
        conditions = {
            "requirements_by_route": by_route(
                package, "CapabilityFieldContract", declarations["requirements"]
            ),
            "preconditions_by_route": by_route(
                package, "CapabilityPrecondition", declarations["preconditions"]
            ),
        }
        ranked = make(package, "CapabilityCandidate", candidates)
        filtered = package.filter_retrieval_by_state(
            make(package, "CapabilityRetrieval", retrieval), held, **conditions
        )
        refilled = package.backfill_ranked_candidates_by_state(
            query="q",
            registry_version=2,
            requested_k=k,
            ranked_candidates=ranked,
            state=held,
            **conditions,
        )
        single = [package.evaluate_candidate_state(one, held, **conditions) for one in ranked]
        found.append(
            (
                checked(filtered.candidates),
                (filtered.requested_k, filtered.total_ranked, filtered.registry_version),
                checked(refilled.candidates),
                checked(refilled.excluded),
                (refilled.requested_k, refilled.total_ranked, refilled.registry_version),
                checked(single),
            )
        )
    assert found[0] == found[1]
