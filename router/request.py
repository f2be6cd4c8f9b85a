"""What a caller asks, and what an analyser makes of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from router.frozen import FrozenDict, freeze
from router.record import Opaque, Record, Trimmed

__all__ = ["EvidenceRequirements", "PlanRequest", "QueryIntent", "as_request"]


class EvidenceRequirements(Record):
    """What a caller wants to know about where a value comes from."""

    provenance: bool = False
    license: bool = False
    units: bool = False
    source_type: str | None = None


FieldEvidence = Annotated[dict[Trimmed, EvidenceRequirements], AfterValidator(freeze)]


class PlanRequest(Record):
    """A request in words, with what the caller can say about it in advance.

    Retrieval reads :attr:`query`, :attr:`concepts` and :attr:`preferred_tools`. The other members
    are for the host's own planner, and pass through untouched.
    """

    query: str
    concepts: tuple[str, ...] = ()
    """Words that belong to the request, searched like the query's."""
    preferred_tools: tuple[str, ...] = ()
    """Keys of tools whose routes come first."""
    arguments: Opaque = Field(default_factory=FrozenDict)
    evidence: EvidenceRequirements = EvidenceRequirements()
    field_evidence: FieldEvidence = Field(default_factory=FrozenDict)
    """Requirements for single fields, by semantic id."""
    max_calls: Annotated[int, Field(ge=1, le=32)] = 1
    retrieval_mode: Literal["coverage", "corroborate"] = "coverage"
    fallback_scope: Literal["disabled", "same_provider", "cross_provider"] = "disabled"
    max_fallbacks: Annotated[int, Field(ge=0, le=8)] = 2


class QueryIntent(Record):
    """What an analyser finds in a request; it is added to what the request says."""

    concepts: tuple[str, ...] = ()
    preferred_tools: tuple[str, ...] = ()
    """Keys of tools."""
    preferred_endpoints: tuple[str, ...] = ()
    """Route ids; they come before the routes of preferred tools."""
    arguments: Opaque = Field(default_factory=FrozenDict)
    evidence: EvidenceRequirements = EvidenceRequirements()
    field_evidence: FieldEvidence = Field(default_factory=FrozenDict)


def as_request(request: PlanRequest | str) -> PlanRequest:
    """A request from its query.

    Raises
    ------
    TypeError
        When it is neither a request nor a text.
    """
    if isinstance(request, PlanRequest):
        return request
    if isinstance(request, str):
        return PlanRequest(query=request)
    raise TypeError(f"A request is a PlanRequest or a text, not {type(request).__name__}.")
