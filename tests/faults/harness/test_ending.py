"""How a command ends: two sentences and the right exit code, whatever happens around it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from harness import cli
from harness.answer import Answer
from harness.verb import VERBS, Verb
from tests.unit.project.checkout import ROOT

COMMAND = f"{sys.executable} -m harness"


def shell(
    command: str, *, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@dataclass(frozen=True)
class Nothing(Answer):
    """An answer with nothing in it."""

    def lines(self) -> tuple[str, ...]:
        return ()


def raising(error: BaseException) -> Callable[[object], NoReturn]:
    def fail(arguments: object) -> NoReturn:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            FileExistsError(17, "File exists", "/results/terminal"),
            75,
            "/results/terminal cannot be used (File exists).",
        ),
        (PermissionError(13, "Permission denied", b"/r"), 75, "/r cannot be used (Permission"),
        (OSError(11, "Try again"), 75, "The system refused the command (Try again)."),
        (OSError("no number"), 75, "The system refused the command (no number)."),
        (MemoryError(), 75, "The memory is used up."),
        (KeyboardInterrupt(), 130, "Interrupted."),
    ],
)
def test_what_reaches_the_end_is_told_in_two_sentences(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(VERBS, "status", Verb(raising(error), "fail", "example"))
    assert cli.main(["status"]) == code
    what, remedy = capsys.readouterr().err.splitlines()
    assert what.startswith(said)
    assert remedy.endswith(".")


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "Interrupted."), (signal.SIGTERM, 143, "Terminated.")],
)
def test_a_signal_ends_a_command(
    number: signal.Signals,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def wait(arguments: object) -> Answer:
        signal.raise_signal(number)
        return Nothing()

    before = signal.getsignal(number)
    monkeypatch.setitem(VERBS, "status", Verb(wait, "wait", "example"))
    try:
        assert cli.main(["status"]) == code
    finally:
        signal.signal(number, before)
    assert capsys.readouterr().err.splitlines()[0] == said


def test_a_signal_that_the_caller_ignores_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(arguments: object) -> Answer:
        signal.raise_signal(signal.SIGINT)
        return Nothing()

    monkeypatch.setitem(VERBS, "status", Verb(wait, "wait", "example"))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert cli.main(["status"]) == 0
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_every_code_stands_in_the_help_and_in_the_readme(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["--help"]) == 0
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme[readme.index("| code |") : readme.index("## Development results")]
    told = capsys.readouterr().out.partition("exit codes:")[2]
    for code in (0, 1, 2, 3, 4, 75, 130, 141, 143):
        assert f" {code} " in told
        assert any(f" {code}{after}" in table for after in (" |", ","))


# Before a shard is run.


@pytest.mark.parametrize("verb", ["status", "aggregate"])
@pytest.mark.parametrize("place", ["file", "a" * 300])
def test_a_results_folder_that_cannot_be(
    verb: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main([verb, "study=dev", f"results={tmp_path / place}"]) == 75
    output = capsys.readouterr()
    assert output.out == ""
    assert str(tmp_path / place) in output.err
    assert len(output.err.splitlines()) == 2


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("status", "status does not use shard.index."),
        ("aggregate", "aggregate does not use shard.index."),
        ("run", "run does not use shard.index."),
        ("run-shard", "Shard 99998 of 12 does not exist."),
    ],
)
def test_a_shard_beyond_the_last_is_refused_by_every_verb(
    verb: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [verb, "study=dev", "shard.index=99998", f"results={tmp_path}"]
    assert cli.main(argv) == 1
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_working_folder_that_was_deleted(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    ended = shell(f"cd {gone} && rmdir {gone} && {COMMAND} status study=dev")
    assert ended.returncode == 75
    assert ended.stderr.splitlines() == [
        "The working folder cannot be used (No such file or directory).",
        "Change to a folder that exists, then run the same command again.",
    ]


INTERRUPT = """
import runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
sys.argv[0] = "harness"
runpy.run_module("harness", run_name="__main__")
"""


@pytest.mark.parametrize(
    "module",
    ["harness.cli", "surface.error", "harness.status_command", "numpy", "pyarrow", "hydra"],
)
def test_an_interrupt_while_modules_load(module: str, tmp_path: Path) -> None:
    code = INTERRUPT.replace("sys.argv[1]", repr(module)).replace(
        'sys.argv[0] = "harness"',
        f'sys.argv[:] = ["harness", "status", "study=dev", "results={tmp_path}"]',
    )
    (tmp_path / "interrupt.py").write_text(code)
    ended = shell(f"{sys.executable} {tmp_path / 'interrupt.py'}")
    assert ended.returncode == 130
    assert ended.stdout == ""
    what, remedy = ended.stderr.splitlines()
    assert what == "Interrupted."
    assert remedy.endswith("un the same command again.")


# Streams. One pair of the development study is a shard of five episodes.


def run_shard(results: Path | str) -> str:
    return f"{COMMAND} run-shard study=dev shard.index=0 shard.count=90 'results={results}'"


def is_finished(results: Path) -> bool:
    return len(list(results.glob("dev/*/manifests/shard-00000-of-00090.json"))) == 1


def test_a_full_output_says_so_and_keeps_the_results(tmp_path: Path) -> None:
    ended = shell(f"{run_shard(tmp_path)} >/dev/full")
    assert ended.returncode == 75
    assert len(ended.stderr.splitlines()) == 2
    assert ended.stderr.startswith("The standard output cannot be written (No space left")
    assert is_finished(tmp_path)


@pytest.mark.parametrize("words", ["--help", "status --help", "--version"])
def test_help_that_cannot_be_read_is_no_success(words: str) -> None:
    ended = shell(f"{COMMAND} {words} >/dev/full")
    assert ended.returncode == 75
    assert ended.stderr.startswith("The standard output cannot be written (No space left")


def test_closed_streams_lead_nowhere(tmp_path: Path) -> None:
    ended = shell(f"{run_shard(tmp_path)} <&- >&- 2>&-")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert is_finished(tmp_path)


def test_a_full_error_stream_keeps_the_code() -> None:
    assert shell(f"{COMMAND} status study=none 2>/dev/full").returncode == 1
    assert shell(f"{COMMAND} status study=none 2>&-").returncode == 1


def test_a_reader_that_has_gone() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", "harness", "--help"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_a_path_that_the_locale_cannot_write(tmp_path: Path, environment: dict[str, str]) -> None:
    results = tmp_path / "Ergebnisse-für-結果"
    for said in ("is finished", "was finished before"):
        # The second run reads the tables of the first.
        ended = shell(run_shard(results), **environment)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert said in ended.stdout
    assert is_finished(results)
    # What cannot be written as it is, is written as an escape.
    (results / "file").write_text("")
    ended = shell(f"{COMMAND} status study=dev 'results={results}/file'", **environment)
    assert ended.returncode == 75
    assert "Ergebnisse-f\\" in ended.stderr
