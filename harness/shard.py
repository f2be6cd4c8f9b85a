"""Running one shard: every episode into its log, then tables, then the manifest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from harness.agents.section import concurrency
from harness.claim import claim
from harness.effort import Effort, Meter, MeteredAgent
from harness.environment import environment
from harness.exchange import Exchange, study_exchange
from harness.grid import EpisodeKey, Shard
from harness.inspection import finished_manifest
from harness.ledger import Ledger
from harness.log import EpisodeLog, LogContent, Owner, Share
from harness.manifest import Manifest, TableEntry
from harness.parallel import run_together
from harness.pin import pin_study
from harness.record import EpisodeRecord
from harness.store import write_table
from harness.study import Study
from harness.table import logical_digest, tables_of


@dataclass(frozen=True)
class ShardResult:
    """What a command did about a shard."""

    shard: Shard
    action: Literal["ran", "skipped", "busy"]
    """`skipped`: it was finished before, or by another meanwhile. `busy`: another process is at
    it."""
    episodes: int


def run_shard(
    study: Study, shard: Shard, *, progress: Callable[[int], None] = lambda _: None
) -> ShardResult:
    """Run a shard unless it is finished; go on where an earlier attempt stopped.

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
        If the plant fails: what is finished is kept, the same command can be run again.
    """
    pin_study(study, shard.count)
    exchange = study_exchange(study)
    with claim(study.folder.lock(shard)) as owned:
        if not owned:
            return ShardResult(shard, "busy", 0)
        exchange.fetch(shard)
        return _Run(study, shard, exchange, progress).result()


class _Run:
    """A shard in the hands of this process."""

    def __init__(
        self, study: Study, shard: Shard, exchange: Exchange, progress: Callable[[int], None]
    ) -> None:
        self.study = study
        self.shard = shard
        self.exchange = exchange
        self.progress = progress
        self.keys = study.shard_keys(shard)
        owner = Owner(study=study.config.study.name, identity=study.identity, shard=shard.name)
        self.log = EpisodeLog(study.folder.log(shard), owner, self.keys)
        self.meter = Meter()

    def result(self) -> ShardResult:
        """Run what is missing."""
        found = self.log.content()
        if self.study.folder.is_finished(self.shard):
            manifest = finished_manifest(self.study, self.shard)
            if found.shares:
                # Killed between the manifest and the end of its attempt.
                self.end_attempts(found, finished=manifest.attempt)
            self.log.remove()
            self.progress(manifest.rows)
            return ShardResult(self.shard, "skipped", manifest.rows)
        ledger = self.end_attempts(found)
        with ledger.attempt(lambda: self.meter.total) as number:
            self.run(number, found)
            committed = self.finalize(number)
        if not committed:
            self.exchange.fetch(self.shard)
            finished_manifest(self.study, self.shard)
        self.log.remove()
        return ShardResult(self.shard, "ran" if committed else "skipped", len(self.keys))

    def end_attempts(self, found: LogContent, finished: int | None = None) -> Ledger:
        """Write the end of attempts that were killed, with what the log tells of them.

        Parameters
        ----------
        found
            What the log holds.
        finished
            The attempt that finished the shard.
        """
        ledger = self.exchange.ledger(self.shard)
        for attempt in ledger.attempts():
            share = found.shares.get(attempt.number)
            # Of an attempt elsewhere, which may still run, no log is here.
            if attempt.outcome == "started" and (share or not self.exchange.shared):
                share = share or Share()
                killed = attempt.number != finished
                ledger.close(attempt.number, share.seconds, share.effort, killed=killed)
        return ledger

    def run(self, attempt: int, found: LogContent) -> None:
        """Run the episodes that the log does not hold."""
        begun = time.monotonic()
        left = [key for key in self.keys if key not in found.keys]
        if len(left) < len(self.keys):
            self.progress(len(self.keys) - len(left))
        limit = concurrency(self.study.config.agent)
        with self.log.writing(attempt) as log:
            for _, (episode, effort) in run_together(self.episode, left, limit=limit):
                log.append(episode, seconds=time.monotonic() - begun, effort=effort)
                self.progress(1)

    def episode(self, key: EpisodeKey) -> tuple[EpisodeRecord, Effort]:
        """Run one episode; the shard's meter also counts what ends in a failure."""
        meter = Meter(self.meter)
        agent = MeteredAgent(self.study.agent_for(key), meter)
        episode = self.study.run(key, clock=time.perf_counter, agent=agent)
        meter.add(Effort(episodes=1))
        return episode, meter.total

    def finalize(self, attempt: int) -> bool:
        """Make the tables of the whole log and commit them; False when another was first."""
        folder = self.study.folder
        # Of a shard that lost a table: it is not finished, whatever moment the next step ends at.
        folder.manifest(self.shard).unlink(missing_ok=True)
        tables = tables_of(list(self.log.rows()))
        entries = {
            name: TableEntry(
                rows=table.num_rows, sha256=write_table(folder.table(name, self.shard), table)
            )
            for name, table in tables.items()
        }
        manifest = Manifest(
            study=self.study.config.study.name,
            identity=self.study.identity,
            shard_index=self.shard.index,
            shard_count=self.shard.count,
            rows=entries["episodes"].rows,
            sha256=entries["episodes"].sha256,
            logical_digest=logical_digest({name: [table] for name, table in tables.items()}),
            tables=entries,
            attempt=attempt,
            # Times of episodes that ran at once are not those of one alone.
            environment={
                **environment(),
                "concurrency": str(concurrency(self.study.config.agent)),
                "processes": str(self.study.config.workers or 1),
            },
        )
        # Last, so that a shard with a manifest is a shard whose tables are whole.
        return self.exchange.commit(self.shard, manifest)
