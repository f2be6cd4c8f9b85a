"""The state of a study's shards: what is done, running, failed, missing; never an outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.attempt import Attempt
from harness.claim import is_claimed
from harness.error import IntegrityError
from harness.grid import Shard
from harness.inspection import finished_manifest, shard_episodes
from harness.ledger import Ledger
from harness.pin import check_pin, read_pin
from harness.study import Study

Condition = Literal["finished", "damaged", "lost", "failed", "running", "unfinished", "missing"]


@dataclass(frozen=True)
class ShardStatus:
    """One shard, as the folder shows it."""

    shard: Shard
    state: Condition
    """`damaged`: it is finished, but a cheap look finds it or its attempts altered. `lost`: it was
    finished, but files are gone. `running`: a process that this machine sees is at it.
    `unfinished`: an attempt began and has not ended, as it runs elsewhere or as it died."""
    episodes: int
    attempts: tuple[Attempt, ...]
    note: str | None = None
    """What is damaged or lost."""


@dataclass(frozen=True)
class StudyStatus:
    """All shards of a study."""

    shards: tuple[ShardStatus, ...]
    strangers: tuple[Path, ...] = ()
    """Files among the tables and manifests that are none of these shards', which no aggregate
    takes."""

    def of(self, state: Condition) -> tuple[ShardStatus, ...]:
        """Return the shards that are in a state."""
        return tuple(item for item in self.shards if item.state == state)

    def count(self, state: Condition) -> int:
        """Return how many shards are in a state."""
        return len(self.of(state))

    @property
    def attempts(self) -> Counter[str]:
        """How the attempts at all shards ended, by the ledger's word."""
        return Counter(attempt.outcome for item in self.shards for attempt in item.attempts)

    @property
    def remaining_seconds(self) -> float | None:
        """Expected time of one process for what is not finished; None without an experience.

        From the mean duration per episode of the finished attempts.
        """
        seconds, episodes = 0.0, 0
        for item in self.shards:
            for spent in _durations(item.attempts):
                seconds += spent
                episodes += item.episodes
        if not episodes:
            return None
        left = sum(item.episodes for item in self.shards if item.state != "finished")
        return seconds / episodes * left


def study_status(study: Study) -> StudyStatus | None:
    """Return the status of a study, or None when no shard was ever begun.

    Raises
    ------
    IntegrityError
        If what pins the study is damaged or another's, or if a ledger is damaged.
    OSError
        If the system refuses.
    """
    pinned = read_pin(study.folder)
    if pinned is None:
        return None
    check_pin(study.folder.study_record, pinned, study.record(pinned.shards))
    shards = (Shard(index, pinned.shards) for index in range(pinned.shards))
    strangers = (
        path
        for path, shard in study.folder.written()
        if shard is None or shard.count != pinned.shards
    )
    return StudyStatus(tuple(_shard_status(study, shard) for shard in shards), tuple(strangers))


def _shard_status(study: Study, shard: Shard) -> ShardStatus:
    attempts = Ledger(study.folder.attempts(shard)).attempts()
    state, note = _state(study, shard, attempts)
    return ShardStatus(shard, state, shard_episodes(study, shard), attempts, note)


def _state(
    study: Study, shard: Shard, attempts: tuple[Attempt, ...]
) -> tuple[Condition, str | None]:
    lost = study.folder.lost(shard)
    if not lost:
        try:
            manifest = finished_manifest(study, shard)
        except IntegrityError as error:
            return "damaged", error.what
        if manifest.attempt not in {item.number for item in attempts}:
            path = study.folder.attempts(shard)
            return "damaged", f"{path} lacks attempt {manifest.attempt}, which finished it"
        return "finished", None
    if study.folder.manifest(shard) not in lost or (
        attempts and attempts[-1].outcome == "finished"
    ):
        names = ", ".join(path.relative_to(study.folder.root).as_posix() for path in lost)
        return "lost", f"{names} not there"
    if not attempts:
        return "missing", None
    if attempts[-1].outcome != "started":
        return "failed", None
    return ("running" if is_claimed(study.folder.lock(shard)) else "unfinished"), None


def _durations(attempts: Iterable[Attempt]) -> list[float]:
    return [
        item.seconds for item in attempts if item.outcome == "finished" and item.seconds is not None
    ]
