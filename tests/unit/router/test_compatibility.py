"""The rules of comparison, one by one: requirement, what is there, outcome."""

from __future__ import annotations

from typing import Any

import pytest

from router import (
    CapabilityCompatibility,
    CapabilityFieldContract,
    CompatibilityContext,
    CompatibilityStatus,
    SemanticEquivalence,
    UnitConversion,
    compare_capability_fields,
)

DECLARED = CompatibilityContext(
    semantic_equivalences=(
        SemanticEquivalence(canonical_id="order.id", aliases=frozenset({"purchase.id"})),
    ),
    unit_conversions=(UnitConversion(dimension="length", from_unit="km", to_unit="m"),),
)


def contract(semantic_id: str = "x", type_: Any = "number", **more: Any) -> CapabilityFieldContract:
    schema = {} if type_ is None else {"type": type_}
    return CapabilityFieldContract(semantic_id=semantic_id, json_schema=schema, **more)


def outcome(
    required: CapabilityFieldContract,
    produced: CapabilityFieldContract,
    context: CompatibilityContext | None = None,
) -> tuple[str, list[str]]:
    found = compare_capability_fields(required, produced, context=context)
    assert found.satisfies == (found.status in {"exact", "compatible", "convertible"})
    assert all(reason.detail for reason in found.reasons)
    return found.status, [reason.code for reason in found.reasons]


TYPES: list[tuple[Any, Any, str]] = [
    ("string", "string", "exact"),
    ("number", "integer", "compatible"),
    ("integer", "number", "incompatible"),
    ("string", "integer", "incompatible"),
    ("number", ["integer", "number"], "compatible"),
    ("number", ["integer", "null"], "incompatible"),
    (["number", "null"], ["integer", "null"], "compatible"),
    (["string", "null"], "string", "compatible"),
    ("string", ["string", "null"], "incompatible"),
    (["string", "null"], ["null", "string"], "compatible"),
    (["integer", "string"], ["integer", "string"], "exact"),
    ("geo", "geo", "exact"),
    ("geo", "string", "incompatible"),
    (None, "string", "unknown"),
    ("string", None, "unknown"),
    (None, None, "unknown"),
    ("string", [], "unknown"),
    ("string", ["string", 5], "unknown"),
    ("string", 5, "unknown"),
    ("string", {"a": 1}, "unknown"),
]


@pytest.mark.parametrize(("required", "produced", "status"), TYPES)
def test_json_types(required: Any, produced: Any, status: str) -> None:
    codes = {"incompatible": ["type_incompatible"], "unknown": ["metadata_incomplete"]}
    assert outcome(contract(type_=required), contract(type_=produced)) == (
        status,
        codes.get(status, []),
    )


def test_only_the_type_of_a_schema_is_compared() -> None:
    required = CapabilityFieldContract(
        semantic_id="x", json_schema={"type": "string", "enum": ["a"]}
    )
    produced = CapabilityFieldContract(
        semantic_id="x", json_schema={"type": "string", "pattern": "^b$"}
    )
    assert outcome(required, produced) == ("compatible", [])
    alternatives = CapabilityFieldContract(
        semantic_id="x", json_schema={"anyOf": [{"type": "string"}]}
    )
    assert outcome(required, alternatives) == ("unknown", ["metadata_incomplete"])


METRES, KILOMETRES = {"unit": "m"}, {"unit": "km"}
LENGTH = {"dimension": "length"}
MEASURES: list[tuple[dict[str, str], dict[str, str], str, list[str]]] = [
    ({}, {"unit": "m", "dimension": "length"}, "compatible", []),
    (METRES, METRES, "exact", []),
    (METRES, {}, "unknown", ["metadata_incomplete"]),
    (METRES, LENGTH, "unknown", ["metadata_incomplete"]),
    (METRES, KILOMETRES, "incompatible", ["unit_incompatible"]),
    (METRES, METRES | LENGTH, "compatible", []),
    (LENGTH, METRES, "unknown", ["metadata_incomplete"]),
    (LENGTH, METRES | LENGTH, "compatible", []),
    (LENGTH, {"dimension": "mass"}, "incompatible", ["dimension_incompatible"]),
    (METRES | LENGTH, METRES, "unknown", ["metadata_incomplete"]),
    (METRES | LENGTH, KILOMETRES, "incompatible", ["unit_incompatible"]),
    (
        METRES | LENGTH,
        {"unit": "kg", "dimension": "mass"},
        "incompatible",
        ["dimension_incompatible", "unit_incompatible"],
    ),
]


@pytest.mark.parametrize(("required", "produced", "status", "codes"), MEASURES)
def test_units_and_dimensions(
    required: dict[str, str], produced: dict[str, str], status: str, codes: list[str]
) -> None:
    assert outcome(contract(**required), contract(**produced)) == (status, codes)


