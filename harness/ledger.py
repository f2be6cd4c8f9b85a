"""The attempt ledger: every attempt at a shard, infrastructure failures too."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.disk import disk_error, is_there, read_file
from harness.error import InfrastructureError, IntegrityError
from surface.error import StudyError

Outcome = Literal["started", "finished", "infrastructure", "refused"]

LARGEST_LEDGER: Final = 64 * 2**20
"""Bytes; an attempt takes a few hundred."""

_REMEDY: Final = "Restore the file, or remove it: the shard then has no attempts on record."

_Seconds = Annotated[float, Field(allow_inf_nan=False)]


class _Entry(BaseModel):
    """A line of the ledger: the start of an attempt or its end."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    attempt: int = Field(ge=1)
    outcome: Outcome
    at: _Seconds
    seconds: _Seconds | None = Field(default=None, ge=0)
    failure: str | None = None
    message: str | None = None


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


class Ledger:
    """The attempts at one shard, one JSON line for each start and each end."""

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.now = now

    def attempts(self) -> tuple[Attempt, ...]:
        """Return the attempts so far. A line that a crash cut short is not counted.

        Raises
        ------
        IntegrityError
            If the file holds anything else than the entries of a ledger.
        OSError
            If the system refuses.
        """
        found = {
            entry.attempt: Attempt(
                number=entry.attempt,
                outcome=entry.outcome,
                failure=entry.failure,
                message=entry.message,
                seconds=entry.seconds,
            )
            for entry in self._entries()
        }
        return tuple(found[number] for number in sorted(found))

    @contextmanager
    def attempt(self) -> Iterator[int]:
        """Record an attempt around the body; yields its one-based number."""
        earlier = self.attempts()
        number = earlier[-1].number + 1 if earlier else 1
        started = self.now()
        self._append(_Entry(attempt=number, outcome="started", at=started))

        def end(outcome: Outcome, error: BaseException | None = None) -> None:
            ended = self.now()
            self._append(
                _Entry(
                    attempt=number,
                    outcome=outcome,
                    at=ended,
                    seconds=max(0.0, ended - started),
                    failure=None if error is None else type(error).__name__,
                    message=None if error is None else str(error),
                )
            )

        try:
            yield number
        except (InfrastructureError, OSError, MemoryError) as error:
            end("infrastructure", error)
            raise
        except StudyError as error:
            end("refused", error)
            raise
        end("finished")

    def _entries(self) -> Iterator[_Entry]:
        if not is_there(self.path):
            return
        content = read_file(self.path, limit=LARGEST_LEDGER, remedy=_REMEDY)
        cut: IntegrityError | None = None
        for number, line in enumerate(content.split(b"\n"), start=1):
            if not line:
                continue
            try:
                entry = _Entry.model_validate(json.loads(line))
            except (ValueError, RecursionError) as error:
                problem = IntegrityError(
                    f"{self.path}:{number}: this is no entry of an attempt ledger{_where(error)}.",
                    _REMEDY,
                )
                # Every entry is an object: what begins as one and does not parse was cut short.
                if not line.startswith(b"{") or not isinstance(error, json.JSONDecodeError):
                    raise problem from error
                cut = problem
                continue
            # The process that left half a line is gone: the next one is another attempt's start.
            if cut is not None and entry.outcome != "started":
                raise cut
            cut = None
            yield entry

    def _append(self, entry: _Entry) -> None:
        # A leading newline sets the entry apart from a line that a crash cut short.
        plain = entry.model_dump(mode="json", exclude_none=True)
        line = b"\n" + json.dumps(plain, sort_keys=True).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as stream:
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise disk_error(self.path, error) from error


def _where(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return ""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f" ({where}: {first['msg']})" if where else ""
