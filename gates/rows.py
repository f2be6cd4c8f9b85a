"""From the tables of all shards to the rows of every episode, and the digest over all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from gates.check import Check
from gates.finding import episode_name
from gates.results import EpisodeRows, Row
from harness.grid import EpisodeKey
from harness.schema import KEY, ORDER, TABLES
from harness.table import RowDigest, combined_digest, row_digest

_BATCH = 512
"""Rows turned into Python at a time: an exposure of 500 routes is large before it is shared."""

_SHORT = 80
"""Characters of a text that is likely to stand in many rows."""


@dataclass
class Rows:
    """The rows of all shards, added one shard after the other."""

    grouped: dict[str, dict[EpisodeKey, list[Row]]] = field(
        default_factory=lambda: {name: defaultdict(list) for name in TABLES}
    )
    digests: dict[str, list[RowDigest]] = field(
        default_factory=lambda: {name: [] for name in TABLES}
    )
    _lists: dict[tuple[Any, ...], list[Any]] = field(default_factory=dict)
    """The same few exposures stand in thousands of rows,"""
    _texts: dict[str, str] = field(default_factory=dict)
    """and so do routes and hashes."""

    def add(self, tables: Mapping[str, pa.Table]) -> str:
        """Add a shard's tables and return their logical digest."""
        mine: dict[str, list[RowDigest]] = {}
        for name, table in tables.items():
            mine[name] = list(self._add(name, table))
            self.digests[name] += mine[name]
        return combined_digest(mine)

    def _add(self, name: str, table: pa.Table) -> Iterator[RowDigest]:
        lists = [
            column.name
            for column in table.schema
            if pa.types.is_list(column.type) and pa.types.is_string(column.type.value_type)
        ]
        for batch in table.to_batches(max_chunksize=_BATCH):
            for row in batch.to_pylist():
                yield row_digest(row, name)
                key = EpisodeKey(*(row.pop(part) for part in KEY))
                for column, value in row.items():
                    if column in lists:
                        row[column] = self._lists.setdefault(tuple(value), value)
                    elif isinstance(value, str) and len(value) <= _SHORT:
                        row[column] = self._texts.setdefault(value, value)
                self.grouped[name][key].append(row)

    @property
    def digest(self) -> str:
        """Logical digest of all tables of all shards."""
        return combined_digest(self.digests)

    def grid(self, keys: Collection[EpisodeKey]) -> Check:
        """Check that every episode of the grid is there once, and no other: sets, not counts."""
        return Check.of("grid", len(self.grouped["episodes"]), "episodes", self._misplaced(keys))

    def _misplaced(self, keys: Collection[EpisodeKey]) -> Iterator[str]:
        wanted, episodes = set(keys), self.grouped["episodes"]
        for key in sorted(wanted - set(episodes)):
            yield f"episode {episode_name(key)} is missing though its shard is finished"
        for name, grouped in self.grouped.items():
            for key in sorted(set(grouped) - wanted):
                yield f"{name} of episode {episode_name(key)} are not of this study"
        for key, found in sorted(episodes.items()):
            if len(found) > 1:
                yield f"episode {episode_name(key)} stands {len(found)} times"

    def gather(self, keys: Collection[EpisodeKey]) -> dict[EpisodeKey, EpisodeRows]:
        """Return the rows of every episode of a grid that was checked, in the order of the keys."""
        return {
            key: EpisodeRows(
                episode=self.grouped["episodes"][key][0],
                turns=self._of("turns", key),
                transitions=self._of("transitions", key),
                traces=self._of("gold_traces", key),
                exchanges=self._of("exchanges", key),
            )
            for key in sorted(keys)
        }

    def _of(self, name: str, key: EpisodeKey) -> tuple[Row, ...]:
        order = [column for column in ORDER[name] if column not in KEY]
        rows = self.grouped[name].get(key, [])
        return tuple(sorted(rows, key=lambda row: tuple(row[column] for column in order)))
