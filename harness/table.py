"""From episode records to tables, and the logical digest of a table."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow.json import ParseOptions, ReadOptions, read_json

from harness.grid import EpisodeKey
from harness.record import EpisodeRecord
from harness.schema import KEY, ORDER, TABLES, TIMING_SUFFIX

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""JSON-ready rows by table name."""


def build_tables(episodes: Sequence[EpisodeRecord]) -> dict[str, pa.Table]:
    """Return the tables of some episodes, rows in canonical order, by table name."""
    return tables_of([episode_rows(episode) for episode in episodes])


def episode_rows(episode: EpisodeRecord) -> Rows:
    """Return the rows that an episode leaves in every table, by table name."""
    key = episode.key
    return {
        "episodes": [_row(key, episode)],
        "turns": [_row(key, item) for item in episode.turns],
        "transitions": [_row(key, item) for item in episode.transitions],
        "gold_traces": [_row(key, item) for item in episode.traces],
        "exchanges": [_row(key, item) for item in episode.exchanges],
    }


def tables_of(episodes: Sequence[Rows]) -> dict[str, pa.Table]:
    """Return the tables of the rows of some episodes, in canonical order, by table name."""
    return {
        name: _table(
            sorted((row for rows in episodes for row in rows[name]), key=_sort_key(name)), schema
        )
        for name, schema in TABLES.items()
    }


def logical_columns(table: pa.Table) -> list[str]:
    """Return the columns of a table that are no measured time."""
    return [column for column in table.column_names if not column.endswith(TIMING_SUFFIX)]


RowDigest: TypeAlias = tuple[tuple[Any, ...], bytes]
"""What orders a row in its table, and the SHA-256 of its content."""


def row_digest(row: Mapping[str, Any], name: str) -> RowDigest:
    """Return the key and the SHA-256 of a row of a table, timing columns left out.

    A row is hashed as canonical JSON. Without the timing columns it holds texts, integers,
    booleans and lists of these under ASCII keys, for which the standard encoder writes the bytes
    of RFC 8785.
    """
    kept = {column: row[column] for column in row if not column.endswith(TIMING_SUFFIX)}
    text = json.dumps(
        kept, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return tuple(row[column] for column in ORDER[name]), hashlib.sha256(text.encode()).digest()


def row_digests(table: pa.Table, name: str) -> Iterator[RowDigest]:
    """Yield the digest of every row of a table."""
    for batch in table.to_batches(max_chunksize=4096):
        for row in batch.to_pylist():
            yield row_digest(row, name)


def logical_digest(tables: Mapping[str, Iterable[pa.Table]]) -> str:
    """Return the SHA-256 of the logical content of tables.

    It depends on the set of rows alone: neither on their order, nor on how they were dealt into
    files, nor on measured time.

    Parameters
    ----------
    tables
        For each table name, the parts that make it up.

    Returns
    -------
    str
        Bare lower-case hex.
    """
    return combined_digest(
        {
            name: [row for part in parts for row in row_digests(part, name)]
            for name, parts in tables.items()
        }
    )


def combined_digest(rows: Mapping[str, Iterable[RowDigest]]) -> str:
    """Return the logical digest of tables whose rows were digested, by table name."""
    total = hashlib.sha256()
    for name in sorted(rows):
        ordered = sorted(rows[name])
        inner = hashlib.sha256(b"".join(value for _, value in ordered))
        total.update(f"{name}\x00{len(ordered)}\x00".encode() + inner.digest())
    return total.hexdigest()


def _table(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Return rows as a table of a schema.

    By way of JSON lines, which hold these values without loss: Arrow's own conversion of Python
    objects imports pandas wherever it is installed, which costs a shard 80 MB.
    """
    if not rows:
        return schema.empty_table()
    names = schema.names
    lines = "\n".join(
        json.dumps({name: row[name] for name in names}, allow_nan=False) for row in rows
    ).encode()
    table = read_json(
        io.BytesIO(lines),
        # The system gives memory back; Arrow's own pool keeps what it once had.
        memory_pool=pa.system_memory_pool(),
        read_options=ReadOptions(use_threads=False, block_size=len(lines)),
        parse_options=ParseOptions(
            explicit_schema=schema, unexpected_field_behavior="error", newlines_in_values=False
        ),
    )
    return table.cast(schema)


def _row(key: EpisodeKey, record: Any) -> dict[str, Any]:
    """Return a record as a row of its table."""
    row: dict[str, Any] = dict(zip(KEY, key, strict=True))
    for item in fields(record):
        value = getattr(record, item.name)
        if item.name == "calls":
            value = [vars(call) for call in value]
        if item.name not in {"key", "turns", "transitions", "traces", "exchanges"}:
            row[item.name] = value
    return row


def _sort_key(name: str) -> Any:
    order = ORDER[name]
    return lambda row: tuple(row[column] for column in order)
