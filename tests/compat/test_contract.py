"""Names, members, defaults and signatures: what a host's code spells."""

from __future__ import annotations

import enum
import inspect
import json
import typing
from typing import Any

import pytest
from hypothesis import given
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticUndefined

import router
from tests.compat.published import BOTH, make, published
from tests.compat.strategies import any_contracts, contexts, preconditions, states

MODELS = [
    "AuthRequirementSet",
    "AuthSchemeRequirement",
    "CapabilityCandidate",
    "CapabilityCompatibility",
    "CapabilityFieldContract",
    "CapabilityPrecondition",
    "CapabilityRetrieval",
    "CompatibilityContext",
    "CompatibilityReason",
    "EndpointSpec",
    "EvidenceRequirements",
    "FieldSpec",
    "ObservedStateField",
    "ParameterSpec",
    "PlanRequest",
    "QueryIntent",
    "ScoreComponent",
    "SemanticEquivalence",
    "ServerProjectionSpec",
    "StateAwareCapabilityCandidate",
    "StateAwareCapabilityRetrieval",
    "StateConditionedCapabilityRetrieval",
    "StateEligibility",
    "StateEligibilityReason",
    "ToolSpec",
    "TypedExecutionState",
    "UnitConversion",
    "UnitNormalizationSpec",
]
# A tool may be declared before its endpoints are.
LESS_REQUIRED = {("ToolSpec", "endpoints")}


def default(field: Any) -> Any:
    if field.default is not PydanticUndefined:
        return plain(field.default)
    return plain(field.default_factory()) if field.default_factory else "required"


def plain(value: Any) -> Any:
    """A value without the choice of container."""
    if isinstance(value, BaseModel):
        return {name: plain(member) for name, member in value}
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if isinstance(value, set | frozenset):
        return sorted(value)
    return value


@pytest.mark.parametrize("name", MODELS)
def test_every_member_is_there_with_its_default(name: str) -> None:
    ours, theirs = (getattr(package, name) for package in BOTH)
    for member, field in theirs.model_fields.items():
        assert member in ours.model_fields, member
        if (name, member) not in LESS_REQUIRED:
            assert default(ours.model_fields[member]) == default(field), member
    added = ours.model_fields.keys() - theirs.model_fields.keys()
    assert all(not ours.model_fields[member].is_required() for member in added)


@pytest.mark.parametrize("name", MODELS)
def test_every_property_and_method_is_there(name: str) -> None:
    ours, theirs = (getattr(package, name) for package in BOTH)
    public = {
        member
        for member, value in vars(theirs).items()
        if not member.startswith(("_", "model_"))
        and (isinstance(value, property | classmethod) or inspect.isfunction(value))
        # Validators are called by pydantic, not by hosts.
        and member not in theirs.__pydantic_decorators__.model_validators
        and member not in theirs.__pydantic_decorators__.field_validators
        and member not in theirs.__pydantic_decorators__.model_serializers
    }
    assert {member for member in public if not hasattr(ours, member)} == set()


def _literals(annotation: Any) -> set[Any]:
    if typing.get_origin(annotation) is typing.Literal:
        return set(typing.get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return {member.value for member in annotation}
    return set().union(*map(_literals, typing.get_args(annotation)))


@pytest.mark.parametrize("name", MODELS)
def test_every_word_of_a_closed_list_is_there(name: str) -> None:
    ours, theirs = (getattr(package, name) for package in BOTH)
    for member, field in theirs.model_fields.items():
        words, known = _literals(field.annotation), _literals(ours.model_fields[member].annotation)
        assert words <= known, member
        # What the router answers with is exactly as published; what it is told may be more.
        if name.endswith(("Reason", "Eligibility", "Compatibility", "Candidate")):
            assert words == known, member


CALLS = [
    "compare_capability_fields",
    "evaluate_candidate_state",
    "evaluate_preconditions",
    "evaluate_state_eligibility",
    "filter_retrieval_by_state",
    "backfill_ranked_candidates_by_state",
    *(
        f"{owner}.{method}"
        for owner in ("SchemaRouter", "ConfiguredSchemaRouter")
        for method in (
            "retrieve",
            "aretrieve",
            "retrieve_state_aware",
            "aretrieve_state_aware",
            "reretrieve_state_aware",
            "areretrieve_state_aware",
        )
    ),
    *(
        f"SchemaRouter.{method}"
        for method in (
            "add_tool",
            "remove_tool",
            "mark_access_available",
            "mark_access_unavailable",
            "unavailable_access_paths",
            "with_config",
        )
    ),
    *(
        f"InMemoryRegistry.{method}"
        for method in ("endpoint", "get", "keys", "register", "tools", "unregister")
    ),
]


@pytest.mark.parametrize("path", CALLS)
def test_every_call_can_be_made(path: str) -> None:
    found: list[dict[str, inspect.Parameter]] = []
    awaited: list[bool] = []
    for package in BOTH:
        target: Any = package
        for name in path.split("."):
            target = getattr(target, name)
        found.append(dict(inspect.signature(target).parameters))
        awaited.append(inspect.iscoroutinefunction(target))
    ours, theirs = found
    assert awaited[0] == awaited[1]
    for name, parameter in theirs.items():
        assert (ours[name].kind, ours[name].default) == (parameter.kind, parameter.default), name
    positional = [name for name, one in ours.items() if one.kind.name == "POSITIONAL_OR_KEYWORD"]
    assert positional == [n for n, one in theirs.items() if one.kind.name != "KEYWORD_ONLY"]
    added = ours.keys() - theirs.keys()
    assert all(ours[name].default is not inspect.Parameter.empty for name in added)


def test_a_router_is_made_with_the_same_words() -> None:
    ours, theirs = (inspect.signature(package.SchemaRouter.__init__).parameters for package in BOTH)
    for name in ("analyzer", "registry", "unavailable_cooldown_seconds"):
        assert (ours[name].kind, ours[name].default) == (theirs[name].kind, theirs[name].default)


@pytest.mark.parametrize("name", ["PlanningError", "RegistrationError"])
def test_errors_have_their_base(name: str) -> None:
    for package in BOTH:
        assert issubclass(getattr(package, name), package.SchemaRouterError)


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("CapabilityFieldContract", {"semantic_id": ""}),
    ("CapabilityFieldContract", {"semantic_id": " x"}),
    ("CapabilityFieldContract", {"semantic_id": "x", "unit": ""}),
    ("CapabilityFieldContract", {"semantic_id": "x", "dimension": "x "}),
    ("CapabilityFieldContract", {"semantic_id": "x", "surprise": 1}),
    ("CapabilityPrecondition", {"semantic_id": "x", "operator": "equals"}),
    ("CapabilityPrecondition", {"semantic_id": "x", "operator": "contains"}),
    ("CapabilityPrecondition", {"semantic_id": "x", "operator": "matches", "value": "v"}),
    ("TypedExecutionState", {"completed_route_ids": ["a", "a"]}),
    ("TypedExecutionState", {"last_status": "done"}),
    ("ObservedStateField", {"contract": {"semantic_id": "x"}, "stable_identifier": 5}),
    ("FieldSpec", {"name": "x", "unit": ""}),
    (
        "FieldSpec",
        {"name": "x", "unit_normalization": {"dimension": "d", "canonical_unit": "m"}},
    ),
    ("UnitNormalizationSpec", {"dimension": "d", "canonical_unit": "m", "scale": 0}),
    ("AuthSchemeRequirement", {"name": "k", "kind": "api_key"}),
    ("AuthSchemeRequirement", {"name": "k", "kind": "http"}),
    ("ServerProjectionSpec", {"parameter": "p", "separator": ""}),
    ("ServerProjectionSpec", {"parameter": "p", "field_map": {"": "x"}}),
    ("EndpointSpec", {"name": "e", "parameters": [{"name": "p"}, {"name": "p"}]}),
    ("PlanRequest", {"query": "q", "max_calls": 0}),
    ("PlanRequest", {"query": "q", "field_evidence": {" x": {}}}),
]


