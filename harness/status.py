"""The state of a study's shards: what is done, running, failed, missing; never an outcome."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from harness.folder import StudyFolder
from harness.grid import Shard
from harness.ledger import Attempt, Ledger
from harness.manifest import StudyRecord, read_record

Condition = Literal["finished", "failed", "unfinished", "missing"]


@dataclass(frozen=True)
class ShardStatus:
    """One shard, as the folder shows it."""

    shard: Shard
    state: Condition
    """`unfinished`: an attempt began and has not ended, because it runs or because it died."""
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True)
class StudyStatus:
    """All shards of a study."""

    shards: tuple[ShardStatus, ...]

    def count(self, state: Condition) -> int:
        """Return how many shards are in a state."""
        return sum(item.state == state for item in self.shards)

    @property
    def attempts(self) -> Counter[str]:
        """How the attempts at all shards ended, by the ledger's word."""
        return Counter(attempt.outcome for item in self.shards for attempt in item.attempts)


def study_status(folder: StudyFolder) -> StudyStatus | None:
    """Return the status of a study, or None when no shard was ever begun.

    Raises
    ------
    IntegrityError
        If what pins the study is damaged.
    """
    if not folder.study_record.exists():
        return None
    count = read_record(folder.study_record, StudyRecord).shards
    return StudyStatus(tuple(_shard_status(folder, Shard(index, count)) for index in range(count)))


def _shard_status(folder: StudyFolder, shard: Shard) -> ShardStatus:
    attempts = Ledger(folder.attempts(shard)).attempts()
    state: Condition
    if folder.is_finished(shard):
        state = "finished"
    elif not attempts:
        state = "missing"
    else:
        state = "unfinished" if attempts[-1].outcome == "started" else "failed"
    return ShardStatus(shard, state, attempts)
