"""Running one shard: every episode of its pairs, then tables, then the manifest."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Literal

from harness.agents.section import concurrency
from harness.disk import disk_error
from harness.environment import environment
from harness.folder import StudyFolder
from harness.grid import Shard
from harness.inspection import finished_manifest
from harness.ledger import Ledger
from harness.manifest import Manifest, TableEntry, write_record
from harness.parallel import run_together
from harness.pin import pin_study
from harness.record import EpisodeRecord
from harness.schema import SCHEMA_VERSION
from harness.store import write_table
from harness.study import Study
from harness.table import build_tables, logical_digest


@dataclass(frozen=True)
class ShardResult:
    """What a command did about a shard."""

    shard: Shard
    action: Literal["ran", "skipped", "busy"]
    """`skipped`: it was finished before. `busy`: another process is at it."""
    episodes: int


def run_shard(
    study: Study, shard: Shard, *, progress: Callable[[int], None] = lambda _: None
) -> ShardResult:
    """Run a shard unless it is finished.

    Parameters
    ----------
    study
        The loaded study.
    shard
        Which part of it.
    progress
        Called with the number of episodes that have been added; never with an outcome.

    Raises
    ------
    ConfigError
        If the study was pinned to another number of shards.
    IntegrityError
        If what is there is damaged, or belongs to another shard, study, identity or agent.
    InfrastructureError, OSError
        If the plant fails: nothing half-written is left, the same command can be run again.
    """
    folder = study.folder
    pin_study(study, shard.count)
    with _locked(folder, shard) as owned:
        if not owned:
            return ShardResult(shard, "busy", 0)
        if folder.is_finished(shard):
            manifest = finished_manifest(study, shard)
            progress(manifest.rows)
            return ShardResult(shard, "skipped", manifest.rows)
        with Ledger(folder.attempts(shard)).attempt() as number:
            return ShardResult(shard, "ran", _run(study, shard, number, progress))


def _run(study: Study, shard: Shard, attempt: int, progress: Callable[[int], None]) -> int:
    found: dict[int, EpisodeRecord] = {}
    for position, episode in run_together(
        partial(study.run, clock=time.perf_counter),
        study.shard_keys(shard),
        limit=concurrency(study.config.agent),
    ):
        found[position] = episode
        progress(1)
    folder = study.folder
    # In the shard's order, whichever came first.
    tables = build_tables([found[position] for position in sorted(found)])
    entries = {
        name: TableEntry(rows=table.num_rows, sha256=write_table(folder.table(name, shard), table))
        for name, table in tables.items()
    }
    manifest = Manifest(
        schema_version=SCHEMA_VERSION,
        study=study.config.study.name,
        identity=study.identity,
        shard_index=shard.index,
        shard_count=shard.count,
        rows=entries["episodes"].rows,
        sha256=entries["episodes"].sha256,
        logical_digest=logical_digest({name: [table] for name, table in tables.items()}),
        tables=entries,
        attempt=attempt,
        environment=environment(),
    )
    # Last, so that a shard with a manifest is a shard whose tables are whole.
    write_record(folder.manifest(shard), manifest)
    return manifest.rows


@contextmanager
def _locked(folder: StudyFolder, shard: Shard) -> Iterator[bool]:
    """Hold the shard's lock while the body runs; yields False when another process has it.

    The lock is the kernel's: it goes when its process dies, so no stale lock is left behind.
    """
    path = folder.lock(shard)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise disk_error(path, error) from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(descriptor)
