"""Where a study's results lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.disk import TEMPORARY_PREFIX, is_there, listing
from harness.grid import Shard
from harness.schema import TABLES


@dataclass(frozen=True)
class StudyFolder:
    """The folder of one study under one identity: ``<results>/<study>/<identity>``."""

    root: Path

    @classmethod
    def of(cls, results: Path, study: str, identity: str) -> StudyFolder:
        """Return the folder of a study and identity below a results folder."""
        return cls(results / study / identity)

    @property
    def study_record(self) -> Path:
        """What pins study, identity and number of shards."""
        return self.root / "study.json"

    @property
    def manifests(self) -> Path:
        """The folder of shard manifests, each written after the shard's tables."""
        return self.root / "manifests"

    @property
    def terminal(self) -> Path:
        """The folder that the terminal aggregate is written to."""
        return self.root / "terminal"

    @property
    def simulation(self) -> Path:
        """The folder that the aggregate of a simulated agent is written to."""
        return self.root / "simulation"

    def manifest(self, shard: Shard) -> Path:
        """Return the manifest of a shard."""
        return self.manifests / f"{shard.name}.json"

    def table(self, name: str, shard: Shard) -> Path:
        """Return a table of a shard."""
        return self.root / name / f"{shard.name}.parquet"

    def lost(self, shard: Shard) -> tuple[Path, ...]:
        """Return the manifest and tables of a shard that are not there.

        Raises
        ------
        OSError
            If the system cannot tell.
        """
        files = (self.manifest(shard), *(self.table(name, shard) for name in TABLES))
        return tuple(path for path in files if not is_there(path))

    def is_finished(self, shard: Shard) -> bool:
        """Whether a shard has its manifest and every table: one that lost a file has to run again.

        What the files hold is the business of verification.
        """
        return not self.lost(shard)

    def attempts(self, shard: Shard) -> Path:
        """Return the attempt ledger of a shard."""
        return self.root / "attempts" / f"{shard.name}.jsonl"

    def log(self, shard: Shard) -> Path:
        """Return the episode log of a shard, which is there while the shard is unfinished."""
        return self.root / "log" / f"{shard.name}.log"

    def lock(self, shard: Shard) -> Path:
        """Return the lock file of a shard."""
        return self.root / "locks" / f"{shard.name}.lock"

    def written(self) -> Iterator[tuple[Path, Shard | None]]:
        """Yield every table and manifest, and the shard that its name stands for, if for any.

        Raises
        ------
        OSError
            If a folder cannot be listed.
        """
        for folder in (self.manifests, *(self.root / name for name in TABLES)):
            suffix = ".json" if folder == self.manifests else ".parquet"
            for path in listing(folder):
                # What a killed writer left means nothing.
                if not path.name.startswith(TEMPORARY_PREFIX):
                    fits = path.suffix == suffix
                    yield path, shard_of(path.name.removesuffix(suffix)) if fits else None


def shard_of(name: str) -> Shard | None:
    """Return the shard that a name stands for, or None."""
    parts = name.split("-")
    if len(parts) != 4 or not (parts[1].isdecimal() and parts[3].isdecimal()):
        return None
    index, count = int(parts[1]), int(parts[3])
    if not 0 <= index < count or Shard(index, count).name != name:
        return None
    return Shard(index, count)
