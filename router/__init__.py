"""State-aware capability retrieval: contracts, registry, ranking, eligibility.

The package ranks and describes capabilities. It never executes, plans, authorizes, retries or
mutates anything.
"""

from __future__ import annotations

from router.access import AuthRequirementSet, AuthSchemeRequirement, ServerProjectionSpec
from router.canonical import CanonicalError, canonical_json, digest, sha256_hex
from router.channel import NAMED, SCALE, Channel, Fusion, StaleIndexError
from router.checkpoint import CheckpointError
from router.compatibility import (
    CapabilityCompatibility,
    CompatibilityReason,
    CompatibilityStatus,
    compare_capability_fields,
)
from router.config import RunConfig
from router.context import CompatibilityContext, SemanticEquivalence, UnitConversion
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec, route_id
from router.eligibility import (
    EligibilityStatus,
    StateEligibility,
    StateEligibilityReason,
    evaluate_preconditions,
    evaluate_state_eligibility,
)
from router.encoder import EncoderMissingError, SentenceEncoder
from router.error import (
    DuplicateRouteError,
    PlanningError,
    RegistrationError,
    SchemaRouterError,
    UnknownRouteError,
)
from router.facade import ConfiguredSchemaRouter, SchemaRouter
from router.field import CapabilityFieldContract
from router.filtering import (
    StateAwareCapabilityCandidate,
    StateAwareCapabilityRetrieval,
    StateConditionedCapabilityRetrieval,
    backfill_ranked_candidates_by_state,
    evaluate_candidate_state,
    filter_retrieval_by_state,
)
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
from router.planner import KeywordAnalyzer, QueryAnalyzer, SchemaPlanner
from router.precondition import CapabilityPrecondition
from router.ranked_surface import ChannelFactory
from router.ranking import Ranking, order
from router.registry import ToolRegistry
from router.request import EvidenceRequirements, PlanRequest, QueryIntent
from router.retrieval import CapabilityCandidate, CapabilityRetrieval, ScoreComponent
from router.sentence import SentenceIndex
from router.session_exposure import (
    SchemaExposureDecision,
    SessionSchemaExposure,
    filter_unexposed_schemas,
)
from router.snapshot import CatalogSnapshot
from router.state import ObservedStateField, TypedExecutionState
from router.store import (
    Encoder,
    MissingVectorError,
    VectorSource,
    VectorStore,
    VectorStoreError,
)
from router.term import TermIndex, TermParameters
from router.unit import UnitNormalizationSpec
from router.view import RegistryView
from router.weight import LexicalParameters

InMemoryRegistry = ToolRegistry
"""The registry under its name in the published package."""

__all__ = [
    "NAMED",
    "SCALE",
    "AuthRequirementSet",
    "AuthSchemeRequirement",
    "CanonicalError",
    "CapabilityCandidate",
    "CapabilityCompatibility",
    "CapabilityFieldContract",
    "CapabilityPrecondition",
    "CapabilityRetrieval",
    "CatalogSnapshot",
    "Channel",
    "ChannelFactory",
    "CheckpointError",
    "CompatibilityContext",
    "CompatibilityReason",
    "CompatibilityStatus",
    "ConfiguredSchemaRouter",
    "DuplicateRouteError",
    "EligibilityStatus",
    "Encoder",
    "EncoderMissingError",
    "EndpointSpec",
    "EvidenceRequirements",
    "FieldSpec",
    "Fusion",
    "InMemoryRegistry",
    "InterchangeError",
    "KeywordAnalyzer",
    "LexicalIndex",
    "LexicalParameters",
    "MissingVectorError",
    "ObservedStateField",
    "ParameterSpec",
    "PlanRequest",
    "PlanningError",
    "QueryAnalyzer",
    "QueryIntent",
    "Ranking",
    "RegistrationError",
    "RegistryView",
    "RunConfig",
    "SchemaExposureDecision",
    "SchemaPlanner",
    "SchemaRouter",
    "SchemaRouterError",
    "ScoreComponent",
    "SemanticEquivalence",
    "SentenceEncoder",
    "SentenceIndex",
    "ServerProjectionSpec",
    "SessionSchemaExposure",
    "StaleIndexError",
    "StateAwareCapabilityCandidate",
    "StateAwareCapabilityRetrieval",
    "StateConditionedCapabilityRetrieval",
    "StateEligibility",
    "StateEligibilityReason",
    "SuccessfulCapabilityHistory",
    "TermIndex",
    "TermParameters",
    "ToolRegistry",
    "ToolSpec",
    "TypedExecutionState",
    "UnitConversion",
    "UnitNormalizationSpec",
    "UnknownRouteError",
    "VectorSource",
    "VectorStore",
    "VectorStoreError",
    "apply_success_prior",
    "backfill_ranked_candidates_by_state",
    "canonical_json",
    "compare_capability_fields",
    "digest",
    "evaluate_candidate_state",
    "evaluate_preconditions",
    "evaluate_state_eligibility",
    "filter_retrieval_by_state",
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
