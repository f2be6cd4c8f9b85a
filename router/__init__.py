"""State-aware capability retrieval: contracts, registry, ranking.

The package ranks and describes capabilities. It never executes, plans, authorizes, retries or
mutates anything.
"""

from __future__ import annotations

from router.canonical import CanonicalError, canonical_json, digest, sha256_hex
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec, route_id
from router.registry import ToolRegistry
from router.snapshot import CatalogSnapshot, DuplicateRouteError, UnknownRouteError

__all__ = [
    "CanonicalError",
    "CatalogSnapshot",
    "DuplicateRouteError",
    "EndpointSpec",
    "FieldSpec",
    "ParameterSpec",
    "ToolRegistry",
    "ToolSpec",
    "UnknownRouteError",
    "canonical_json",
    "digest",
    "route_id",
    "sha256_hex",
]