CONVERSIONS: list[tuple[dict[str, str], dict[str, str], str, list[str]]] = [
    (METRES | LENGTH, KILOMETRES | LENGTH, "convertible", ["conversion_declared"]),
    (METRES, KILOMETRES | LENGTH, "convertible", ["conversion_declared"]),
    (KILOMETRES | LENGTH, METRES | LENGTH, "incompatible", ["unit_incompatible"]),
    # Without a dimension on either side no conversion is known to apply.
    (METRES, KILOMETRES, "incompatible", ["unit_incompatible"]),
    (METRES | LENGTH, KILOMETRES, "unknown", ["conversion_declared", "metadata_incomplete"]),
    (
        METRES | LENGTH,
        KILOMETRES | {"dimension": "depth"},
        "incompatible",
        ["dimension_incompatible", "conversion_declared"],
    ),
    (METRES | LENGTH, METRES | LENGTH, "exact", []),
]


@pytest.mark.parametrize(("required", "produced", "status", "codes"), CONVERSIONS)
def test_declared_conversions(
    required: dict[str, str], produced: dict[str, str], status: str, codes: list[str]
) -> None:
    assert outcome(contract(**required), contract(**produced), DECLARED) == (status, codes)


QUALIFIERS: list[tuple[dict[str, str], dict[str, str], str, int]] = [
    ({}, {"source": "declared"}, "compatible", 0),
    ({"source": "declared"}, {"source": "declared"}, "exact", 0),
    ({"source": "declared"}, {"source": "declared", "day": "1"}, "compatible", 0),
    ({"source": "declared"}, {"source": "measured"}, "incompatible", 1),
    ({"source": "declared"}, {}, "incompatible", 1),
    ({"source": "declared", "day": "1"}, {"day": "2"}, "incompatible", 2),
]


@pytest.mark.parametrize(("required", "produced", "status", "mismatches"), QUALIFIERS)
def test_qualifiers(
    required: dict[str, str], produced: dict[str, str], status: str, mismatches: int
) -> None:
    """A qualifier that is not declared is a mismatch, not a gap."""
    assert outcome(contract(qualifiers=required), contract(qualifiers=produced)) == (
        status,
        ["qualifier_mismatch"] * mismatches,
    )


def test_another_meaning_is_all_there_is_to_say() -> None:
    required, produced = contract("order.id", "string"), contract("purchase.id", "number")
    assert outcome(required, produced) == ("incompatible", ["semantic_id_mismatch"])
    assert outcome(contract("x"), contract("X")) == ("incompatible", ["semantic_id_mismatch"])


def test_a_declared_synonym_is_compatible_never_exact() -> None:
    required, produced = contract("order.id", "string"), contract("purchase.id", "string")
    assert outcome(required, produced, DECLARED) == (
        "compatible",
        ["semantic_equivalence_declared"],
    )
    assert outcome(produced, required, DECLARED)[0] == "compatible"
    assert outcome(required, contract("invoice.id", "string"), DECLARED)[0] == "incompatible"


def test_findings_stand_in_one_order() -> None:
    required = contract(
        "order.id", "string", unit="m", dimension="length", qualifiers={"b": "1", "a": "2"}
    )
    produced = contract("purchase.id", "number", unit="kg", dimension="mass")
    assert outcome(required, produced, DECLARED) == (
        "incompatible",
        [
            "semantic_equivalence_declared",
            "type_incompatible",
            "qualifier_mismatch",
            "qualifier_mismatch",
            "dimension_incompatible",
            "unit_incompatible",
        ],
    )


def test_what_does_not_fit_outweighs_what_is_not_declared() -> None:
    required = contract(type_=None, unit="m", qualifiers={"a": "1"})
    assert outcome(required, contract(qualifiers={"a": "2"})) == (
        "incompatible",
        ["qualifier_mismatch"],
    )


def test_details_name_what_was_compared() -> None:
    required = contract(
        "order.id", None, unit="m", dimension="length", qualifiers={"source": "declared"}
    )
    produced = contract("purchase.id", ["null", "string"], unit="kg", dimension="mass")
    found = compare_capability_fields(required, produced, context=DECLARED)
    assert [reason.detail for reason in found.reasons] == [
        "The host equates 'purchase.id' with 'order.id'.",
        "The qualifier 'source' is not 'declared'.",
        "The dimension 'mass' is not 'length'.",
        "No conversion of 'kg' to 'm' is declared.",
    ]
    bare = compare_capability_fields(
        required, contract("order.id", None, qualifiers={"source": "declared"})
    )
    assert bare.reasons[0].detail == "Not declared: JSON type, dimension, unit."
    typed = compare_capability_fields(contract(), contract(type_=["string", "null", "number"]))
    assert typed.reasons[0].detail == "The JSON type may be null, string."
    converted = compare_capability_fields(
        contract(unit="m"), contract(unit="km", dimension="length"), context=DECLARED
    )
    assert converted.reasons[0].detail == "The host converts 'km' to 'm'."
    other = compare_capability_fields(contract("a"), contract("b"))
    assert other.reasons[0].detail == "'b' is not 'a'."


@pytest.mark.parametrize("status", ["exact", "compatible", "convertible"])
def test_what_fits_satisfies(status: CompatibilityStatus) -> None:
    assert CapabilityCompatibility(status=status).satisfies


@pytest.mark.parametrize("status", ["incompatible", "unknown"])
def test_what_is_not_known_to_fit_does_not_satisfy(status: CompatibilityStatus) -> None:
    assert not CapabilityCompatibility(status=status).satisfies
