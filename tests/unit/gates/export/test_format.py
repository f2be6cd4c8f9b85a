"""A format is chosen by name and written whole or not at all."""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from gates.export import format as formats
from gates.export.folder import NOTE, write_folder
from gates.export.format import FORMATS, chosen, export
from harness.error import ConfigError, InfrastructureError
from tests.support.finished import shop


def test_all_are_chosen_where_none_is_named() -> None:
    assert chosen(None) == ("inspect", "tidy", "latex", "markdown", "figures", "tasks")
    assert chosen("latex,tidy,latex") == ("latex", "tidy")
    for word in ("pdf", "", "tidy,"):
        with pytest.raises(ConfigError, match="There is no export format"):
            chosen(word)


@pytest.mark.parametrize(
    ("name", "package"), [("inspect", "inspect-ai"), ("tasks", "frictionless")]
)
def test_a_format_whose_library_is_missing_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    missing = FORMATS[name].needs
    monkeypatch.setattr(formats, "find_spec", lambda m: None if m in missing else find_spec(m))
    with pytest.raises(ConfigError) as refusal:
        chosen(f"tidy,{name}")
    assert refusal.value.what == f"The format {name} needs {package}, which is not installed."
    assert refusal.value.remedy == "Install the extra `exports`, or choose other formats."
    assert refusal.value.exit_code == 1


def test_an_export_says_what_it_is_and_replaces_an_older_one(tmp_path: Path) -> None:
    told: list[str] = []
    for _ in range(2):
        paths = export(shop(), ("markdown",), tmp_path / "new", tell=told.append)
    assert paths == (tmp_path / "new" / "markdown",)
    assert told == ["markdown"] * 2
    [folder] = (tmp_path / "new").iterdir()
    note: dict[str, Any] = json.loads((folder / NOTE).read_bytes())
    content = (folder / "tables.md").read_bytes()
    assert note["files"] == {"tables.md": hashlib.sha256(content).hexdigest()}
    assert (note["label"], note["evidence"]) == ("exploratory, the scripted agent", "instrument")
    assert note["digest"] == shop().results.digest


def test_what_somebody_else_put_there_stays(tmp_path: Path) -> None:
    (tmp_path / "latex").mkdir()
    (tmp_path / "latex" / "thesis.tex").write_text("mine")
    with pytest.raises(ConfigError, match="is there and is no export"):
        export(shop(), ("latex",), tmp_path)
    assert [path.name for path in (tmp_path / "latex").iterdir()] == ["thesis.tex"]
    (tmp_path / "markdown").write_text("mine too")
    with pytest.raises(ConfigError, match="is there and is no export"):
        export(shop(), ("markdown",), tmp_path)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_export_that_fails_leaves_the_older_one_whole(
    tmp_path: Path, error: BaseException
) -> None:
    [path] = export(shop(), ("markdown",), tmp_path)
    before = {item.name: item.read_bytes() for item in path.iterdir()}

    def fail(folder: Path) -> None:
        (folder / "half").write_text("a part")
        raise error

    expected = InfrastructureError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        write_folder(path, "markdown", shop(), fail)
    assert {item.name: item.read_bytes() for item in path.iterdir()} == before
    assert list(tmp_path.iterdir()) == [path]
