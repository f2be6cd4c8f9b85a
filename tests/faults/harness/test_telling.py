"""Every verb, told to people and to machines, whatever the stream is that takes it."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from harness import (
    aggregate_command,
    cli,
    commands,
    doctor_command,
    freeze_commands,
    power_command,
    replay_command,
    status_command,
    surface_command,
    terminal_study,
    verify_command,
)
from harness.answer import Answer
from harness.compose import load_config
from harness.config import StudyConfig
from harness.doctor import Finding
from harness.estimate import Pace
from harness.grid import Shard
from harness.shard import run_shard
from harness.study import Study
from harness.verb import VERBS, Verb
from router.canonical import canonical_json
from surface.error import StudyError
from surface.validation import Problem, Report
from tests.support.tiny import Tiny
from tests.unit.harness.test_verb import described

COMMANDS = (
    aggregate_command,
    commands,
    doctor_command,
    freeze_commands,
    power_command,
    replay_command,
    status_command,
    surface_command,
    terminal_study,
    verify_command,
)

WORDS: dict[str, tuple[list[str], int]] = {
    "run-shard": (["shard.index=0"], 0),
    "run": (["workers=1"], 0),
    "freeze": (["--check"], 1),
    "diff": (["one.json"], 1),
    "conveyor": (["chain=nosuch"], 1),
    "status": ([], 0),
    "aggregate": (["--require-pass"], 4),
    "verify": ([], 0),
    "report": ([], 0),
    "export": (["--format=nosuch"], 1),
    "power": ([], 0),
    "replay": ([], 0),
    "doctor": (["agent=smollm3_vllm"], 1),
    "check-surface": ([], 1),
    "completion": (["bash"], 0),
}
"""What each verb is asked, and the code that it ends with."""


@dataclass(frozen=True)
class Asked:
    """A verb that has run once, on the tiny study."""

    name: str
    outcome: Answer | StudyError

    @property
    def code(self) -> int:
        return WORDS[self.name][1]

    def again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the verb come to the same without running."""

        def run(arguments: object) -> Answer:
            if isinstance(self.outcome, StudyError):
                raise self.outcome
            return self.outcome

        monkeypatch.setitem(VERBS, self.name, Verb(run, "summary", "example"))


class _Doctor:
    """Examines a server that is not there."""

    def __init__(self, *_: object) -> None:
        pass

    def examine(self) -> Iterator[Finding]:
        yield Finding("model", "ok", "a model")
        yield Finding("tool call", "FAILED", "no call came, but 'Hé'")

    def pace(self) -> Pace:
        return Pace(1.0, 1000.0, 50.0, 40.0)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    tiny = Tiny.build(tmp_path_factory.mktemp("tellíng"))
    for index in range(2):
        run_shard(tiny.study(), Shard(index, 2))
    return tiny


@pytest.fixture(scope="module")
def answers() -> dict[str, Asked]:
    """What the verbs came to, each when it is first asked for."""
    return {}


@pytest.fixture(params=sorted(WORDS))
def asked(
    request: pytest.FixtureRequest,
    study: Tiny,
    answers: dict[str, Asked],
    monkeypatch: pytest.MonkeyPatch,
) -> Asked:
    name = request.param
    if name not in answers:
        _play_on(study, monkeypatch)
        if name == "report":
            # Whichever test comes first, there is something to tell of.
            VERBS["aggregate"].run(cli.parse(["aggregate"]))
        arguments = cli.parse([name, *WORDS[name][0]])
        try:
            found: Answer | StudyError = VERBS[name].run(arguments)
        except StudyError as error:
            found = error
        answers[name] = Asked(name, found)
    answers[name].again(monkeypatch)
    monkeypatch.setattr(power_command, "power_lines", lambda record: ["Power — simulated"])
    return answers[name]


