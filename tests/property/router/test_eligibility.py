"""Eligibility against a model written from its description, and laws that it has to keep."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from router import (
    CapabilityFieldContract,
    CapabilityPrecondition,
    CompatibilityContext,
    TypedExecutionState,
    compare_capability_fields,
    evaluate_preconditions,
    evaluate_state_eligibility,
)
from tests.property.router.state_strategies import contexts, contracts, preconditions, states

NOTHING = CompatibilityContext()


def same_meaning(left: str, right: str, context: CompatibilityContext) -> bool:
    """Whether two ids are joined by a path of declared groups."""
    reached, grown = {left}, True
    while grown:
        grown = False
        for one in context.semantic_equivalences:
            members = {one.canonical_id, *one.aliases}
            if reached & members and not members <= reached:
                reached |= members
                grown = True
    return right in reached


def fits(
    required: CapabilityFieldContract,
    produced: CapabilityFieldContract,
    context: CompatibilityContext,
) -> bool:
    """Whether everything that is required is declared and right."""

    def names(contract: CapabilityFieldContract) -> list[str] | None:
        declared = contract.json_schema.get("type")
        if isinstance(declared, str):
            return [declared]
        if isinstance(declared, list) and all(isinstance(one, str) for one in declared):
            return declared or None
        return None

    accepted, possible = names(required), names(produced)
    if accepted is None or possible is None:
        return False
    for one in possible:
        if one not in accepted and not (one == "integer" and "number" in accepted):
            return False
    if any(produced.qualifiers.get(key) != value for key, value in required.qualifiers.items()):
        return False
    if required.dimension is not None and produced.dimension != required.dimension:
        return False
    if required.unit is None or produced.unit == required.unit:
        return True
    return any(
        (known.dimension, known.from_unit, known.to_unit)
        == (required.dimension or produced.dimension, produced.unit, required.unit)
        for known in context.unit_conversions
    )


@given(st.lists(contracts, max_size=4), states, st.just(NOTHING) | contexts)
def test_requirements_follow_the_model(
    requirements: list[CapabilityFieldContract],
    state: TypedExecutionState,
    context: CompatibilityContext,
) -> None:
    expected = []
    for required in requirements:
        there = [
            field.contract
            for field in state.observed_fields
            if same_meaning(required.semantic_id, field.contract.semantic_id, context)
        ]
        if not there:
            expected.append(("missing_required_state", required.semantic_id))
        elif not any(fits(required, produced, context) for produced in there):
            expected.append(("incompatible_state", required.semantic_id))
    found = evaluate_state_eligibility(requirements, state, context=context)
    assert [(reason.code, reason.semantic_id) for reason in found.reasons] == expected
    codes = {code for code, _ in expected}
    graver = "incompatible_state" if "incompatible_state" in codes else "missing_required_state"
    assert found.status == (graver if codes else "eligible")


@given(st.lists(preconditions, max_size=4), states, st.just(NOTHING) | contexts)
def test_preconditions_follow_the_model(
    conditions: list[CapabilityPrecondition],
    state: TypedExecutionState,
    context: CompatibilityContext,
) -> None:
    expected = []
    for condition in conditions:
        there = [
            field.stable_identifier
            for field in state.observed_fields
            if same_meaning(condition.semantic_id, field.contract.semantic_id, context)
        ]
        known = [identifier for identifier in there if identifier is not None]
        holds = {
            "exists": True,
            "equals": condition.value in known,
            "contains": any((condition.value or "") in one for one in known),
        }[condition.operator]
        if not there:
            expected.append(("missing_required_state", condition.semantic_id))
        elif not holds:
            expected.append(("precondition_failed", condition.semantic_id))
    found = evaluate_preconditions(conditions, state, context=context)
    assert [(reason.code, reason.semantic_id) for reason in found.reasons] == expected
    assert found.eligible == (not expected)


@given(contracts, contracts, st.just(NOTHING) | contexts)
def test_statuses_say_why(
    required: CapabilityFieldContract,
    produced: CapabilityFieldContract,
    context: CompatibilityContext,
) -> None:
    found = compare_capability_fields(required, produced, context=context)
    codes = {reason.code for reason in found.reasons}
    misfits = {code for code in codes if code.endswith(("_mismatch", "_incompatible"))}
    assert (found.status == "incompatible") == bool(misfits)
    assert (found.status == "unknown") == ("metadata_incomplete" in codes)
    assert (found.status == "exact") == (required == produced and found.satisfies)
    assert (found.status == "convertible") == (found.satisfies and "conversion_declared" in codes)


@given(contracts)
def test_a_contract_with_a_type_satisfies_itself(contract: CapabilityFieldContract) -> None:
    found = compare_capability_fields(contract, contract)
    assert found.status in {"exact", "unknown"}
    assert (found.status == "exact") == fits(contract, contract, NOTHING)


@given(
    st.lists(contracts, max_size=3),
    st.lists(preconditions, max_size=3),
    states,
    states,
    st.just(NOTHING) | contexts,
    contexts,
)
def test_knowing_more_never_takes_away(
    requirements: list[CapabilityFieldContract],
    conditions: list[CapabilityPrecondition],
    state: TypedExecutionState,
    more: TypedExecutionState,
    context: CompatibilityContext,
    declared: CompatibilityContext,
) -> None:
    """More observations, in any order, or more declarations: what was eligible stays so."""
    richer = state.model_copy(
        update={"observed_fields": (*more.observed_fields, *state.observed_fields)}
    )
    wider = CompatibilityContext(
        semantic_equivalences=context.semantic_equivalences + declared.semantic_equivalences,
        unit_conversions=context.unit_conversions + declared.unit_conversions,
    )
    for held, known in ((richer, context), (state, wider)):
        if evaluate_state_eligibility(requirements, state, context=context).eligible:
            assert evaluate_state_eligibility(requirements, held, context=known).eligible
        if evaluate_preconditions(conditions, state, context=context).eligible:
            assert evaluate_preconditions(conditions, held, context=known).eligible