@pytest.mark.parametrize(("kind", "document"), REFUSED)
def test_both_refuse(kind: str, document: dict[str, Any]) -> None:
    for package in BOTH:
        with pytest.raises(ValidationError):
            make(package, kind, document)


def _round(kind: str, document: Any) -> None:
    ours, theirs = (make(package, kind, document) for package in BOTH)
    assert plain(ours) == plain(theirs)
    # A checkpoint that one has written is read by the other.
    assert make(router, kind, json.loads(theirs.model_dump_json())) == ours
    assert make(published, kind, json.loads(ours.model_dump_json())) == theirs


@given(states)
def test_states_are_exchanged(state: dict[str, Any]) -> None:
    _round("TypedExecutionState", state)


@given(any_contracts)
def test_contracts_are_exchanged(contract: dict[str, Any]) -> None:
    _round("CapabilityFieldContract", contract)


@given(preconditions)
def test_preconditions_are_exchanged(precondition: dict[str, Any]) -> None:
    _round("CapabilityPrecondition", precondition)


@given(contexts)
def test_contexts_are_exchanged(context: dict[str, Any]) -> None:
    _round("CompatibilityContext", context)


def test_a_field_gives_the_same_contract() -> None:
    documents = [
        {"name": "x"},
        {"name": "x", "semantic_id": "s", "unit": "m", "qualifiers": {"a": "b"}},
        {
            "name": "x",
            "semantic_id": "s",
            "json_schema": {"type": "number"},
            "unit": "m",
            "unit_normalization": {"dimension": "length", "canonical_unit": "km", "scale": 0.001},
        },
    ]
    for document in documents:
        found = [
            package.CapabilityFieldContract.from_field(make(package, "FieldSpec", document))
            for package in BOTH
        ]
        assert plain(found[0]) == plain(found[1])


# What is otherwise, on purpose. When one of these fails, the two have come closer.


def test_a_malformed_list_of_types_is_unknown_here() -> None:
    """A list with something that is no type name declares nothing that can be relied on."""
    found = []
    for package in BOTH:
        contracts = make(
            package,
            "CapabilityFieldContract",
            [
                {"semantic_id": "x", "json_schema": {"type": ["string", 5]}},
                {"semantic_id": "x", "json_schema": {"type": "string"}},
            ],
        )
        found.append(package.compare_capability_fields(contracts[1], contracts[0]).status)
    assert found == ["unknown", "compatible"]


def test_an_empty_catalog_is_an_answer_here() -> None:
    """An error would tell a catalog of hidden tools from one that hides none."""
    assert router.SchemaRouter().retrieve("q").total_ranked == 0
    with pytest.raises(published.PlanningError):
        published.SchemaRouter().retrieve("q")


def test_records_are_frozen_here() -> None:
    ours, theirs = (make(package, "TypedExecutionState", {}) for package in BOTH)
    theirs.task_incomplete = True
    with pytest.raises(ValidationError):
        ours.task_incomplete = True


def test_equal_field_names_are_told_apart_by_their_path_here() -> None:
    document = {"name": "e", "output_fields": [{"name": "id"}, {"name": "id", "path": ["a", "id"]}]}
    assert len(make(router, "EndpointSpec", document).output_fields) == 2
    with pytest.raises(ValidationError):
        make(published, "EndpointSpec", document)