def _play_on(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command find the tiny study; nothing is simulated, reached or checked for long."""

    def load(overrides: list[str]) -> StudyConfig:
        fixed = ("study=tiny", f"results={tiny.results}", "shard.count=2")
        return load_config([*fixed, *overrides], folder=tiny.configs)

    def of(config: StudyConfig) -> Study:
        found = Study(config, tiny.tasks)
        found.__dict__["catalogs"] = tiny.study().catalogs
        return found

    for module in COMMANDS:
        monkeypatch.setattr(module, "load_config", load)
        if hasattr(module, "Study"):
            monkeypatch.setattr(module, "Study", of)
    problem = Problem("tasks/dev/de.yaml", "Die Aufgabe paßt nicht.", "Restore it.")
    report = Report((problem,), {"tasks in dev": 30})
    monkeypatch.setattr(surface_command, "check_study_surface", lambda split, step: report)
    monkeypatch.setattr(doctor_command, "Doctor", _Doctor)
    monkeypatch.setattr(power_command, "report_power", lambda config, advance: {"rows": []})


def test_every_verb_is_asked() -> None:
    assert set(WORDS) == set(VERBS)


def test_a_document_is_all_that_a_machine_gets(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The same exit code, the described keys, canonical bytes, and an error in its place."""
    assert cli.main([asked.name]) == asked.code
    capfdbinary.readouterr()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "ascii"))
    assert cli.main([asked.name, "--json"]) == asked.code
    output = capfdbinary.readouterr().out
    document = json.loads(output)
    assert output == canonical_json(document) + b"\n"
    keys = set(document)
    if isinstance(asked.outcome, StudyError):
        error = {"what": asked.outcome.what, "remedy": asked.outcome.remedy, "exit": asked.code}
        assert document == {"error": error}
    else:
        told = re.sub(r"\(.*?\)", "", described()[asked.name].partition("; with")[0])
        assert keys == {"verb", *re.findall(r"\w+", told)}
        assert document["verb"] == asked.name


@pytest.mark.parametrize("word", [(), ("--json",)])
def test_a_full_disk_and_a_reader_that_has_gone(
    asked: Asked,
    word: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for path, code in (("/dev/full", 75), (writer, 141)):
        with monkeypatch.context() as patch, open(path, "w", encoding="ascii") as stream:
            patch.setattr(sys, "stdout", stream)
            # What an error says it says elsewhere, so that its code stands.
            expected = asked.code if isinstance(asked.outcome, StudyError) else code
            assert cli.main([asked.name, *word]) == expected
        said = capsys.readouterr().err
        assert "Traceback" not in said
        assert ("cannot be written" in said) is (expected == 75)


@pytest.mark.parametrize(
    ("term", "no_colour", "coloured"),
    [("xterm", None, True), ("xterm", "1", False), ("dumb", None, False)],
)
def test_colour_takes_no_word_away(
    asked: Asked,
    term: str,
    no_colour: str | None,
    coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = []
    for terminal in (False, True):
        with monkeypatch.context() as patch:
            stream = io.StringIO()
            patch.setattr(stream, "isatty", lambda terminal=terminal: terminal, raising=False)
            patch.setattr(sys, "stdout", stream)
            patch.setenv("TERM", term)
            patch.delenv("NO_COLOR", raising=False)
            if no_colour is not None:
                patch.setenv("NO_COLOR", no_colour)
            assert cli.main([asked.name]) == asked.code
            told.append(stream.getvalue())
    plain, shown = told
    assert "\x1b" not in plain
    assert re.sub("\x1b\\[[0-9;]*m", "", shown) == plain
    if not coloured:
        assert shown == plain
    elif asked.name == "aggregate":
        assert "\x1b[1;31mNOT PASSED\x1b[0m" in shown


@pytest.mark.parametrize("verb", sorted(WORDS))
def test_an_interrupt_is_told_to_machines_too(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(arguments: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setitem(VERBS, verb, Verb(stop, "summary", "example"))
    assert cli.main([verb, "--json"]) == 130
    output = capsys.readouterr()
    error = json.loads(output.out)["error"]
    assert (error["what"], error["exit"]) == ("Interrupted.", 130)
    assert output.err == f"{error['what']}\n{error['remedy']}\n"


@pytest.mark.parametrize("words", [["nothing"], ["status", "--wrong"], ["status", "workers=2"]])
def test_wrong_use_is_told_to_machines_too(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*words, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["exit"] == 1


def test_nothing_shows_an_outcome_before_all_is_there(
    study: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    partial = Tiny(study.configs, study.tasks, tmp_path / "results")
    run_shard(partial.study(), Shard(0, 2))
    _play_on(partial, monkeypatch)
    ended: list[tuple[str, int, Callable[[dict[str, object]], bool]]] = [
        ("aggregate", 2, lambda document: set(document) == {"error"}),
        ("verify", 2, lambda document: set(document) == {"error"}),
        ("replay", 2, lambda document: set(document) == {"error"}),
        ("status", 0, lambda document: document["begun"] is True),
    ]
    for verb, code, holds in ended:
        assert cli.main([verb, "--json"]) == code
        text = capsys.readouterr().out
        assert holds(json.loads(text))
        assert not re.search(r"pass(?!ed on)|recall|recover|gate", text, re.IGNORECASE), verb
