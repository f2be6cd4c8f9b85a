"""What a value is, declared: the type that requirements and observations are compared by."""

from __future__ import annotations

from typing import Self

from pydantic import Field

from router.contract import FieldSpec, ParameterSpec
from router.frozen import FrozenDict
from router.record import Json, Qualifiers, Record, Trimmed

__all__ = ["CapabilityFieldContract"]


class CapabilityFieldContract(Record):
    """The declared type of a value: its meaning, JSON type, unit and qualifiers.

    Everything here is compared as it is spelled. Nothing is inferred, and what is not declared is
    unknown rather than arbitrary.
    """

    semantic_id: Trimmed
    """What the value means, such as ``order.id``."""
    json_schema: Json = Field(default_factory=FrozenDict)
    """Its ``type`` is compared; without one the JSON type is unknown."""
    unit: Trimmed | None = None
    dimension: Trimmed | None = None
    qualifiers: Qualifiers = Field(default_factory=FrozenDict)
    """Further facts that tell two values of one meaning apart, such as ``source: declared``."""

    @classmethod
    def from_field(cls, field: FieldSpec | ParameterSpec) -> Self | None:
        """The type that an output field or a parameter declares.

        Returns
        -------
        CapabilityFieldContract or None
            In the canonical unit where the field is normalised; ``None`` without a semantic id.
        """
        if field.semantic_id is None:
            return None
        unit, dimension = field.unit, field.dimension
        if isinstance(field, FieldSpec) and field.unit_normalization is not None:
            unit = field.unit_normalization.canonical_unit
            dimension = field.unit_normalization.dimension
        return cls(
            semantic_id=field.semantic_id,
            json_schema=field.json_schema,
            unit=unit,
            dimension=dimension,
            qualifiers=field.qualifiers,
        )
