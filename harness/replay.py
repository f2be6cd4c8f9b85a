"""Replaying a recorded study: the same episodes from its cassette, held to the same digests."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from harness.agents.replay import REMEDY, ReplayAgent
from harness.error import IntegrityError, NotTerminalError
from harness.grid import EpisodeKey, Shard
from harness.inspection import finished_manifest
from harness.pin import check_pin, read_pin
from harness.record import ExchangeRecord
from harness.schema import EXCHANGES, KEY, ORDER, TABLES
from harness.store import file_sha256, read_table
from harness.study import Study
from harness.table import (
    RowDigest,
    build_tables,
    combined_digest,
    logical_columns,
    row_digests,
)

_MOST_NAMED = 5


@dataclass
class Replayed:
    """What the shards of a study came to when they were run again."""

    episodes: int = 0
    rows: dict[str, list[RowDigest]] = field(default_factory=lambda: {name: [] for name in TABLES})

    def add(self, episodes: int, rows: Mapping[str, list[RowDigest]]) -> None:
        """Add a shard."""
        self.episodes += episodes
        for name, found in rows.items():
            self.rows[name] += found

    @property
    def digest(self) -> str:
        """Logical digest of all tables, the one that a terminal record of all shards names."""
        return combined_digest(self.rows)


def recorded_shards(study: Study) -> tuple[Shard, ...]:
    """Return the shards that a study was begun with, whether or not they are finished.

    Raises
    ------
    NotTerminalError
        If none was begun.
    IntegrityError
        If what was begun was another study, or another identity.
    OSError
        If the system refuses.
    """
    pinned = read_pin(study.folder)
    if pinned is None:
        raise NotTerminalError(
            f"No shard of study {study.config.study.name!r} with identity {study.identity[:12]}"
            " has been begun.",
            "Name the agent and the results folder that the study was recorded with, and use the"
            " package that recorded it.",
        )
    check_pin(study.folder.study_record, pinned, study.record(pinned.shards))
    return tuple(Shard(index, pinned.shards) for index in range(pinned.shards))


def replay_shard(
    study: Study,
    shard: Shard,
    *,
    progress: Callable[[int], None] = lambda _: None,
    into: Replayed | None = None,
) -> int:
    """Run a finished shard again from its recording and return its number of episodes.

    Nothing is written, and what answered the first time is neither loaded nor reached.

    Parameters
    ----------
    study
        The loaded study.
    shard
        A finished shard.
    progress
        Called with the number of episodes that were replayed.
    into
        Is told what the shard came to.

    Raises
    ------
    IntegrityError
        If the shard is damaged, if its recording does not answer a request (a `CassetteMiss`, which
        names what differs), or if the replay comes to other results; names the first rows.
    OSError
        If the system refuses.
    """
    manifest = finished_manifest(study, shard)
    exchanges = _exchanges(study, shard, manifest.tables["exchanges"].sha256)
    episodes = []
    for key in study.shard_keys(shard):
        agent = ReplayAgent(study.agent_for(key), exchanges.get(key, ()), "/".join(map(str, key)))
        episodes.append(study.run(key, clock=time.perf_counter, agent=agent))
        progress(1)
    tables = build_tables(episodes)
    rows = {name: list(row_digests(table, name)) for name, table in tables.items()}
    if combined_digest(rows) != manifest.logical_digest:
        raise IntegrityError(_difference(study, shard, tables), REMEDY)
    if into is not None:
        into.add(len(episodes), rows)
    return len(episodes)


def _exchanges(
    study: Study, shard: Shard, sha256: str
) -> Mapping[EpisodeKey, tuple[ExchangeRecord, ...]]:
    """Return a shard's recording by episode, each in the order of turns."""
    path = study.folder.table("exchanges", shard)
    if file_sha256(path) != sha256:
        raise IntegrityError(f"{path} is not the file that its manifest describes.", REMEDY)
    found: dict[EpisodeKey, list[ExchangeRecord]] = defaultdict(list)
    for row in read_table(path, EXCHANGES).to_pylist():
        key = EpisodeKey(*(row.pop(name) for name in KEY))
        found[key].append(ExchangeRecord(**row))
    return {key: tuple(sorted(items, key=lambda item: item.turn)) for key, items in found.items()}


def _difference(study: Study, shard: Shard, replayed: Mapping[str, pa.Table]) -> str:
    """Say in which rows the replay of a shard differs from what was recorded."""
    recorded = {name: read_table(study.folder.table(name, shard), TABLES[name]) for name in TABLES}
    lines = [
        f"{name} of {'/'.join(map(str, key))} ({what})"
        for name in TABLES
        for key, what in _differing(_rows(recorded[name], name), _rows(replayed[name], name))
    ]
    if not lines:
        return (
            f"{study.folder.manifest(shard)} has another logical digest than its tables, which the"
            " replay gives again."
        )
    more = len(lines) - _MOST_NAMED
    shown = "; ".join(lines[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
    return f"The replay of {shard.name} comes to other rows: {shown}."


def _rows(table: pa.Table, name: str) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    """Return the rows of a table by what identifies them, measured time left out."""
    rows = table.select(logical_columns(table)).to_pylist()
    return {tuple(row[column] for column in ORDER[name]): row for row in rows}


def _differing(
    recorded: Mapping[tuple[Any, ...], Mapping[str, Any]],
    replayed: Mapping[tuple[Any, ...], Mapping[str, Any]],
) -> Iterator[tuple[tuple[Any, ...], str]]:
    for key in sorted({*recorded, *replayed}):
        if key not in replayed:
            yield key, "recorded only"
        elif key not in recorded:
            yield key, "replayed only"
        elif recorded[key] != replayed[key]:
            columns = (name for name in recorded[key] if recorded[key][name] != replayed[key][name])
            yield key, ", ".join(columns)
