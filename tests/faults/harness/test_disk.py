"""What the disk refuses is told as such, and never taken for an answer."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pytest

from harness.disk import REMOVED_PREFIX, is_there, listing, read_file, remove_whole, write_whole
from harness.error import InfrastructureError, IntegrityError
from harness.schema import TABLES
from harness.store import count_rows, file_sha256, read_table, write_table

SCHEMA = TABLES["gold_traces"]


def refuse(number: int) -> Callable[..., NoReturn]:
    def fail(path: Any = None, *args: Any, **options: Any) -> NoReturn:
        raise OSError(number, os.strerror(number), str(path))

    return fail


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "é" / "table.parquet"
    write_table(path, pa.Table.from_pylist([], schema=SCHEMA))
    return path


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ENAMETOOLONG])
def test_no_answer_is_not_taken_for_absence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(Path, "stat", refuse(number))
    with pytest.raises(OSError, match=os.strerror(number)) as caught:
        is_there(tmp_path / "file")
    assert caught.value.filename == str(tmp_path / "file")


def test_a_folder_that_cannot_be_listed_is_not_taken_for_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listing(tmp_path / "none") == ()
    for name in ("listdir", "scandir"):
        monkeypatch.setattr(os, name, refuse(errno.EACCES))
    with pytest.raises(PermissionError):
        listing(tmp_path)


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        is_there(tmp_path / "file" / "below")
    with pytest.raises(NotADirectoryError):
        listing(tmp_path / "file")


@pytest.mark.parametrize("exclusive", [False, True])
def test_a_file_where_a_folder_should_be_blocks_writing(tmp_path: Path, exclusive: bool) -> None:
    (tmp_path / "episodes").write_text("")
    with pytest.raises(InfrastructureError, match="File exists") as caught:
        write_whole(tmp_path / "episodes" / "a", lambda _: None, exclusive=exclusive)
    assert caught.value.exit_code == 75


def test_a_read_that_fails_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "study.json"
    path.write_text("{}")

    def fail(self: Path) -> NoReturn:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(OSError, match="Input/output error") as caught:
        read_file(path, limit=10, remedy="")
    assert caught.value.filename == str(path)


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "study.json")
    with pytest.raises(IntegrityError, match="is not a file"):
        read_file(tmp_path / "study.json", limit=10, remedy="")


@pytest.mark.parametrize("read", [file_sha256, count_rows, lambda path: read_table(path, SCHEMA)])
def test_a_table_that_cannot_be_opened_is_the_plants(
    table: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], object]
) -> None:
    read(table)
    monkeypatch.setattr(Path, "open", refuse(errno.EACCES))
    with pytest.raises(PermissionError):
        read(table)


@pytest.mark.parametrize("read", [count_rows, lambda path: read_table(path, SCHEMA)])
@pytest.mark.parametrize("content", [b"", b"PAR1", b"x" * 5000])
def test_a_table_that_holds_something_else_is_damaged(
    table: Path, read: Callable[[Path], object], content: bytes
) -> None:
    table.write_bytes(content)
    with pytest.raises(IntegrityError, match="is damaged"):
        read(table)


@pytest.mark.parametrize("read", [file_sha256, count_rows])
def test_a_table_that_is_missing_or_a_folder(table: Path, read: Callable[[Path], object]) -> None:
    table.unlink()
    with pytest.raises(IntegrityError, match="is missing"):
        read(table)
    table.mkdir()
    with pytest.raises(IntegrityError, match="is not a file"):
        read(table)


def test_a_removal_that_was_killed_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "terminal"
    folder.mkdir()
    (folder / "terminal.json").write_text("{}")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", refuse(errno.EINTR))
        with pytest.raises(InterruptedError):
            remove_whole(folder)
    [left] = tmp_path.iterdir()
    assert left.name.startswith(REMOVED_PREFIX)
    remove_whole(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_removal_that_was_killed_before_its_step_leaves_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "terminal"
    folder.mkdir()
    (folder / "terminal.json").write_text("{}")
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", refuse(errno.EINTR))
        with pytest.raises(InterruptedError):
            remove_whole(folder)
    assert (folder / "terminal.json").read_text() == "{}"


def test_only_a_folder_is_removed(tmp_path: Path) -> None:
    (tmp_path / "terminal").write_text("mine")
    remove_whole(tmp_path / "terminal")
    remove_whole(tmp_path / "nowhere" / "terminal")
    assert (tmp_path / "terminal").read_text() == "mine"
