from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from router import (
    CapabilityFieldContract,
    CapabilityPrecondition,
    CompatibilityContext,
    ObservedStateField,
    SemanticEquivalence,
    StateEligibility,
    TypedExecutionState,
    UnitConversion,
    evaluate_preconditions,
    evaluate_state_eligibility,
)


def contract(
    semantic_id: str, type_: str | None = "string", **more: Any
) -> CapabilityFieldContract:
    schema = {} if type_ is None else {"type": type_}
    return CapabilityFieldContract(semantic_id=semantic_id, json_schema=schema, **more)


def observed(
    field: CapabilityFieldContract | str, identifier: str | None = None
) -> ObservedStateField:
    field = contract(field) if isinstance(field, str) else field
    return ObservedStateField(contract=field, stable_identifier=identifier)


def state(*fields: ObservedStateField) -> TypedExecutionState:
    return TypedExecutionState(observed_fields=fields)


def codes(eligibility: StateEligibility) -> tuple[str, list[tuple[str, str]]]:
    assert eligibility.eligible == (eligibility.status == "eligible")
    assert all(reason.detail for reason in eligibility.reasons)
    return eligibility.status, [(one.code, one.semantic_id) for one in eligibility.reasons]


ELIGIBLE: tuple[str, list[tuple[str, str]]] = ("eligible", [])
MISSING, UNFIT = "missing_required_state", "incompatible_state"


def requirements(*names: Any) -> list[CapabilityFieldContract]:
    return [contract(name) if isinstance(name, str) else name for name in names]


def test_without_requirements_every_state_will_do() -> None:
    assert codes(evaluate_state_eligibility([], state())) == ELIGIBLE


def test_a_requirement_is_met_by_any_observed_field_of_its_type() -> None:
    fields = [observed(contract("a", "integer")), observed("b"), observed("a")]
    assert codes(evaluate_state_eligibility(requirements("a", "b"), state(*fields))) == ELIGIBLE


def test_what_was_not_observed_is_missing() -> None:
    found = evaluate_state_eligibility(requirements("a", "A"), state(observed("a ".strip())))
    assert codes(found) == (MISSING, [(MISSING, "A")])


@pytest.mark.parametrize(
    "unfit", [contract("a", "number"), contract("a", None)], ids=["other type", "not declared"]
)
def test_what_is_not_known_to_fit_does_not_fit(unfit: CapabilityFieldContract) -> None:
    found = evaluate_state_eligibility(requirements("a"), state(observed(unfit)))
    assert codes(found) == (UNFIT, [(UNFIT, "a")])


def test_a_requirement_without_a_type_is_never_met() -> None:
    """Fail closed: nothing can be shown to fit it."""
    found = evaluate_state_eligibility([contract("a", None)], state(observed("a")))
    assert codes(found) == (UNFIT, [(UNFIT, "a")])


def test_reasons_stand_in_the_order_of_the_requirements() -> None:
    there = state(observed(contract("i", "number")), observed("ok"))
    assert codes(evaluate_state_eligibility(requirements("m", "ok", "i"), there)) == (
        UNFIT,
        [(MISSING, "m"), (UNFIT, "i")],
    )
    assert codes(evaluate_state_eligibility(requirements("i", "m"), there)) == (
        UNFIT,
        [(UNFIT, "i"), (MISSING, "m")],
    )
    assert codes(evaluate_state_eligibility(requirements("m", "m"), there)) == (
        MISSING,
        [(MISSING, "m"), (MISSING, "m")],
    )


def test_a_detail_names_the_findings_once() -> None:
    fields = [contract("a", "number", unit="kg"), contract("a", "integer", unit="g")]
    found = evaluate_state_eligibility(
        [contract("a", "string", unit="m")], state(*map(observed, fields))
    )
    assert found.reasons[0].detail == (
        "Nothing observed is known to fit: type_incompatible, unit_incompatible."
    )


CONTEXT = CompatibilityContext(
    semantic_equivalences=(
        SemanticEquivalence(canonical_id="order.id", aliases=frozenset({"purchase.id"})),
    ),
    unit_conversions=(UnitConversion(dimension="length", from_unit="km", to_unit="m"),),
)


