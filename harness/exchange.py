"""What the workers of a study exchange: its pin, finished shards, attempts.

Work is always done in the results folder, since a log has to be appended to and tables have to be
renamed. What is finished is then committed through an `Exchange`, by one step that only the first
can take: creating the shard's manifest.
"""

from __future__ import annotations

from typing import Protocol

from harness.folder import StudyFolder
from harness.grid import Shard
from harness.ledger import Ledger
from harness.manifest import Manifest, StudyRecord, write_record
from harness.plant import S3Section
from harness.study import Study


class Exchange(Protocol):
    """The way between the results folder and whatever other workers see."""

    @property
    def shared(self) -> bool:
        """Whether workers exchange anything beside the results folder."""
        ...

    def pin(self, record: StudyRecord) -> None:
        """Pin the study for every worker, unless it is pinned."""
        ...

    def fetch_pin(self) -> None:
        """Bring what pins the study into the results folder."""
        ...

    def fetch(self, shard: Shard) -> None:
        """Bring a shard that was finished elsewhere, and its attempts, into the results folder."""
        ...

    def fetch_all(self) -> None:
        """Bring the pin and every shard that was begun into the results folder."""
        ...

    def ledger(self, shard: Shard) -> Ledger:
        """Return the attempt ledger of a shard."""
        ...

    def commit(self, shard: Shard, manifest: Manifest) -> bool:
        """Finish a shard whose tables lie in the results folder; False when another was first."""
        ...


class FolderExchange:
    """The results folder is all there is: one machine, or a file system that all mount."""

    shared = False

    def __init__(self, folder: StudyFolder) -> None:
        self.folder = folder

    def pin(self, record: StudyRecord) -> None:
        """Do nothing: what pins the study is written to the folder."""

    def fetch_pin(self) -> None:
        """Do nothing."""

    def fetch(self, shard: Shard) -> None:
        """Do nothing."""

    def fetch_all(self) -> None:
        """Do nothing."""

    def ledger(self, shard: Shard) -> Ledger:
        """Return the attempt ledger of a shard."""
        return Ledger(self.folder.attempts(shard))

    def commit(self, shard: Shard, manifest: Manifest) -> bool:
        """Create the manifest, unless it is there."""
        try:
            write_record(self.folder.manifest(shard), manifest, exclusive=True)
        except FileExistsError:
            return False
        return True


def study_exchange(study: Study) -> Exchange:
    """Return the exchange that a study's configuration names.

    Raises
    ------
    ConfigError
        If it needs what is not there: a package, or credentials in the environment.
    """
    section = study.config.store
    if isinstance(section, S3Section):
        # Loads clients that nobody else needs.
        from harness.s3 import s3_store
        from harness.store_exchange import StoreExchange

        place = f"{study.config.study.name}/{study.identity}"
        return StoreExchange(study.folder, s3_store(section, place))
    return FolderExchange(study.folder)
