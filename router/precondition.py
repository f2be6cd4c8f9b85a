"""Conditions on observed values that a host declares for a route."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from router.record import Record

__all__ = ["CapabilityPrecondition"]


class CapabilityPrecondition(Record):
    """A condition on the observed fields of one meaning."""

    semantic_id: str
    operator: Literal["exists", "equals", "contains"] = "exists"
    """``exists``: something was observed. ``equals``, ``contains``: a stable identifier among
    what was observed is the value, or has it as a part."""
    value: str | None = None
    """Text that ``equals`` and ``contains`` compare with, exactly; ``exists`` ignores it."""

    @model_validator(mode="after")
    def _has_value(self) -> Self:
        if self.operator != "exists" and self.value is None:
            raise ValueError(f"`{self.operator}` needs a value to compare with")
        return self

    def holds_for(self, identifier: str) -> bool:
        """Whether a stable identifier meets the condition."""
        if self.operator == "exists" or self.value is None:
            return True
        return identifier == self.value if self.operator == "equals" else self.value in identifier
