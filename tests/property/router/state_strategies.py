"""Contracts, states and declarations with few names, so that they meet, and gaps everywhere."""

from __future__ import annotations

from hypothesis import strategies as st

from router import (
    CapabilityFieldContract,
    CapabilityPrecondition,
    CompatibilityContext,
    ObservedStateField,
    SemanticEquivalence,
    TypedExecutionState,
    UnitConversion,
)

TYPES = ["string", "integer", "number", "null", "array"]
meanings = st.sampled_from(["a", "b", "c", "A"])
units = st.sampled_from(["kg", "g", "m"])
dimensions = st.sampled_from(["mass", "length"])

schemas = st.one_of(
    st.sampled_from(TYPES).map(lambda one: {"type": one}),
    st.lists(st.sampled_from(TYPES), min_size=1, max_size=3).map(lambda many: {"type": many}),
    st.sampled_from([{}, {"enum": ["x"]}, {"type": []}, {"type": ["string", 5]}, {"type": None}]),
)
contracts = st.builds(
    CapabilityFieldContract,
    semantic_id=meanings,
    json_schema=st.just({"type": "string"}) | schemas,
    unit=st.none() | units,
    dimension=st.none() | dimensions,
    qualifiers=st.just({}) | st.dictionaries(st.sampled_from("xy"), st.sampled_from("12")),
)
identifiers = st.none() | st.sampled_from(["", "v", "vw", "주문"])
observations = st.builds(ObservedStateField, contract=contracts, stable_identifier=identifiers)
states = st.builds(
    TypedExecutionState,
    observed_fields=st.lists(observations, max_size=5).map(tuple),
    last_status=st.sampled_from(["success", "failure", "partial", "unknown"]),
    task_incomplete=st.booleans(),
)
preconditions = st.builds(
    CapabilityPrecondition,
    semantic_id=meanings,
    operator=st.sampled_from(["exists", "equals", "contains"]),
    value=st.sampled_from(["", "v", "w"]),
)
contexts = st.builds(
    CompatibilityContext,
    semantic_equivalences=st.lists(
        st.builds(
            SemanticEquivalence,
            canonical_id=meanings,
            aliases=st.frozensets(meanings, max_size=2),
        ),
        max_size=2,
    ).map(tuple),
    unit_conversions=st.lists(
        st.builds(UnitConversion, dimension=dimensions, from_unit=units, to_unit=units),
        max_size=4,
    ).map(tuple),
)
