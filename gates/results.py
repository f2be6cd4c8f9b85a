"""The verified rows of a complete grid: what everything after verification reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gates.check import Check
from gates.usage import ProviderUsage
from harness.grid import EpisodeKey
from harness.manifest import Manifest, StudyRecord

Row = Mapping[str, Any]


@dataclass(frozen=True)
class EpisodeRows:
    """Every row that one episode left, each table in its order."""

    episode: Row
    turns: tuple[Row, ...]
    transitions: tuple[Row, ...]
    traces: tuple[Row, ...]
    exchanges: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Results:
    """A complete grid, verified."""

    record: StudyRecord
    """What was pinned when the study began."""
    manifests: tuple[Manifest, ...]
    episodes: Mapping[EpisodeKey, EpisodeRows]
    """In the order of their keys."""
    digest: str
    """Logical digest of all tables; the same however the study was dealt into shards."""
    usage: Mapping[EpisodeKey, ProviderUsage]
    """What the provider counted in each episode."""
    checks: tuple[Check, ...] = ()
    """What was checked."""
