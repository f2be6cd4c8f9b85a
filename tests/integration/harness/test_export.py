"""The verb `export` on a real study and on its bundle."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from frictionless import Package
from inspect_ai.log import read_eval_log

from gates.export.folder import NOTE
from gates.export.format import FORMATS
from harness import cli
from harness.folder import StudyFolder
from tests.support.sliced import bundle, sliced

# Inspect's event loop leaves its sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main(["export", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def of_study(folder: StudyFolder) -> tuple[str, ...]:
    return "study=slice", "agent=reference", f"results={folder.root.parents[1]}"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".eval" and "inspect" not in path.parts
    }


def test_a_study_and_its_bundle_are_exported_alike(tmp_path: Path, command: Command) -> None:
    folder = sliced()
    code, out, _ = command(*of_study(folder))
    assert code == 0
    exports = folder.terminal / "exports"
    assert out.splitlines() == [
        "Study slice (exploratory, the reference agent)",
        *(f"Written to {exports / name}" for name in FORMATS),
    ]
    logs = [read_eval_log(str(path)) for path in sorted((exports / "inspect").glob("*.eval"))]
    assert sorted(log.eval.task for log in logs) == [
        f"slice_{name}_250"
        for name in ("FULL", "ORACLE", "SR-5-STATE-AWARE", "SR-5-STATIC", "SR-PROGRESSIVE-STATIC")
    ]
    assert [len(log.samples or ()) for log in logs] == [5] * 5
    assert Package(str(exports / "tasks" / "datapackage.json")).validate().valid

    formats = ",".join(name for name in FORMATS if name != "inspect")
    code, out, err = command(
        "--bundle", str(bundle()), "--to", str(tmp_path), "--format", formats, "--json"
    )
    assert (code, err) == (0, "")
    answer: dict[str, Any] = json.loads(out)
    assert answer["folders"] == [str(tmp_path / name) for name in formats.split(",")]
    assert answer["label"] == "exploratory, the reference agent"
    assert contents(tmp_path) == contents(exports)
    for name in formats.split(","):
        note = json.loads((tmp_path / name / NOTE).read_bytes())
        assert (note["identity"], note["digest"]) == (answer["identity"], answer["digest"])
        assert "a check of the instrument, not a test of the hypothesis" in note["answered"]


def test_what_is_not_terminal_is_not_exported(tmp_path: Path, command: Command) -> None:
    results = f"results={tmp_path}"
    code, _, err = command("study=slice", "agent=simulated", results)
    assert (code, err.splitlines()[0]) == (
        2,
        "These are results of a simulated agent, which are never terminal.",
    )
    code, _, err = command("study=slice", "agent=reference", results, "--format=latex")
    assert code == 2
    assert len(err.splitlines()) == 2
    assert not list(tmp_path.rglob("exports"))


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--format=pdf",), "There is no export format 'pdf'."),
        (("--bundle=b.zip",), "Where a bundle is exported to is not said."),
        (("--bundle=b.zip", "study=dev"), "A bundle says itself what it is; 'study=dev'"),
    ],
)
def test_wrong_use_is_said_in_two_sentences(
    command: Command, words: tuple[str, ...], what: str
) -> None:
    code, out, err = command(*words)
    assert (code, out) == (1, "")
    assert err.startswith(what)
    assert len(err.splitlines()) == 2
