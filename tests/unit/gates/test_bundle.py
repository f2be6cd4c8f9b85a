"""Finding and reading a terminal record: what is none is refused, with what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gates.bundle import TERMINAL_KEYS, find_terminal, load_terminal
from harness.error import IntegrityError, NotTerminalError
from harness.schema import SCHEMA_VERSION

RECORD: dict[str, Any] = {**dict.fromkeys(TERMINAL_KEYS), "schema_version": SCHEMA_VERSION}


def write(results: Path, identity: str, content: str | bytes | None = None) -> Path:
    path = results / "dev" / identity / "terminal" / "terminal.json"
    path.parent.mkdir(parents=True)
    text = json.dumps(RECORD) if content is None else content
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_one_terminal_record_is_found_and_read(tmp_path: Path) -> None:
    path = write(tmp_path, "1" * 64)
    # Another identity that is not terminal yet, and another study.
    (tmp_path / "dev" / ("2" * 64) / "episodes").mkdir(parents=True)
    (tmp_path / "other" / ("3" * 64) / "terminal").mkdir(parents=True)
    assert find_terminal(tmp_path, "dev") == path
    assert load_terminal(path) == RECORD


def test_a_study_without_a_terminal_record(tmp_path: Path) -> None:
    for study in ("dev", "nowhere"):
        (tmp_path / "dev" / ("1" * 64) / "terminal").mkdir(parents=True, exist_ok=True)
        with pytest.raises(NotTerminalError, match="holds no terminal record") as caught:
            find_terminal(tmp_path, study)
        assert caught.value.exit_code == 2
        assert f"make study STUDY={study}" in caught.value.remedy


def test_several_identities_are_named_and_refused(tmp_path: Path) -> None:
    for digit in "12":
        write(tmp_path, digit * 64)
    with pytest.raises(IntegrityError, match="111111111111, 222222222222") as caught:
        find_terminal(tmp_path, "dev")
    assert caught.value.exit_code == 3


def test_a_missing_file_is_not_terminal(tmp_path: Path) -> None:
    with pytest.raises(NotTerminalError, match="does not exist"):
        load_terminal(tmp_path / "terminal.json")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"schema_version": NaN}',
        b'{"schema_version": 2, "gate": Infinity}',
        b"[" * 100_000,
    ],
)
def test_broken_json_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(IntegrityError, match="is not readable JSON") as caught:
        load_terminal(write(tmp_path, "1" * 64, content))
    assert caught.value.exit_code == 3


def test_a_folder_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(IntegrityError, match="is not readable JSON"):
        load_terminal(tmp_path)


@pytest.mark.parametrize("content", ["null", "[]", '"text"', "1", "{}", '{"gate": {}}'])
def test_what_is_no_record_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(IntegrityError, match="is not a terminal record"):
        load_terminal(write(tmp_path, "1" * 64, content))


@pytest.mark.parametrize("version", [0, 1, 3, "2", None, True])
def test_another_version_is_refused(tmp_path: Path, version: object) -> None:
    content = json.dumps({**RECORD, "schema_version": version})
    with pytest.raises(IntegrityError, match=f"has schema {version!r}, not 2") as caught:
        load_terminal(write(tmp_path, "1" * 64, content))
    assert caught.value.remedy == "Aggregate the study again with this version."


@pytest.mark.parametrize("key", [key for key in TERMINAL_KEYS if key != "schema_version"])
def test_a_record_without_one_of_its_keys_is_refused(tmp_path: Path, key: str) -> None:
    content = json.dumps({name: value for name, value in RECORD.items() if name != key})
    with pytest.raises(IntegrityError, match=f"it has no {key}\\."):
        load_terminal(write(tmp_path, "1" * 64, content))
