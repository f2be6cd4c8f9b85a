"""Results of a simulated agent, aggregated shard by shard, come to a record of their own."""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate, compute
from gates.simulation import LABEL, aggregate_simulation, simulation_lines
from harness import aggregate_command
from harness.answer import respond
from harness.error import ConfigError, IntegrityError, NotTerminalError
from harness.grid import Shard
from harness.shard import run_shard
from harness.study import Study
from tests.support.tiny import EPISODES, Tiny


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Study:
    study = Tiny.build(tmp_path_factory.mktemp("simulated")).study("agent=simulated")
    for index in range(2):
        run_shard(study, Shard(index, 2))
    return study


def summed(study: Study, **options: Any) -> dict[str, Any]:
    return aggregate_simulation(
        study.folder,
        expected=study.record(2),
        tasks=study.tasks,
        catalogs=study.catalogs,
        **options,
    )


def test_shard_by_shard_comes_to_the_figures_of_the_whole(
    simulated: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    record = summed(simulated, progress=told.append)
    assert sum(told) == EPISODES
    # The terminal record of the same rows, had an agent of another kind left them.
    real = Study.record

    def disguised(self: Study, shards: int) -> Any:
        return real(self, shards).model_copy(update={"evidence": "instrument"})

    pinned = simulated.folder.study_record
    content = pinned.read_bytes()
    monkeypatch.setattr(Study, "record", disguised)
    pinned.write_text(content.decode().replace('"simulation"', '"instrument"'))
    try:
        whole = compute(
            simulated.folder,
            expected=simulated.record(2),
            tasks=simulated.tasks,
            catalogs=simulated.catalogs,
        )
    finally:
        pinned.write_bytes(content)
    for name in ("metrics", "denominators", "intervals", "contrasts", "plan", "undefined"):
        assert record[name] == whole[name], name
    assert record["counts"] == whole["counts"]


def test_the_record_says_what_it_is_and_is_nowhere_a_terminal_one(simulated: Study) -> None:
    record = summed(simulated)
    assert record["label"] == LABEL == "simulation: never terminal, never evidence"
    assert record["evidence"] == "simulation"
    assert "gate" not in record
    path = simulated.folder.simulation / "simulation.json"
    assert json.loads(path.read_bytes()) == record
    assert not simulated.folder.terminal.exists()
    lines = simulation_lines(record)
    assert f"Answered by a simulated agent ({LABEL})" in lines
    assert not any("Gate" in line for line in lines)


def test_the_command_prints_the_conditions_and_no_verdict(
    simulated: Study, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(aggregate_command, "_held_study", lambda _: simulated)
    arguments = argparse.Namespace(simulation=True, require_pass=False, blind=False, override=[])
    assert respond(aggregate_command.aggregate(arguments), "aggregate", as_json=False) == 0
    output = capsys.readouterr().out
    assert LABEL in output
    assert "SR-5-STATE-AWARE" in output
    assert "Gate" not in output
    assert output.endswith(f"Written to {simulated.folder.simulation}\n")


def test_without_the_word_a_simulation_is_refused(simulated: Study) -> None:
    with pytest.raises(IntegrityError, match="Say --simulation"):
        aggregate(
            simulated.folder,
            expected=simulated.record(2),
            tasks=simulated.tasks,
            catalogs=simulated.catalogs,
        )


def test_with_the_word_anything_else_is_refused(simulated: Study, tmp_path: Path) -> None:
    study = Study(simulated.config, simulated.task_folder)
    record = study.record(2).model_copy(update={"evidence": "instrument"})
    with pytest.raises(ConfigError, match="The agent simulated is no simulation"):
        aggregate_simulation(
            study.folder, expected=record, tasks=study.tasks, catalogs=study.catalogs
        )


@pytest.fixture
def copy(simulated: Study, tmp_path: Path) -> Study:
    """A copy that a test may damage."""
    shutil.copytree(simulated.config.results, tmp_path / "results")
    config = simulated.config.model_copy(update={"results": tmp_path / "results"})
    study = replace(simulated, config=config)
    study.__dict__["catalogs"] = simulated.catalogs
    return study


def test_a_missing_shard_shows_no_figure(copy: Study) -> None:
    copy.folder.manifest(Shard(1, 2)).unlink()
    with pytest.raises(NotTerminalError, match=r"1 of 2 shards are finished\."):
        summed(copy)
    assert not copy.folder.simulation.exists()


def test_a_table_that_was_swapped_is_found(copy: Study) -> None:
    first, second = (copy.folder.table("turns", Shard(index, 2)) for index in range(2))
    shutil.copy(first, second)
    with pytest.raises(IntegrityError, match="not the file that its manifest describes"):
        summed(copy)
