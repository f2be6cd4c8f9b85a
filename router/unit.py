"""How a provider's unit becomes the unit that a catalog uses."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from router.record import Record, Trimmed

__all__ = ["UnitNormalizationSpec"]


class UnitNormalizationSpec(Record):
    """A linear conversion that the host declares: ``canonical = scale * source + offset``."""

    dimension: Trimmed
    """What is measured, such as ``length``."""
    canonical_unit: Trimmed
    scale: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """Canonical units in one source unit."""
    offset: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    """In canonical units."""
