"""The attempt ledger: every attempt at a shard, infrastructure failures too."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.error import InfrastructureError
from harness.folder import disk_error
from surface.error import StudyError

Outcome = Literal["started", "finished", "infrastructure", "refused"]


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
        """Return the attempts so far. A line that a crash cut short is not counted."""
        found: dict[int, Attempt] = {}
        for line in self._lines():
            number = line["attempt"]
            found[number] = Attempt(
                number=number,
                outcome=line["outcome"],
                failure=line.get("failure"),
                message=line.get("message"),
                seconds=line.get("seconds"),
            )
        return tuple(found[number] for number in sorted(found))

    @contextmanager
    def attempt(self) -> Iterator[int]:
        """Record an attempt around the body; yields its one-based number."""
        number = len(self.attempts()) + 1
        started = self.now()
        self._append({"attempt": number, "outcome": "started", "at": started})

        def end(outcome: Outcome, error: BaseException | None = None) -> None:
            entry: dict[str, Any] = {
                "attempt": number,
                "outcome": outcome,
                "at": self.now(),
                "seconds": max(0.0, self.now() - started),
            }
            if error is not None:
                entry |= {"failure": type(error).__name__, "message": str(error)}
            self._append(entry)

        try:
            yield number
        except InfrastructureError as error:
            end("infrastructure", error)
            raise
        except StudyError as error:
            end("refused", error)
            raise
        end("finished")

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            raw = self.path.read_bytes()
        except FileNotFoundError:
            return
        for line in raw.split(b"\n"):
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict) and "attempt" in entry and "outcome" in entry:
                yield entry

    def _append(self, entry: dict[str, Any]) -> None:
        # A leading newline sets the entry apart from a line that a crash cut short.
        line = b"\n" + json.dumps(entry, sort_keys=True).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as stream:
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise disk_error(self.path, error) from error
