"""The command line: exit codes, one sentence what and one what to do, help on every verb."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from harness import cli
from harness.error import InfrastructureError, IntegrityError, NotTerminalError
from harness.verb import VERBS, Verb


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([verb, "--help"]) == 0
    text = capsys.readouterr().out
    assert VERBS[verb].example in text
    assert "exit codes:" in text


@pytest.mark.parametrize("argv", [[], ["nothing"], ["run", "--bad"]])
def test_wrong_use_exits_with_1(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(argv) == 1
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "override", ["study.exposure.top_k=9", "nothing=1", "+a=1", "study=nothing", "shard.count=0"]
)
def test_a_refused_override_says_what_and_what_to_do(
    override: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["status", override]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 2


def test_run_shard_needs_a_shard(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run-shard", "study=dev"]) == 1
    assert "Add shard.index=N" in capsys.readouterr().err


def test_a_shard_beyond_the_last_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["run-shard", "study=dev", "shard.index=6", "shard.count=6", f"results={tmp_path}"]
    assert cli.main(argv) == 1
    assert "Shard 6 of 6 does not exist." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [(NotTerminalError, 2), (IntegrityError, 3), (InfrastructureError, 75)],
)
def test_exit_codes_are_those_of_the_errors(
    error: Callable[[str, str], Exception],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(arguments: object) -> NoReturn:
        raise error("It is so.", "Do this.")

    verb = Verb(fail, "fail", "example")
    monkeypatch.setitem(VERBS, "status", verb)
    assert cli.main(["status"]) == code
    assert capsys.readouterr().err == "It is so.\nDo this.\n"


def test_a_traceback_comes_with_debug_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: object) -> NoReturn:
        raise IntegrityError("It is so.", "Do this.")

    monkeypatch.setitem(VERBS, "status", Verb(fail, "fail", "example"))
    assert cli.main(["status", "--debug"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_status_before_any_shard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["status", "study=dev", f"results={tmp_path}"]) == 0
    assert "No shard has been begun." in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_aggregate_before_any_shard_is_not_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["aggregate", "study=dev", f"results={tmp_path}"]) == 2
    assert "has been begun" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
