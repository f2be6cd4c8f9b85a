"""An attempt ledger that was damaged is named; one that a crash cut short is read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.attempt import read_entries
from harness.error import InfrastructureError, IntegrityError
from harness.ledger import Ledger

START = {"attempt": 1, "outcome": "started", "at": 1.0}
END = {"attempt": 1, "outcome": "finished", "at": 3.0, "seconds": 2.0}


def ledger(folder: Path, *lines: dict[str, Any] | str) -> Ledger:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path = folder / "shard.jsonl"
    path.write_text("".join(f"\n{text}" for text in texts))
    return Ledger(path)


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ({**START, "attempt": "2"}, "attempt: "),
        ({**START, "attempt": [2]}, "attempt: "),
        ({**START, "attempt": True}, "attempt: "),
        ({**START, "attempt": 0}, "attempt: "),
        ({**START, "outcome": "done"}, "outcome: "),
        ({**END, "seconds": [2]}, "seconds: "),
        ({**END, "seconds": -1}, "seconds: "),
        ('{"attempt": 1, "outcome": "finished", "at": 1, "seconds": NaN}', "NaN is no number"),
        ('{"attempt": 1, "attempt": 2, "outcome": "started", "at": 1}', "'attempt' stands twice"),
        ('{"attempt": "1", "outcome": "started", "at": 1}', "attempt: "),
        ({**END, "message": {"a": 1}}, "message: "),
        ({**START, "note": 1}, "note: "),
        ({"attempt": 2}, "outcome: "),
        ("[]", ""),
        ("7", ""),
        ("nothing of the kind", ""),
        ("[" * 100_000, ""),
        ('{"a":' * 100_000, ""),
    ],
)
def test_a_line_that_is_no_entry_is_named(
    tmp_path: Path, line: dict[str, Any] | str, place: str
) -> None:
    damaged = ledger(tmp_path, START, END, line, {**START, "attempt": 2})
    with pytest.raises(IntegrityError) as caught:
        damaged.attempts()
    assert caught.value.exit_code == 3
    where = re.escape(f"{damaged.path}:4: this is no entry of an attempt ledger")
    assert re.match(where, caught.value.what)
    assert place in caught.value.what


def test_half_a_line_before_another_attempt_is_a_crash(tmp_path: Path) -> None:
    found = ledger(tmp_path, START, '{"attempt": 1, "outc', {**START, "attempt": 2}).attempts()
    assert [(item.number, item.outcome) for item in found] == [(1, "started"), (2, "started")]


def test_half_a_line_before_the_end_that_another_process_wrote_is_a_crash(tmp_path: Path) -> None:
    [found] = ledger(tmp_path, START, '{"attempt": 1, "outc', END).attempts()
    assert (found.number, found.outcome) == (1, "finished")


def test_half_a_line_before_the_end_of_an_attempt_is_damage(tmp_path: Path) -> None:
    damaged = ledger(tmp_path, '{"attempt": 1, "outc', END)
    with pytest.raises(IntegrityError, match=r"shard\.jsonl:2: this is no entry"):
        damaged.attempts()


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(IntegrityError) as caught:
        Ledger(tmp_path).attempts()
    assert caught.value.what == f"{tmp_path} is not a file."


def test_attempts_are_numbered_after_the_last(tmp_path: Path) -> None:
    with ledger(tmp_path, {**START, "attempt": 4}).attempt() as number:
        assert number == 5


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), MemoryError("no room")])
def test_what_the_system_refuses_is_infrastructure(tmp_path: Path, error: Exception) -> None:
    book = ledger(tmp_path)
    with pytest.raises(type(error)), book.attempt():
        raise error
    [attempt] = book.attempts()
    assert (attempt.outcome, attempt.failure) == ("infrastructure", type(error).__name__)


def test_a_file_where_the_folder_should_be_is_infrastructure(tmp_path: Path) -> None:
    (tmp_path / "attempts").write_text("")
    book = Ledger(tmp_path / "attempts" / "shard.jsonl")
    with pytest.raises(NotADirectoryError):
        book.attempts()
    with pytest.raises(InfrastructureError, match="cannot be written"):
        book._append(next(read_entries(ledger(tmp_path, START).path)))
