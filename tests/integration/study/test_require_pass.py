"""A failed gate is a result, and an error only for whoever asks for a pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import aggregate_command, cli
from harness.grid import Shard
from harness.shard import run_shard
from harness.study import Study
from tests.support.tiny import Tiny


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    study = Tiny.build(tmp_path_factory.mktemp("tiny")).study("shard.count=1")
    run_shard(study, Shard(0, 1))
    return study


@pytest.fixture(autouse=True)
def _of_the_tiny_study(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregate_command, "_held_study", lambda arguments: study)


def test_a_failed_gate_exits_4_when_a_pass_is_required(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    # The reference agent's wanderings leave the next route out of the five far too often.
    assert cli.main(["aggregate", "--require-pass"]) == 4
    required = capsys.readouterr()
    assert cli.main(["aggregate"]) == 0
    assert capsys.readouterr() == required
    assert "Gate NOT PASSED" in required.out
    assert required.err == ""
    terminal = json.loads((study.folder.terminal / "terminal.json").read_bytes())
    assert terminal["gate"]["passed"] is False


def test_a_passed_gate_exits_0(
    study: Study, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cli.main(["aggregate"])
    terminal = json.loads((study.folder.terminal / "terminal.json").read_bytes())
    passed = terminal | {"gate": terminal["gate"] | {"passed": True}}
    monkeypatch.setattr(aggregate_command, "aggregate_study", lambda *args, **options: passed)
    assert cli.main(["aggregate", "--require-pass"]) == 0
