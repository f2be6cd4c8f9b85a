"""What a verb answers: one record, told to people as lines and to machines as a document.

With ``--json`` standard output is one line of canonical JSON (RFC 8785, UTF-8 in every locale) and
nothing else; progress and messages go to standard error, and exit codes are the same. A figure that
does not exist is null. Every document has the key ``verb``, and these:

=============== ==================================================================================
verb            keys
=============== ==================================================================================
run-shard       study, identity, shard, shards, action, episodes
run             study, identity, shards, ran, skipped, busy, results
freeze          study, agent, identity, commit, lock, action, reworded
diff            old, new, changes
conveyor        standings (study, agent, identity, state, detail, attempts, artifact, verdict)
status          study, identity, begun, shards (shard, state, episodes, attempts, note, failure,
                message), attempts, strangers, remaining_seconds
aggregate       study, identity, digest, evidence, development, gate, terminal; with
                ``--simulation``: study, identity, label, simulation; with ``--blind``: study,
                identity, blind_report
report          study, identity, digest, label, report
verify          study, identity, digest, episodes, checks (name, count, unit, findings), gate,
                other_analysis
export          study, identity, digest, label, folders
power           record, folder
replay          study, identity, digest, shards, episodes
doctor          base_url, model, findings (check, state, what), pace, remaining, concurrency, cost
check-surface   problems (place, what, remedy, file, line), counts
completion      shell, script
=============== ==================================================================================

A command that fails says so under the key ``error``, with ``what``, ``remedy`` and ``exit``: alone,
or beside what is of use all the same (``status`` of damaged shards, ``conveyor``). Without that key
``doctor`` and ``check-surface`` end with 1 when they find something, and ``aggregate
--require-pass`` with 4 when the gate is not passed.
"""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from harness.output import complain, say_coloured, say_document
from surface.error import StudyError


@dataclass(frozen=True)
class Answer(ABC):
    """What a verb found out."""

    @abstractmethod
    def lines(self) -> Iterable[str]:
        """Return what is said to people."""

    def document(self) -> Mapping[str, Any]:
        """Return what is said to machines, of records and values: the fields, unless overridden."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def exit_code(self) -> int:
        """Return what the command ends with when nothing failed."""
        return 0

    def failure(self) -> StudyError | None:
        """Return what is wrong although there is an answer; its exit code counts then."""
        return None


def teller(arguments: argparse.Namespace) -> Callable[[str], None]:
    """Return what takes a line that is said while a verb is still at work, for people only."""
    return _say_nothing if arguments.json else say_coloured


def respond(answer: Answer, verb: str, *, as_json: bool) -> int:
    """Say an answer and return the exit code.

    Parameters
    ----------
    answer
        What the verb found out.
    verb
        Its name.
    as_json
        Whether to say it to a machine.

    Raises
    ------
    StudyError
        The answer's failure, once the lines are said; a document holds it.
    BrokenPipeError
        If nobody reads the output any more.
    """
    failure = answer.failure()
    if not as_json:
        for line in answer.lines():
            say_coloured(line)
        if failure is not None:
            raise failure
        return answer.exit_code()
    document = {"verb": verb, **plain(answer.document())}
    if failure is None:
        say_document(document)
        return answer.exit_code()
    say_document({**document, **error_document(failure, failure.exit_code)})
    complain(failure.what, failure.remedy)
    return failure.exit_code


def error_document(error: StudyError, code: int) -> dict[str, Any]:
    """Return the document of a command that failed and ends with a code."""
    return {"error": {"what": plain(error.what), "remedy": plain(error.remedy), "exit": code}}


def plain(value: Any) -> Any:
    """Return a record and what it holds as values that JSON has.

    A path that is not text is written with escapes.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Path | str):
        return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
    return value


def _say_nothing(line: str) -> None:
    """Leave a line out."""
