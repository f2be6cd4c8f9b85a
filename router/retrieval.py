"""What retrieval returns: ranked candidates, and nothing that can act."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from router.contract import FieldSpec, ParameterSpec
from router.frozen import FrozenDict
from router.record import Json, Record

__all__ = ["CapabilityCandidate", "CapabilityRetrieval", "ScoreComponent"]


class ScoreComponent(Record):
    """What a preference adds to a candidate's score."""

    kind: str
    """``preferred_tool`` or ``preferred_endpoint``."""
    value: float
    matched: str | None = None
    """The key of the preferred tool, or the preferred route id."""


class CapabilityCandidate(Record):
    """A visible, available endpoint with its place in a ranking."""

    rank: Annotated[int, Field(ge=1)]
    """Place among all visible and available routes, whatever was left out afterwards."""
    route_id: str
    tool: str
    """Key of the tool."""
    endpoint: str
    tool_description: str = ""
    endpoint_description: str = ""
    score: float
    """What request and declaration share, and the components; a whole number, which never
    increases along a ranking. Ranks follow the exact numbers, also where two look alike here."""
    matched: bool = True
    """False where nothing speaks for the route: it belongs to the tail, which is in route order
    and no ranking."""
    matched_fields: tuple[str, ...] = ()
    """Output fields that the request names by all words of a name, an alias or a semantic id."""
    score_components: tuple[ScoreComponent, ...] = ()
    selection_source: Literal[
        "deterministic",
        "semantic_recall",
        "endpoint_disambiguation",
        "decision_backend",
        "decision_recall",
    ] = "deterministic"
    """Always ``deterministic`` from this router: the ranking is a function of catalog and text."""
    parameters: tuple[ParameterSpec, ...] = ()
    input_schema: Json = Field(default_factory=FrozenDict)
    output_fields: tuple[FieldSpec, ...] = ()
    output_schema: Json = Field(default_factory=FrozenDict)
    read_only: bool | None = None
    destructive: bool | None = None
    source_type: str | None = None
    license: str | None = None
    provider: str | None = None
    access_mode: str | None = None
    tool_fingerprint: str
    """SHA-256 of what can be seen of the tool."""
    endpoint_fingerprint: str


class CapabilityRetrieval(Record):
    """The best candidates for a request."""

    query: str
    registry_version: int
    requested_k: Annotated[int, Field(ge=1)]
    total_ranked: Annotated[int, Field(ge=0)]
    """How many routes are visible and available."""
    executable_only: bool = False
    candidates: tuple[CapabilityCandidate, ...] = ()
    """By rank."""
