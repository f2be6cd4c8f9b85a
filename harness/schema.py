"""The result tables: explicit Arrow schemas, never inferred (results/README.md)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import pyarrow as pa

SCHEMA_VERSION: Final = 2
"""Rises with the first change of a table, manifest or terminal record after a release. Version 1
had neither `exchanges` nor what a provider counted, and was never released."""

TIMING_SUFFIX: Final = "_ms"
"""Columns that end so hold measured time and are left out of logical digests."""

KEY: Final = ("task_id", "catalog_size", "condition")

_KEY_FIELDS: Final = (
    pa.field("task_id", pa.string(), nullable=False),
    pa.field("catalog_size", pa.int32(), nullable=False),
    pa.field("condition", pa.string(), nullable=False),
)


def _text(name: str, *, nullable: bool = False) -> pa.Field:
    return pa.field(name, pa.string(), nullable=nullable)


def _count(name: str, *, nullable: bool = False) -> pa.Field:
    return pa.field(name, pa.int64(), nullable=nullable)


def _flag(name: str) -> pa.Field:
    return pa.field(name, pa.bool_(), nullable=False)


def _time(name: str) -> pa.Field:
    return pa.field(name, pa.float64(), nullable=False)


def _texts(name: str) -> pa.Field:
    return pa.field(
        name, pa.list_(pa.field("element", pa.string(), nullable=False)), nullable=False
    )


_CALL: Final = pa.struct(
    [
        _text("call_id"),
        _text("name"),
        _text("route"),
        _text("arguments"),
        _flag("parallel"),
        _text("decision"),
        _text("status"),
        _text("error", nullable=True),
        _count("approval", nullable=True),
    ]
)

EPISODES: Final = pa.schema(
    [
        *_KEY_FIELDS,
        _text("stratum"),
        _text("language"),
        _flag("task_pass"),
        _count("required_steps"),
        _count("completed_steps"),
        _text("ending"),
        _count("completed_at_turn", nullable=True),
        _texts("initial_exposure"),
        _count("retrieval_calls"),
        _count("refreshes"),
        _texts("gold_required_routes"),
        _time("wall_latency_ms"),
        _time("retrieval_ms"),
        _time("model_ms"),
        _time("executor_ms"),
    ]
)

TURNS: Final = pa.schema(
    [
        *_KEY_FIELDS,
        _count("turn"),
        _flag("accepted"),
        _texts("exposure"),
        _count("schema_tokens"),
        _count("input_tokens"),
        _text("text", nullable=True),
        _flag("malformed"),
        pa.field("calls", pa.list_(pa.field("element", _CALL, nullable=False)), nullable=False),
        _text("gold_next_route", nullable=True),
        _time("model_ms"),
    ]
)

TRANSITIONS: Final = pa.schema(
    [
        *_KEY_FIELDS,
        _count("turn"),
        _count("turns_remaining"),
        _text("route", nullable=True),
        _text("status"),
        _text("error", nullable=True),
        _text("observation", nullable=True),
        _text("state"),
        _text("state_sha256"),
        _text("previous_state_sha256", nullable=True),
        _text("retrieval_query_sha256", nullable=True),
        _texts("ranking_head"),
        _text("ranking_sha256", nullable=True),
        _texts("exposure"),
        _flag("advanced"),
        _count("completed_steps"),
        _text("gold_next_route", nullable=True),
        _count("gold_next_rank", nullable=True),
    ]
)

GOLD_TRACES: Final = pa.schema(
    [
        *_KEY_FIELDS,
        _count("step"),
        _texts("exposure"),
        _text("retrieval_query_sha256", nullable=True),
        _texts("ranking_head"),
        _text("ranking_sha256", nullable=True),
        _text("gold_next_route"),
        _count("gold_next_rank", nullable=True),
    ]
)

EXCHANGES: Final = pa.schema(
    [
        *_KEY_FIELDS,
        _count("turn"),
        _text("request_sha256"),
        _text("messages_sha256"),
        _text("tools_sha256"),
        _text("answer"),
    ]
)

TABLES: Final[Mapping[str, pa.Schema]] = MappingProxyType(
    {
        "episodes": EPISODES,
        "turns": TURNS,
        "transitions": TRANSITIONS,
        "gold_traces": GOLD_TRACES,
        "exchanges": EXCHANGES,
    }
)

ORDER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "episodes": KEY,
        "turns": (*KEY, "turn"),
        "transitions": (*KEY, "turn"),
        "gold_traces": (*KEY, "step"),
        "exchanges": (*KEY, "turn"),
    }
)
"""The columns that identify and order the rows of each table."""
