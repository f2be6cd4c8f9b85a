"""The episode log of a shard: every finished episode, durable before the next one begins.

`harness.journal` says what the file survives. This module says what its records are: first whose
log it is, then each attempt that wrote to it, and each episode with all its rows. A shard that was
killed therefore goes on after its last finished episode, and its tables are made from the log
alone, be it of one attempt or of many, so that they come to the same logical digest.

The log is removed when the shard's manifest is there, and not before. Whatever is lost with a log
is run again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from harness.disk import sync_folder
from harness.effort import Effort
from harness.error import InfrastructureError, IntegrityError
from harness.grid import EpisodeKey
from harness.journal import REMEDY, Journal, open_journal, read_journal
from harness.record import EpisodeRecord
from harness.schema import KEY, SCHEMA_VERSION, TABLES
from harness.table import Rows, episode_rows

T = TypeVar("T")


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Owner(_Line):
    """Whose log it is: the first record."""

    schema_version: int = SCHEMA_VERSION
    study: str
    identity: str
    shard: str


class _Attempt(_Line):
    attempt: int = Field(ge=1)


class _Episode(_Line):
    attempt: int = Field(ge=1)
    seconds: float = Field(ge=0, allow_inf_nan=False)
    effort: Effort
    rows: dict[str, list[dict[str, Any]]]


_OWNER: Final = TypeAdapter(Owner)
_LINE: Final[TypeAdapter[_Attempt | _Episode]] = TypeAdapter(_Attempt | _Episode)
_COLUMNS: Final = {name: set(schema.names) for name, schema in TABLES.items()}


@dataclass(frozen=True)
class Share:
    """What one attempt left in the log."""

    seconds: float = 0.0
    """From the attempt's begin to its last episode in the log."""
    effort: Effort = field(default_factory=Effort)


@dataclass(frozen=True)
class LogContent:
    """What a log holds, without its rows."""

    keys: frozenset[EpisodeKey]
    shares: Mapping[int, Share]
    """By the number of the attempt."""


class EpisodeLog:
    """The log of one shard. One process at a time may hold it, which the shard's lock sees to.

    Parameters
    ----------
    path
        The file.
    owner
        Whose log it has to be.
    keys
        The shard's episodes.
    """

    def __init__(self, path: Path, owner: Owner, keys: Collection[EpisodeKey]) -> None:
        self.path = path
        self.owner = owner
        self.keys = frozenset(keys)

    def content(self) -> LogContent:
        """Return what the log holds; nothing where there is none.

        Raises
        ------
        IntegrityError
            If it is damaged, or the log of something else.
        OSError
            If the system refuses.
        """
        keys: set[EpisodeKey] = set()
        shares: dict[int, Share] = {}
        for line in self._lines():
            if isinstance(line, _Attempt):
                shares.setdefault(line.attempt, Share())
                continue
            key = self._key(line)
            if key in keys:
                raise self._damage(f"holds episode {_name(key)} twice")
            keys.add(key)
            before = shares.get(line.attempt, Share())
            shares[line.attempt] = Share(line.seconds, before.effort + line.effort)
        return LogContent(frozenset(keys), shares)

    def rows(self) -> Iterator[Rows]:
        """Yield the rows of every episode, in the order in which they ended; raises as `content`.

        Raises
        ------
        InfrastructureError
            If an episode of the shard is not there, as when the file vanished.
        """
        missing = set(self.keys)
        for line in self._lines():
            if isinstance(line, _Episode):
                missing.discard(self._key(line))
                yield line.rows
        if missing:
            raise InfrastructureError(
                f"{self.path} has lost {len(missing)} episodes while the shard ran.",
                "Restore the folder, then run the same command again.",
            )

    @contextmanager
    def writing(self, attempt: int) -> Iterator[LogWriter]:
        """Open the log for an attempt; what a crash left half-written is cut off.

        Raises
        ------
        IntegrityError
            If it is damaged.
        InfrastructureError
            If the disk refuses.
        """
        with open_journal(self.path) as journal:
            if next(read_journal(self.path), None) is None:
                journal.append(_encoded(self.owner.model_dump()))
            journal.append(_encoded({"attempt": attempt}))
            yield LogWriter(journal, attempt)

    def remove(self) -> None:
        """Remove the log of a shard that is finished.

        Raises
        ------
        OSError
            If the system refuses.
        """
        with suppress(FileNotFoundError):
            self.path.unlink()
            sync_folder(self.path.parent)

    def _lines(self) -> Iterator[_Attempt | _Episode]:
        payloads = read_journal(self.path)
        first = next(payloads, None)
        if first is None:
            return
        owner = self._parsed(first, _OWNER)
        if owner != self.owner:
            raise self._damage(f"is of {owner.shard} of study {owner.study} {owner.identity[:12]}")
        for payload in payloads:
            yield self._parsed(payload, _LINE)

    def _parsed(self, payload: bytes, adapter: TypeAdapter[T]) -> T:
        try:
            return adapter.validate_python(json.loads(payload))
        except (ValueError, RecursionError) as error:
            raise self._damage("was written by another version") from error

    def _key(self, line: _Episode) -> EpisodeKey:
        """Return the episode of a line, whose rows have to be those of this version's tables."""
        rows = line.rows
        if set(rows) != set(_COLUMNS) or any(
            row.keys() != _COLUMNS[name] for name in rows for row in rows[name]
        ):
            raise self._damage("holds the rows of other tables")
        found = {tuple(row[name] for name in KEY) for part in rows.values() for row in part}
        if len(found) != 1 or len(rows["episodes"]) != 1:
            raise self._damage("mixes the rows of episodes")
        key = EpisodeKey(*found.pop())
        if key not in self.keys:
            raise self._damage(f"holds an episode of another shard, {_name(key)}")
        return key

    def _damage(self, problem: str) -> IntegrityError:
        return IntegrityError(f"The episode log {self.path} {problem}.", REMEDY)


class LogWriter:
    """The log of a shard, open for the episodes of one attempt."""

    def __init__(self, journal: Journal, attempt: int) -> None:
        self._journal = journal
        self._attempt = attempt

    def append(self, episode: EpisodeRecord, *, seconds: float, effort: Effort) -> None:
        """Append a finished episode; it is durable when this returns.

        Parameters
        ----------
        episode
            What it came to. What the plant did has another type, and no place here.
        seconds
            Since the attempt began.
        effort
            What answering it took.

        Raises
        ------
        InfrastructureError
            If the disk refuses: the episode is not there.
        """
        line = {"attempt": self._attempt, "seconds": seconds, "effort": effort.model_dump()}
        self._journal.append(_encoded({**line, "rows": episode_rows(episode)}))


def _encoded(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, allow_nan=False, separators=(",", ":")).encode()


def _name(key: EpisodeKey) -> str:
    return "/".join(map(str, key))
