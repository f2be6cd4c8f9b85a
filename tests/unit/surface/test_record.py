"""Errors of records name file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import Field

from surface.error import StudyError, SurfaceError
from surface.record import Record, read_record


class Part(Record):
    name: str
    size: int | float = 0
    parts: list[Part] = Field(default_factory=list)


def refused(tmp_path: Path, text: str) -> SurfaceError:
    path = tmp_path / "part.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SurfaceError) as caught:
        read_record(path, Part, root=tmp_path)
    return caught.value


def place(error: SurfaceError) -> tuple[str | None, int | None, str | None]:
    return error.file, error.line, error.field


def test_a_missing_key_is_named_where_it_is_missing(tmp_path: Path) -> None:
    error = refused(tmp_path, "name: a\nparts:\n- name: b\n- size: 3\n")
    assert place(error) == ("part.yaml", 4, "parts[1]")
    assert error.problem == "The key 'name' is missing."


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path, "name: a\nparts:\n- name: b\n  colour: red\n")
    assert place(error) == ("part.yaml", 4, "parts[0].colour")
    assert "'colour' does not exist here" in error.problem


@pytest.mark.parametrize("value", ["1", "true", "[a]", "null"])
def test_nothing_is_coerced_to_a_text(tmp_path: Path, value: str) -> None:
    error = refused(tmp_path, f"size: 1\nname: {value}\n")
    assert place(error) == ("part.yaml", 2, "name")


@pytest.mark.parametrize("value", ["'1'", "true", "null"])
def test_nothing_is_coerced_to_a_number(tmp_path: Path, value: str) -> None:
    error = refused(tmp_path, f"name: a\nsize: {value}\n")
    assert place(error) == ("part.yaml", 2, "size")


@pytest.mark.parametrize("text", ["", "- a", "a", "5"])
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    assert refused(tmp_path, text).file == "part.yaml"


def test_records_are_frozen(tmp_path: Path) -> None:
    path = tmp_path / "part.yaml"
    path.write_text("name: a\n", encoding="utf-8")
    record, document = read_record(path, Part)
    assert document.data == {"name": "a"}
    with pytest.raises(ValueError, match="frozen"):
        record.name = "b"  # type: ignore[misc]


def test_an_error_says_what_and_what_to_do() -> None:
    error = SurfaceError("It is wrong.", "Mend it.", file="a.yaml", line=3, field="x.y")
    assert isinstance(error, StudyError)
    assert str(error) == "a.yaml:3: x.y: It is wrong. Mend it."
    assert (error.what, error.remedy) == ("a.yaml:3: x.y: It is wrong.", "Mend it.")
    assert error.exit_code == 1
    assert str(SurfaceError("It is wrong.", "Mend it.")) == "It is wrong. Mend it."
