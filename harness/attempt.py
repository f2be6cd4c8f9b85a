"""Attempts at a shard: one line of JSON for the begin of each, and one for its end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.disk import is_there, read_file
from harness.effort import Effort
from harness.error import IntegrityError
from harness.strict_json import strict_json

Outcome = Literal["started", "finished", "infrastructure", "refused"]
"""Of an attempt, never of an episode."""

LARGEST_LEDGER: Final = 64 * 2**20
"""Bytes; an attempt takes a few hundred."""

_REMEDY: Final = "Restore the file, or remove the manifest of its shard as well and run that again."

_Seconds = Annotated[float, Field(allow_inf_nan=False)]


class Entry(BaseModel):
    """A line of the ledger: the start of an attempt or its end."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    attempt: int = Field(ge=1)
    outcome: Outcome
    at: _Seconds
    seconds: _Seconds | None = Field(default=None, ge=0)
    failure: str | None = None
    message: str | None = None
    effort: Effort | None = None
    worker: str | None = None
    """Random name of the process, so that no two entries are alike."""

    @property
    def name(self) -> str:
        """Name among the entries of a shard, in the order of what happened."""
        return f"{self.attempt:05d}.{0 if self.outcome == 'started' else 1}.json"


@dataclass(frozen=True)
class Attempt:
    """One attempt as the ledger tells it."""

    number: int
    outcome: Outcome
    """`started` where the ledger has no end: the attempt runs, or its process died."""
    failure: str | None
    """Class of the error that ended it."""
    message: str | None
    seconds: float | None
    """How long it took; of one that was killed, until its last episode."""
    effort: Effort | None
    """What answering took in it; None where it has no end, or an older version wrote it."""


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield the entries of a ledger's file. A line that a crash cut short is not counted.

    Raises
    ------
    IntegrityError
        If the file holds anything else than the entries of a ledger.
    OSError
        If the system refuses.
    """
    if not is_there(path):
        return
    content = read_file(path, limit=LARGEST_LEDGER, remedy=_REMEDY)
    cut: IntegrityError | None = None
    begun: set[int] = set()
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line:
            continue
        try:
            entry = Entry.model_validate(strict_json(line))
        except ValueError as error:
            problem = IntegrityError(
                f"{path}:{number}: this is no entry of an attempt ledger{_where(error)}.",
                _REMEDY,
            )
            # Every entry is an object: what begins as one and does not parse was cut short.
            if not line.startswith(b"{") or not isinstance(error, json.JSONDecodeError):
                raise problem from error
            cut = problem
            continue
        if entry.outcome == "started":
            begun.add(entry.attempt)
        # The process that left half a line is gone: the next one writes the end of its attempt, or
        # begins another.
        elif cut is not None and entry.attempt not in begun:
            raise cut
        cut = None
        yield entry


def encode_entry(entry: Entry) -> bytes:
    """Return an entry as its line holds it."""
    return json.dumps(entry.model_dump(mode="json", exclude_none=True), sort_keys=True).encode()


def parse_entry(content: bytes, name: str) -> Entry:
    """Return the entry of a name in the store.

    Raises
    ------
    IntegrityError
        If it is none.
    """
    try:
        return Entry.model_validate(strict_json(content))
    except ValueError as error:
        raise IntegrityError(
            f"The attempt {name} in the store is no entry of an attempt ledger{_where(error)}.",
            "Restore the object, or remove it.",
        ) from error


def _where(error: Exception) -> str:
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return ""
    if not isinstance(error, ValidationError):
        return f" ({error})"
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f" ({where}: {first['msg']})" if where else ""