def test_synonyms_and_conversions_hold_only_where_declared() -> None:
    required = requirements("purchase.id", contract("depth", "number", unit="m"))
    there = state(
        observed("order.id"),
        observed(contract("depth", "integer", unit="km", dimension="length")),
    )
    assert codes(evaluate_state_eligibility(required, there)) == (
        UNFIT,
        [(MISSING, "purchase.id"), (UNFIT, "depth")],
    )
    assert codes(evaluate_state_eligibility(required, there, context=CONTEXT)) == ELIGIBLE


def test_a_synonym_of_another_type_is_unfit_not_missing() -> None:
    there = state(observed(contract("order.id", "number")))
    found = evaluate_state_eligibility(requirements("purchase.id"), there, context=CONTEXT)
    assert codes(found) == (UNFIT, [(UNFIT, "purchase.id")])


def exists(semantic_id: str) -> CapabilityPrecondition:
    return CapabilityPrecondition(semantic_id=semantic_id)


def equals(semantic_id: str, value: str) -> CapabilityPrecondition:
    return CapabilityPrecondition(semantic_id=semantic_id, operator="equals", value=value)


def contains(semantic_id: str, value: str) -> CapabilityPrecondition:
    return CapabilityPrecondition(semantic_id=semantic_id, operator="contains", value=value)


FAILED = "precondition_failed"
VALUES: list[tuple[CapabilityPrecondition, str | None, bool]] = [
    (exists("a"), None, True),
    (exists("a"), "v", True),
    (equals("a", "v"), "v", True),
    (equals("a", "v"), "V", False),
    (equals("a", "v"), "v ", False),
    (equals("a", "v"), "", False),
    (equals("a", "v"), None, False),
    (equals("a", ""), "", True),
    (equals("a", ""), None, False),
    (contains("a", "v"), "xvx", True),
    (contains("a", "v"), "V", False),
    (contains("a", "v"), None, False),
    (contains("a", ""), "x", True),
    (contains("a", ""), None, False),
]


@pytest.mark.parametrize(("precondition", "identifier", "holds"), VALUES)
def test_preconditions_read_stable_identifiers(
    precondition: CapabilityPrecondition, identifier: str | None, holds: bool
) -> None:
    found = evaluate_preconditions([precondition], state(observed("a", identifier)))
    assert codes(found) == (ELIGIBLE if holds else (FAILED, [(FAILED, "a")]))


def test_one_of_several_identifiers_is_enough() -> None:
    there = state(observed("a"), observed("a", "x"), observed("a", "v"))
    assert codes(evaluate_preconditions([equals("a", "v")], there)) == ELIGIBLE


def test_types_do_not_matter_to_preconditions() -> None:
    there = state(observed(contract("a", None), "v"))
    assert codes(evaluate_preconditions([exists("a"), equals("a", "v")], there)) == ELIGIBLE


def test_without_observation_a_precondition_is_missing_its_state() -> None:
    found = evaluate_preconditions([equals("a", "v"), exists("b")], state())
    assert codes(found) == (MISSING, [(MISSING, "a"), (MISSING, "b")])


def test_a_failed_precondition_outweighs_a_missing_one() -> None:
    found = evaluate_preconditions([exists("b"), equals("a", "v")], state(observed("a", "x")))
    assert codes(found) == (FAILED, [(MISSING, "b"), (FAILED, "a")])


def test_preconditions_know_synonyms() -> None:
    there = state(observed("order.id", "v"))
    condition = [equals("purchase.id", "v")]
    assert codes(evaluate_preconditions(condition, there))[0] == MISSING
    assert codes(evaluate_preconditions(condition, there, context=CONTEXT)) == ELIGIBLE


@pytest.mark.parametrize("operator", ["equals", "contains"])
def test_a_comparison_needs_a_value(operator: str) -> None:
    with pytest.raises(ValidationError, match="needs a value"):
        CapabilityPrecondition.model_validate({"semantic_id": "a", "operator": operator})


def test_a_route_is_completed_once() -> None:
    with pytest.raises(ValidationError, match="more than once"):
        TypedExecutionState(completed_route_ids=("t.e", "t.e"))


def test_a_new_state_says_nothing() -> None:
    assert TypedExecutionState().model_dump() == {
        "original_request_ref": None,
        "completed_route_ids": (),
        "observed_fields": (),
        "last_status": "unknown",
        "error_class": None,
        "task_incomplete": False,
    }
