"""What the disk refuses while a journal is written: nothing half-written stays, nothing is lost."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from harness import journal
from harness.error import InfrastructureError
from harness.journal import Journal, encode, open_journal, read_journal

FIRST, SECOND = b"first", b"the second one"


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Refuse files above a size, as a full disk does."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log" / "shard.log"


def refuse(number: int, *_: Any, **__: Any) -> NoReturn:
    raise OSError(number, os.strerror(number))


def test_a_disk_that_is_full_at_any_byte_keeps_the_whole_records(path: Path) -> None:
    whole = len(encode(FIRST))
    with open_journal(path) as log:
        log.append(FIRST)
        for size in range(whole, whole + len(encode(SECOND))):
            with file_size_limit(size), pytest.raises(InfrastructureError) as caught:
                log.append(SECOND)
            assert caught.value.exit_code == 75
            assert path.read_bytes() == encode(FIRST)
        log.append(SECOND)
    assert list(read_journal(path)) == [FIRST, SECOND]


def test_where_even_that_is_refused_the_next_reader_cuts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_journal(path) as log, monkeypatch.context() as patch:
        log.append(FIRST)
        patch.setattr(os, "ftruncate", lambda *_: refuse(errno.EIO))
        with file_size_limit(len(encode(FIRST)) + 9), pytest.raises(InfrastructureError):
            log.append(SECOND)
    assert len(path.read_bytes()) == len(encode(FIRST)) + 9
    assert list(read_journal(path)) == [FIRST]
    with open_journal(path) as log:
        log.append(SECOND)
    assert list(read_journal(path)) == [FIRST, SECOND]


def test_a_record_that_the_disk_did_not_confirm_is_not_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_journal(path) as log, monkeypatch.context() as patch:
        patch.setattr(journal, "_sync", lambda *_: refuse(errno.EIO))
        with pytest.raises(InfrastructureError, match="Input/output error"):
            log.append(FIRST)
    assert list(read_journal(path)) == []


def test_a_write_in_parts_is_one_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    with open_journal(path) as log, monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda number, content: real(number, content[:3]))
        log.append(SECOND)
    assert list(read_journal(path)) == [SECOND]


def vanish(path: Path) -> None:
    shutil.rmtree(path.parent)


def replace(path: Path) -> None:
    path.unlink()
    path.touch()


@pytest.mark.parametrize(
    ("change", "said"), [(vanish, "No such file or directory"), (replace, "was replaced")]
)
def test_nothing_is_written_to_where_nobody_finds_it(path: Path, change: Any, said: str) -> None:
    with open_journal(path) as log:
        log.append(FIRST)
        change(path)
        with pytest.raises(InfrastructureError, match=said) as caught:
            log.append(SECOND)
    assert caught.value.exit_code == 75
    assert list(read_journal(path)) == []


@pytest.mark.parametrize("name", ["open", "mkdir", "ftruncate", "fsync"])
def test_a_folder_that_is_read_only_is_the_plants(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(os, name, lambda *_, **__: refuse(errno.EROFS))
    with pytest.raises(InfrastructureError, match="Read-only file system"), open_journal(path):
        pass


def test_a_journal_that_cannot_be_read_is_not_taken_for_empty(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_journal(path) as log:
        log.append(FIRST)
    monkeypatch.setattr(Path, "open", lambda *_: refuse(errno.EACCES))
    with pytest.raises(PermissionError) as caught:
        list(read_journal(path))
    assert caught.value.filename == str(path)


def test_records_are_durable_one_by_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr(journal, "_sync", lambda _: synced.append(path.stat().st_size))

    def write(log: Journal) -> None:
        for payload in (FIRST, SECOND):
            log.append(payload)

    with open_journal(path) as log:
        write(log)
    assert synced == [len(encode(FIRST)), len(encode(FIRST) + encode(SECOND))]
