"""What the verb ``status`` does and says."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from harness.answer import Answer
from harness.compose import load_config
from harness.error import IntegrityError
from harness.exchange import study_exchange
from harness.pin import shard_count
from harness.status import Condition, ShardStatus, StudyStatus, study_status
from harness.study import Study
from surface.error import StudyError

_MOST_LISTED: Final = 20


@dataclass(frozen=True)
class ShardLine:
    """One shard of the answer."""

    shard: int
    state: Condition
    episodes: int
    attempts: int
    note: str | None
    """What is damaged or lost."""
    failure: str | None
    """Class of the error that ended the last attempt."""
    message: str | None


@dataclass(frozen=True)
class StatusAnswer(Answer):
    """Shards and attempts, no outcome."""

    study: str
    identity: str
    found: StudyStatus | None
    """None where no shard was begun."""

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield f"Study {self.study}, identity {self.identity}"
        if self.found is None:
            yield "No shard has been begun."
        else:
            yield from status_lines(self.found)

    def document(self) -> dict[str, Any]:
        """Return what is said to machines."""
        found = self.found
        return {
            "study": self.study,
            "identity": self.identity,
            "begun": found is not None,
            "shards": [_shard_line(item) for item in found.shards] if found else [],
            "attempts": found.attempts if found else {},
            "strangers": found.strangers if found else (),
            "remaining_seconds": found.remaining_seconds if found else None,
        }

    def failure(self) -> StudyError | None:
        """Return what is wrong although there is an answer."""
        if self.found is None:
            return None
        if damaged := self.found.of("damaged"):
            return IntegrityError(
                f"Finished shards are damaged: {_indices(damaged)}.",
                "Restore their files, or remove their manifests and run them again.",
            )
        if strangers := self.found.strangers:
            return IntegrityError(
                f"Files that do not belong here: {_listed(map(str, strangers))}.", "Remove them."
            )
        return None


def status(arguments: argparse.Namespace) -> StatusAnswer:
    """Show shards and attempts, no outcome."""
    study = Study(load_config(arguments.override))
    study_exchange(study).fetch_all()
    shard_count(study)
    return StatusAnswer(study.config.study.name, study.identity, study_status(study))


def status_lines(found: StudyStatus) -> Iterator[str]:
    """Yield what is said about a study that was begun."""
    yield f"{found.count('finished')} of {len(found.shards)} shards are finished."
    states: tuple[Condition, ...] = (
        "damaged",
        "lost",
        "failed",
        "running",
        "unfinished",
        "missing",
    )
    for state in states:
        if shards := found.of(state):
            yield f"{len(shards)} {state}: {_indices(shards)}"
    attempts = ", ".join(f"{count} {name}" for name, count in sorted(found.attempts.items()))
    yield f"attempts: {attempts or 'none'}"
    told = [item for item in found.shards if item.state not in {"finished", "missing"}]
    for item in told[:_MOST_LISTED]:
        yield f"  shard {item.shard.index}: {item.state}, {_tries(item)}, {_why(item)}"
    if len(told) > _MOST_LISTED:
        yield f"  and {len(told) - _MOST_LISTED} more"
    seconds = found.remaining_seconds
    if seconds:
        yield f"about {_duration(seconds)} of one process remain, judging by finished attempts"


def _shard_line(item: ShardStatus) -> ShardLine:
    last = item.attempts[-1] if item.attempts else None
    return ShardLine(
        item.shard.index,
        item.state,
        item.episodes,
        len(item.attempts),
        item.note,
        last.failure if last else None,
        last.message if last else None,
    )


def _indices(shards: Iterable[ShardStatus]) -> str:
    return _listed(str(item.shard.index) for item in shards)


def _listed(found: Iterable[str]) -> str:
    names = list(found)
    more = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def _tries(item: ShardStatus) -> str:
    return "1 attempt" if len(item.attempts) == 1 else f"{len(item.attempts)} attempts"


def _why(item: ShardStatus) -> str:
    if item.note is not None:
        return item.note.rstrip(".")
    last = item.attempts[-1]
    if last.failure is None:
        return "no end is recorded"
    # The rest of a long message lists what it was about.
    first = (last.message or "").partition("\n")[0]
    return f"{last.failure}: {first}"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
