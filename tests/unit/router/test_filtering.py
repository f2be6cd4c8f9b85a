from __future__ import annotations

import pytest

from router import (
    CapabilityCandidate,
    CapabilityFieldContract,
    CapabilityPrecondition,
    CapabilityRetrieval,
    ObservedStateField,
    TypedExecutionState,
    backfill_ranked_candidates_by_state,
    evaluate_candidate_state,
    filter_retrieval_by_state,
)

TEXT = {"type": "string"}
ORDER = CapabilityFieldContract(semantic_id="order.id", json_schema=TEXT)
CUSTOMER = CapabilityFieldContract(semantic_id="customer.id", json_schema=TEXT)
VIP = CapabilityPrecondition(semantic_id="customer.id", operator="equals", value="CUS-1")
HAS_CUSTOMER = TypedExecutionState(
    observed_fields=(ObservedStateField(contract=CUSTOMER, stable_identifier="CUS-2"),)
)


def candidate(rank: int) -> CapabilityCandidate:
    return CapabilityCandidate(
        rank=rank,
        route_id=f"shop.e{rank}",
        tool="shop",
        endpoint=f"e{rank}",
        score=10.0 - rank,
        tool_fingerprint="t",
        endpoint_fingerprint="e",
    )


def retrieval(*ranks: int) -> CapabilityRetrieval:
    return CapabilityRetrieval(
        query="q",
        registry_version=3,
        requested_k=4,
        total_ranked=9,
        candidates=tuple(map(candidate, ranks)),
    )


def test_requirements_come_before_preconditions() -> None:
    def status(
        requirements: list[CapabilityFieldContract], preconditions: list[CapabilityPrecondition]
    ) -> tuple[str, int]:
        checked = evaluate_candidate_state(
            candidate(1),
            HAS_CUSTOMER,
            requirements_by_route={"shop.e1": requirements},
            preconditions_by_route={"shop.e1": preconditions},
        )
        assert checked.candidate == candidate(1)
        return checked.eligibility.status, len(checked.eligibility.reasons)

    assert status([CUSTOMER], []) == ("eligible", 0)
    assert status([CUSTOMER], [VIP]) == ("precondition_failed", 1)
    assert status([ORDER], [VIP]) == ("missing_required_state", 1)


def test_nothing_is_required_where_nothing_is_declared() -> None:
    checked = evaluate_candidate_state(candidate(1), TypedExecutionState())
    assert checked.eligibility.eligible


def test_filtering_leaves_gaps() -> None:
    found = filter_retrieval_by_state(
        retrieval(1, 2, 4),
        HAS_CUSTOMER,
        requirements_by_route={"shop.e2": [ORDER], "shop.e4": [CUSTOMER], "vault.open": [ORDER]},
    )
    assert [one.candidate.rank for one in found.candidates] == [1, 4]
    assert all(one.eligibility.eligible for one in found.candidates)
    assert (found.query, found.registry_version, found.requested_k, found.total_ranked) == (
        "q",
        3,
        4,
        9,
    )


def test_backfilling_goes_on_to_the_end_of_the_ranking() -> None:
    found = backfill_ranked_candidates_by_state(
        query="q",
        registry_version=3,
        requested_k=2,
        ranked_candidates=[candidate(rank) for rank in range(1, 7)],
        state=HAS_CUSTOMER,
        requirements_by_route={"shop.e1": [ORDER], "shop.e5": [ORDER]},
        preconditions_by_route={"shop.e3": [VIP]},
    )
    assert [one.candidate.rank for one in found.candidates] == [2, 4]
    assert [(one.candidate.rank, one.eligibility.status) for one in found.excluded] == [
        (1, "missing_required_state"),
        (3, "precondition_failed"),
        (5, "missing_required_state"),
    ]
    assert (found.requested_k, found.total_ranked) == (2, 6)


@pytest.mark.parametrize("k", [0, -1, True, 1.0, "1", None])
def test_a_number_of_candidates_is_a_whole_number(k: object) -> None:
    with pytest.raises(ValueError, match="whole number"):
        backfill_ranked_candidates_by_state(
            query="q",
            registry_version=1,
            requested_k=k,  # type: ignore[arg-type]
            ranked_candidates=[],
            state=TypedExecutionState(),
        )
