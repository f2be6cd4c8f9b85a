"""State-aware capability retrieval: contracts, registry, ranking.

The package ranks and describes capabilities. It never executes, plans, authorizes, retries or
mutates anything.
"""

from __future__ import annotations

from router.canonical import CanonicalError, canonical_json, digest, sha256_hex
from router.channel import NAMED, SCALE, Channel, Fusion, StaleIndexError
from router.checkpoint import CheckpointError
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec, route_id
from router.error import DuplicateRouteError, UnknownRouteError
from router.history import SuccessfulCapabilityHistory, apply_success_prior
from router.interchange import (
    InterchangeError,
    mcp_from_tool,
    openai_from_tool,
    openapi_from_tool,
    tool_from_mcp,
    tool_from_openai,
    tool_from_openapi,
)
from router.lexical import LexicalIndex
from router.ranking import Ranking, order
from router.registry import ToolRegistry
from router.session_exposure import (
    SchemaExposureDecision,
    SessionSchemaExposure,
    filter_unexposed_schemas,
)
from router.snapshot import CatalogSnapshot
from router.weight import LexicalParameters

__all__ = [
    "NAMED",
    "SCALE",
    "CanonicalError",
    "CatalogSnapshot",
    "Channel",
    "CheckpointError",
    "DuplicateRouteError",
    "EndpointSpec",
    "FieldSpec",
    "Fusion",
    "InterchangeError",
    "LexicalIndex",
    "LexicalParameters",
    "ParameterSpec",
    "Ranking",
    "SchemaExposureDecision",
    "SessionSchemaExposure",
    "StaleIndexError",
    "SuccessfulCapabilityHistory",
    "ToolRegistry",
    "ToolSpec",
    "UnknownRouteError",
    "apply_success_prior",
    "canonical_json",
    "digest",
    "filter_unexposed_schemas",
    "mcp_from_tool",
    "openai_from_tool",
    "openapi_from_tool",
    "order",
    "route_id",
    "sha256_hex",
    "tool_from_mcp",
    "tool_from_openai",
    "tool_from_openapi",
]
