"""From episode records to the rows that the gates read, through the real tables."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from gates.results import EpisodeRows
from harness.grid import EpisodeKey
from harness.record import EpisodeRecord
from harness.table import build_tables


def rows_of(record: EpisodeRecord) -> EpisodeRows:
    """Return the rows of one episode."""
    tables = {name: tuple(table.to_pylist()) for name, table in build_tables([record]).items()}
    return EpisodeRows(
        episode=tables["episodes"][0],
        turns=tables["turns"],
        transitions=tables["transitions"],
        traces=tables["gold_traces"],
        exchanges=tables["exchanges"],
    )


def rows_by_key(records: Iterable[EpisodeRecord]) -> dict[EpisodeKey, EpisodeRows]:
    """Return the rows of several episodes by key."""
    return {record.key: rows_of(record) for record in records}


def altered(item: EpisodeRows, change: Callable[[Any], Any]) -> EpisodeRows:
    """Return a deep copy of rows after a change in place; the rows are plain dictionaries."""
    changed = copy.deepcopy(item)
    change(changed)
    return changed
