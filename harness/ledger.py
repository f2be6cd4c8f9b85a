"""The attempt ledger: every attempt at a shard, infrastructure failures too.

An attempt that left no end was killed. Whoever holds the shard next writes its end, with what the
episode log tells of it, so that neither its time nor its tokens are forgotten.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from harness.attempt import Attempt, Entry, Outcome, encode_entry, parse_entry, read_entries
from harness.disk import append
from harness.effort import Effort
from harness.failure import KILLED, PLANT_ERRORS, Failure
from surface.error import StudyError


class Entries(Protocol):
    """Entries that several machines share, each under its name."""

    def all(self) -> Mapping[str, bytes]:
        """Return every entry by name, in their order."""
        ...

    def add(self, name: str, content: bytes) -> bool:
        """Add an entry; False when another of this name is there."""
        ...


class Ledger:
    """The attempts at one shard, one JSON line for each start and each end.

    Parameters
    ----------
    path
        The file.
    now
        Seconds since 1970, for people to read: nothing is computed from them.
    timer
        Seconds from an arbitrary start that never run backwards, for durations.
    entries
        Where other machines see the entries too, if there is such a place.
    """

    def __init__(
        self,
        path: Path,
        *,
        now: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.monotonic,
        entries: Entries | None = None,
    ) -> None:
        self.path = path
        self.now = now
        self.timer = timer
        self._shared = entries

    def sync(self) -> None:
        """Bring the entries of other machines here, and those of this one to them.

        Raises
        ------
        IntegrityError
            If an entry is damaged.
        InfrastructureError
            If the disk or the store refuses.
        """
        if self._shared is None:
            return
        there = self._shared.all()
        here = {entry.name: entry for entry in read_entries(self.path)}
        for name, content in there.items():
            if name not in here:
                self._append(parse_entry(content, name))
        for name, entry in here.items():
            if name not in there:
                self._shared.add(name, encode_entry(entry))

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
                effort=entry.effort,
            )
            for entry in read_entries(self.path)
        }
        return tuple(found[number] for number in sorted(found))

    @contextmanager
    def attempt(self, spent: Callable[[], Effort] = Effort) -> Iterator[int]:
        """Record an attempt around the body; yields its one-based number.

        Parameters
        ----------
        spent
            Tells at the end what answering took.
        """
        begun = self.timer()
        number = self._begin()

        def end(outcome: Outcome, failure: Failure | None = None) -> None:
            self._end(number, outcome, self.timer() - begun, spent(), failure)

        try:
            yield number
        except PLANT_ERRORS as error:
            end("infrastructure", Failure.of(error))
            raise
        except StudyError as error:
            end("refused", Failure(type(error).__name__, str(error)))
            raise
        end("finished")

    def close(self, number: int, seconds: float, effort: Effort, *, killed: bool) -> None:
        """Write the end of an attempt whose process is gone.

        Parameters
        ----------
        number
            The attempt.
        seconds, effort
            How long it took until its last episode, and what its episodes took.
        killed
            Whether it ended before its shard was finished.
        """
        if killed:
            self._end(number, "infrastructure", seconds, effort, KILLED)
        else:
            self._end(number, "finished", seconds, effort)

    def _begin(self) -> int:
        """Write the begin of an attempt under the first number that nobody has; return that."""
        earlier = self.attempts()
        number = earlier[-1].number + 1 if earlier else 1
        worker = None if self._shared is None else secrets.token_hex(8)
        while True:
            entry = Entry(attempt=number, outcome="started", at=self.now(), worker=worker)
            if self._shared is None or self._shared.add(entry.name, encode_entry(entry)):
                self._append(entry)
                return number
            number += 1

    def _end(
        self,
        number: int,
        outcome: Outcome,
        seconds: float,
        effort: Effort,
        failure: Failure | None = None,
    ) -> None:
        entry = Entry(
            attempt=number,
            outcome=outcome,
            at=self.now(),
            seconds=max(0.0, seconds),
            failure=None if failure is None else failure.kind,
            message=None if failure is None else failure.message,
            effort=effort,
        )
        self._append(entry)
        if self._shared is not None:
            self._shared.add(entry.name, encode_entry(entry))

    def _append(self, entry: Entry) -> None:
        # A leading newline sets the entry apart from a line that a crash cut short.
        append(self.path, b"\n" + encode_entry(entry))
