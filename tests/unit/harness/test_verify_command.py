"""The verb ``verify``: what it prints, and the exit codes of whatever it cannot verify."""

from __future__ import annotations

from pathlib import Path

import pytest

from gates.check import Check
from harness import verify_command
from harness.cli import main
from tests.support.bundles import honest, of_this_package, sealed, zipped

TERMINAL = "terminal/terminal.json"


def test_every_check_is_a_line_and_the_last_line_says_it_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = zipped(tmp_path / "b.zip", honest())
    with of_this_package():
        assert main(["verify", "--bundle", str(path)]) == 0
    printed = capsys.readouterr()
    *checks, last = printed.out.splitlines()
    assert printed.err == ""
    assert len(checks) == 24
    assert all(line.endswith(" ok") for line in checks)
    assert "  grid                      40 episodes    ok" in checks
    assert last.startswith("Verified: 40 episodes of study shop by 24 checks; gate NOT PASSED, ")
    assert f"identity {'5' * 64}, digest " in last


def test_what_fails_is_told_with_its_count_and_ends_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {**honest(), "LICENSE": b"Another licence."}
    path = zipped(tmp_path / "b.zip", files)
    with of_this_package():
        assert main(["verify", "--bundle", str(path)]) == 3
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0].endswith(" 1 finding")
    assert "Verified" not in printed.out
    assert "- files: LICENSE is not the file that is listed" in printed.err
    assert "Traceback" not in printed.err


def test_a_bundle_of_another_analysis_says_so_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = zipped(tmp_path / "b.zip", sealed({**honest(), "environment.json": b"{}\n"}))
    with of_this_package():
        assert main(["verify", "--bundle", str(path)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "The bundle was written by another version of the analysis than this package's."


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--bundle", "nowhere.zip"], 1, "nowhere.zip does not exist."),
        (["--bundle", "nowhere.zip", "study=dev"], 1, "A bundle says itself what it is"),
        (["--bundle"], 1, "expected one argument"),
        (["study=dev", "results=nowhere"], 2, "No shard of study 'dev'"),
        (["study=nosuch"], 1, "There is no study 'nosuch'"),
    ],
)
def test_what_cannot_be_verified(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["verify", *words]) == code
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("found", "word"), [((), "ok"), (("a",), "1 finding")])
def test_a_line_fits_a_screen(found: tuple[str, ...], word: str) -> None:
    line = verify_command.line(Check("retrieval queries", 123_456_789, "retrievals", found))
    assert line.endswith(word)
    assert len(line) < 80
