"""The configuration of a command, as immutable records.

Every key is of one kind (design, configuration and freeze):

- *protocol* keys say what the study is. They are hashed and come from files alone.
- *identity* keys say what answers. They are hashed.
- *runtime* keys say where and how it runs. They are free and recorded, never hashed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import Field, model_validator

from conditions.retriever import RetrieverParameters
from harness.agents.section import AgentSection
from harness.origin import Origin
from harness.plant import EngineSection, StoreSection
from harness.power import PowerSection
from harness.promise import at
from harness.protocol import Section, StudySection

DEFAULT_SHARDS: Final = 12
MAX_SHARDS: Final = 99_999

Kind = Literal["protocol", "identity", "runtime"]

KEY_KINDS: Final[Mapping[str, Kind]] = {
    "study": "protocol",
    "retriever": "protocol",
    "agent": "identity",
    "agent.server": "runtime",
    "shard": "runtime",
    "results": "runtime",
    "workers": "runtime",
    "progress": "runtime",
    "store": "runtime",
    "engine": "runtime",
    "origin": "runtime",
    "power": "runtime",
}
"""The kind of every top-level key; the keys below it are of the same kind, unless they stand here
themselves."""


class ShardSection(Section):
    """Which part of the study runs."""

    index: int | None = Field(default=None, ge=0, lt=MAX_SHARDS)
    count: int | None = Field(default=None, ge=1, le=MAX_SHARDS)
    """Null takes the number that the study was begun with, and `DEFAULT_SHARDS` before that."""


class ProtocolConfig(Section):
    """The protocol keys, which a study's record holds too."""

    study: StudySection
    retriever: RetrieverParameters

    @model_validator(mode="after")
    def _refreshes_expose_the_slots(self) -> Self:
        slots, graph_slots = self.retriever.slots, self.retriever.graph_slots
        if slots > self.study.exposure.top_k:
            raise at("retriever.slots", f"a refresh exposes {self.study.exposure.top_k} routes")
        if 0 < slots < graph_slots:
            raise at("retriever.graph_slots", f"there are {slots} slots")
        return self


class StudyConfig(ProtocolConfig):
    """A composed, validated configuration."""

    agent: AgentSection
    store: StoreSection
    engine: EngineSection
    shard: ShardSection
    results: Path
    workers: int | None = Field(default=None, ge=1, le=1_024)
    progress: bool = True
    power: PowerSection
    origin: Origin | None = None
    """Where it was composed from; no override sets it."""

    @property
    def surface(self) -> Path | None:
        """The folder of the study's own surface; None for the 0.14 surface."""
        if self.study.surface is None or self.origin is None:
            return None
        return self.origin.surface / self.study.surface

    def hashed(self) -> dict[str, Any]:
        """Return the protocol and identity keys, JSON-ready: what the study's identity covers."""
        return _hashed(self.model_dump(mode="json"))


def _hashed(values: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Return a mapping without its runtime keys."""
    return {
        key: _hashed(value, f"{above}{key}.") if isinstance(value, dict) else value
        for key, value in values.items()
        if KEY_KINDS.get(f"{above}{key}") != "runtime"
    }
