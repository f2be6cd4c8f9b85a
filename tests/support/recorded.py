"""The tiny study with its episodes run once, so that a test about shards runs none again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.grid import EpisodeKey, Shard
from harness.record import EpisodeRecord
from harness.study import Study
from tests.support.tiny import Tiny

SHARD = Shard(0, 5)
"""Five episodes: one task, every condition."""

_LOADED = ("tasks", "catalogs", "agent", "components", "identity", "pairs")


@dataclass(frozen=True)
class Recorded:
    """A study and the records of one of its shards."""

    tiny: Tiny
    study: Study
    records: dict[EpisodeKey, EpisodeRecord]
    ran: list[EpisodeKey] = field(default_factory=list)
    """The episodes that were asked for since, in order."""

    @classmethod
    def build(cls, folder: Path) -> Recorded:
        tiny = Tiny.build(folder)
        study = tiny.study("shard.count=5")
        records = {key: study.run(key, clock=lambda: 0.0) for key in study.shard_keys(SHARD)}
        for name in _LOADED:
            getattr(study, name)
        return cls(tiny, study, records)

    @property
    def run(self) -> Callable[..., EpisodeRecord]:
        """What `Study.run` is to be replaced by."""

        def run(study: Study, key: EpisodeKey, **_: Any) -> EpisodeRecord:
            self.ran.append(key)
            return self.records[key]

        return run

    def at(self, results: Path) -> Study:
        """The study with its results elsewhere."""
        study = Study(self.study.config.model_copy(update={"results": results}), self.tiny.tasks)
        study.__dict__.update({name: self.study.__dict__[name] for name in _LOADED})
        return study
