from __future__ import annotations

import pytest
from pydantic import ValidationError

from router import CapabilityFieldContract, FieldSpec, ParameterSpec, UnitNormalizationSpec


@pytest.mark.parametrize("spelled", ["", " ", " order.id", "order.id\n"])
@pytest.mark.parametrize("member", ["semantic_id", "unit", "dimension"])
def test_names_are_compared_by_spelling_so_blanks_are_refused(member: str, spelled: str) -> None:
    sound = {"semantic_id": "order.id", "unit": "kg", "dimension": "mass"}
    CapabilityFieldContract.model_validate(sound)
    with pytest.raises(ValidationError, match="white space"):
        CapabilityFieldContract.model_validate({**sound, member: spelled})


def test_a_contract_declares_nothing_by_itself() -> None:
    bare = CapabilityFieldContract(semantic_id="order.id")
    assert bare.model_dump() == {
        "semantic_id": "order.id",
        "json_schema": {},
        "unit": None,
        "dimension": None,
        "qualifiers": {},
    }


def test_a_contract_is_taken_from_a_field() -> None:
    field = FieldSpec(
        name="weight",
        semantic_id="parcel.weight",
        json_schema={"type": "number"},
        unit="kg",
        dimension="mass",
        qualifiers={"source": "declared"},
    )
    assert CapabilityFieldContract.from_field(field) == CapabilityFieldContract(
        semantic_id="parcel.weight",
        json_schema={"type": "number"},
        unit="kg",
        dimension="mass",
        qualifiers={"source": "declared"},
    )


def test_a_normalised_field_counts_in_its_canonical_unit() -> None:
    to_kilograms = UnitNormalizationSpec(dimension="mass", canonical_unit="kg", scale=0.001)
    field = FieldSpec(
        name="w", semantic_id="parcel.weight", unit="g", unit_normalization=to_kilograms
    )
    contract = CapabilityFieldContract.from_field(field)
    assert contract is not None
    assert (contract.unit, contract.dimension) == ("kg", "mass")


def test_a_parameter_says_what_it_requires() -> None:
    parameter = ParameterSpec(name="id", semantic_id="order.id", json_schema={"type": "string"})
    contract = CapabilityFieldContract.from_field(parameter)
    assert contract == CapabilityFieldContract(
        semantic_id="order.id", json_schema={"type": "string"}
    )


def test_without_a_meaning_there_is_no_contract() -> None:
    assert CapabilityFieldContract.from_field(FieldSpec(name="order_id")) is None
