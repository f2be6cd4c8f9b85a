"""The verb `report`, and the masked report of `aggregate`, on a real study and on its bundle."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import cli
from tests.support.sliced import bundle, sliced

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main([*words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def of(results: Path) -> tuple[str, ...]:
    return "study=slice", "agent=reference", f"results={results}"


def test_a_study_and_its_bundle_have_one_report(tmp_path: Path, command: Command) -> None:
    folder = sliced()
    results = folder.root.parents[1]
    aggregated = (folder.terminal / "report.html").read_bytes()
    path = tmp_path / "again.html"
    code, out, _ = command("report", *of(results), "--to", str(path))
    assert code == 0
    assert out.splitlines() == [
        "Study slice (exploratory, the reference agent)",
        f"Written to {path}",
    ]
    assert path.read_bytes() == aggregated
    code, out, _ = command("report", "--bundle", str(bundle()), "--to", str(path), "--json")
    assert code == 0
    assert json.loads(out)["report"] == str(path)
    assert path.read_bytes() == aggregated


def test_a_masked_report_comes_before_any_outcome(tmp_path: Path, command: Command) -> None:
    source = sliced().root
    root = tmp_path / source.parent.name / source.name
    shutil.copytree(source, root, ignore=shutil.ignore_patterns("terminal"))
    code, out, err = command("aggregate", *of(tmp_path), "--blind")
    path = root / "terminal" / "report-blind.html"
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Study slice is complete and verified; every outcome is masked",
        f"Written to {path}",
    ]
    assert list(path.parent.iterdir()) == [path]
    assert "masked" in path.read_text(encoding="utf-8")
    # A masked report is no terminal record: nothing takes the study for finished.
    assert command("report", *of(tmp_path))[0] == 2


def test_nothing_is_told_of_a_study_that_is_not_terminal(tmp_path: Path, command: Command) -> None:
    for words in (("report",), ("aggregate", "--blind")):
        code, out, err = command(*words, *of(tmp_path))
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 2
    assert not list(tmp_path.rglob("*.html"))


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("report", "--bundle=b.zip"), "Where the report of a bundle goes is not said."),
        (("report", "--bundle=b.zip", "study=dev"), "A bundle says itself what it is; 'study=dev'"),
        (("aggregate", "--blind", "--require-pass"), "--blind shows no outcome"),
        (("aggregate", "--blind", "--simulation"), "--blind shows no outcome"),
    ],
)
def test_wrong_use_is_said_in_two_sentences(
    command: Command, words: tuple[str, ...], what: str
) -> None:
    code, out, err = command(*words)
    assert (code, out) == (1, "")
    assert err.startswith(what)
    assert len(err.splitlines()) == 2
