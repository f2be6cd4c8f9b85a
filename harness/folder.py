"""Where a study's results lie, and how files get there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from harness.error import InfrastructureError
from harness.grid import Shard
from harness.schema import TABLES

TEMPORARY_PREFIX: Final = ".writing-"


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

    def manifest(self, shard: Shard) -> Path:
        """Return the manifest of a shard."""
        return self.manifests / f"{shard.name}.json"

    def table(self, name: str, shard: Shard) -> Path:
        """Return a table of a shard."""
        return self.root / name / f"{shard.name}.parquet"

    def is_finished(self, shard: Shard) -> bool:
        """Whether a shard has its manifest and every table: one that lost a file has to run again.

        What the files hold is the business of verification.
        """
        files = (self.manifest(shard), *(self.table(name, shard) for name in TABLES))
        return all(path.exists() for path in files)

    def attempts(self, shard: Shard) -> Path:
        """Return the attempt ledger of a shard."""
        return self.root / "attempts" / f"{shard.name}.jsonl"

    def lock(self, shard: Shard) -> Path:
        """Return the lock file of a shard."""
        return self.root / "locks" / f"{shard.name}.lock"

    def strays(self) -> tuple[Path, ...]:
        """Return files in the table and manifest folders that no shard's name fits."""
        found = []
        for folder in (self.manifests, *(self.root / name for name in TABLES)):
            suffix = ".json" if folder == self.manifests else ".parquet"
            for path in sorted(folder.glob("*")):
                if path.name.startswith(TEMPORARY_PREFIX):
                    continue
                if shard_of(path.name.removesuffix(suffix)) is None or path.suffix != suffix:
                    found.append(path)
        return tuple(found)


def shard_of(name: str) -> Shard | None:
    """Return the shard that a name stands for, or None."""
    parts = name.split("-")
    if len(parts) != 4 or not (parts[1].isdecimal() and parts[3].isdecimal()):
        return None
    index, count = int(parts[1]), int(parts[3])
    if not 0 <= index < count or Shard(index, count).name != name:
        return None
    return Shard(index, count)


def write_whole(
    path: Path, write: Callable[[BinaryIO], object], *, exclusive: bool = False
) -> None:
    """Write a file so that it appears whole or not at all, and survives a crash.

    Temporary name in the same folder, flush, fsync, then the final name, then fsync of the folder.

    Parameters
    ----------
    path
        The final name.
    write
        Writes the content.
    exclusive
        Refuse to replace a file that exists.

    Raises
    ------
    FileExistsError
        If `exclusive` and the file exists.
    InfrastructureError
        If the disk refuses; nothing is left behind.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=path.parent)
        with os.fdopen(descriptor, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        if exclusive:
            os.link(temporary, path)
        else:
            os.replace(temporary, path)
            temporary = None
        _sync_folder(path.parent)
    except FileExistsError:
        raise
    except OSError as error:
        raise disk_error(path, error) from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def disk_error(path: Path, error: OSError) -> InfrastructureError:
    """Return the error for a disk that refuses."""
    reason = error.strerror or str(error)
    return InfrastructureError(
        f"{path} cannot be written ({reason}).",
        "Make room or restore the folder, then run the same command again; nothing is lost.",
    )


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
