"""What a host has observed so far, typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, Self

from pydantic import model_validator

from router.context import CompatibilityContext
from router.field import CapabilityFieldContract
from router.record import Record

__all__ = ["ObservationIndex", "ObservedStateField", "TypedExecutionState"]


class ObservedStateField(Record):
    """A value that an earlier step returned: its type, and its name where it has a stable one."""

    contract: CapabilityFieldContract
    stable_identifier: str | None = None
    """The value itself where the host lets preconditions read it, such as an order number."""


class TypedExecutionState(Record):
    """The state that a host lets retrieval look at.

    Eligibility depends on :attr:`observed_fields` alone. The other members are the host's context:
    a completed route may be called again, and a failed one tried again.
    """

    original_request_ref: str | None = None
    completed_route_ids: tuple[str, ...] = ()
    observed_fields: tuple[ObservedStateField, ...] = ()
    last_status: Literal["success", "failure", "partial", "unknown"] = "unknown"
    error_class: str | None = None
    task_incomplete: bool = False

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len(set(self.completed_route_ids)) < len(self.completed_route_ids):
            raise ValueError("a completed route is listed more than once")
        return self


class ObservationIndex:
    """The observed fields by meaning.

    Parameters
    ----------
    state
        What was observed.
    context
        Synonyms and conversions that the host declares.
    """

    def __init__(self, state: TypedExecutionState, context: CompatibilityContext) -> None:
        self.context = context
        self._canonical = context.canonical_ids()
        by_meaning: defaultdict[str, list[ObservedStateField]] = defaultdict(list)
        for field in state.observed_fields:
            semantic_id = field.contract.semantic_id
            by_meaning[self._canonical.get(semantic_id, semantic_id)].append(field)
        self._by_meaning = dict(by_meaning)

    def find(self, semantic_id: str) -> Sequence[ObservedStateField]:
        """The fields with that semantic id, or one declared to mean the same, as observed."""
        meaning = self._canonical.get(semantic_id, semantic_id)
        return self._by_meaning.get(meaning, ())
