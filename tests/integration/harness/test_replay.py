"""A recorded study replays without what answered it, to the same digests or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from gates.aggregate import aggregate
from gates.bundle import BUNDLE
from harness.agents.random import RandomAgent
from harness.agents.reference import ReferenceAgent
from harness.agents.replay import CassetteMiss
from harness.cli import main
from harness.compose import load_config
from harness.error import IntegrityError, NotTerminalError
from harness.grid import Shard
from harness.manifest import Manifest, TableEntry, read_record, write_record
from harness.prompt import Toolbox
from harness.replay import recorded_shards, replay_shard
from harness.schema import TABLES
from harness.shard import run_shard
from harness.store import read_table, write_table
from harness.study import Study
from harness.table import logical_digest
from tests.support.tiny import EPISODES, Tiny

AGENTS = ("reference", "random", "simulated")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    tiny = Tiny.build(tmp_path_factory.mktemp("recorded"))
    for agent in AGENTS:
        for index in range(2):
            run_shard(tiny.study(f"agent={agent}"), Shard(index, 2))
    return tiny


@pytest.fixture
def copy(recorded: Tiny, tmp_path: Path) -> Tiny:
    """A copy of the recorded study that a test may damage."""
    shutil.copytree(recorded.results, tmp_path / "results")
    return Tiny(recorded.configs, recorded.tasks, tmp_path / "results")


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_replays(recorded: Tiny, agent: str) -> None:
    study = recorded.study(f"agent={agent}")
    assert sum(replay_shard(study, shard) for shard in recorded_shards(study)) == EPISODES


def test_nothing_of_the_agent_is_needed(recorded: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(*_: object) -> Any:
        raise RuntimeError("the model was asked")

    monkeypatch.setattr(ReferenceAgent, "act", act)
    assert replay_shard(recorded.study(), Shard(0, 2)) > 0


def test_a_replay_writes_nothing(recorded: Tiny) -> None:
    before = {path: path.stat().st_mtime_ns for path in recorded.results.rglob("*")}
    replay_shard(recorded.study(), Shard(1, 2))
    assert {path: path.stat().st_mtime_ns for path in recorded.results.rglob("*")} == before


def forge(study: Study, name: str, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    """Change a table of the first shard, and all that is hashed over it."""
    shard = Shard(0, 2)
    folder = study.folder
    tables = {
        table: read_table(folder.table(table, shard), schema) for table, schema in TABLES.items()
    }
    rows = tables[name].to_pylist()
    change(rows)
    tables[name] = pa.Table.from_pylist(rows, schema=TABLES[name])
    sha256 = write_table(folder.table(name, shard), tables[name])
    manifest = read_record(folder.manifest(shard), Manifest)
    entries = {**manifest.tables, name: TableEntry(rows=len(rows), sha256=sha256)}
    forged = manifest.model_copy(
        update={
            "tables": entries,
            "sha256": entries["episodes"].sha256,
            "logical_digest": logical_digest({key: [part] for key, part in tables.items()}),
        }
    )
    write_record(folder.manifest(shard), forged)


def test_another_answer_gives_other_rows_and_is_told(copy: Tiny) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        last = {row["task_id"]: row for row in rows if row["condition"] == "ORACLE"}
        next(iter(last.values()))["answer"] = '{"text":"Nothing to do."}'

    forge(copy.study(), "exchanges", change)
    with pytest.raises(IntegrityError, match=r"comes to other rows: turns of dev-en-[^ ]*ORACLE"):
        replay_shard(copy.study(), Shard(0, 2))


def test_another_first_answer_is_a_miss_in_the_next_turn(copy: Tiny) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        [first] = [row for row in rows if row["turn"] == 1 and row["condition"] == "FULL"][:1]
        answer = json.loads(first["answer"])
        first["answer"] = json.dumps({**answer, "text": "Let me see."})

    forge(copy.study(), "exchanges", change)
    words = r"100/FULL, turn 2: .* differs: messages; all before turn 2 was as recorded"
    with pytest.raises(CassetteMiss, match=words):
        replay_shard(copy.study(), Shard(0, 2))


def test_other_tools_are_a_miss_that_names_them(recorded: Tiny) -> None:
    study = recorded.study()
    toolbox = Toolbox.of(study.catalogs[100].snapshot)
    tools = {
        route: type(tool)(tool.name, f"{tool.description} Really.", tool.parameters)
        for route, tool in toolbox.tools.items()
    }
    study._toolboxes[100] = Toolbox(tools, toolbox.tokens, toolbox.routes)
    with pytest.raises(CassetteMiss, match=r"turn 1: .* differs: tools\. Replay with"):
        replay_shard(study, Shard(0, 2))


def test_another_agent_is_a_miss_that_names_it(recorded: Tiny) -> None:
    study = recorded.study()
    assert study.identity
    study.agent.__dict__["_identity"] = {"kind": "reference", "version": "2"}
    with pytest.raises(CassetteMiss, match=r"turn 1: .* differs: agent\."):
        replay_shard(study, Shard(0, 2))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows.clear(), "turn 1: the recording ends after 0 turns"),
        (lambda rows: rows[0].update(turn=9), "differs: the turn"),
        (lambda rows: rows[0].update(answer="{"), "turn 1: the recorded answer is damaged"),
        (lambda rows: rows[0].update(answer="[]"), "turn 1: the recorded answer is damaged"),
        (lambda rows: rows.append({**rows[0], "turn": 99}), r"exchanges of .* \(recorded only\)"),
    ],
)
def test_a_damaged_recording_is_refused(
    copy: Tiny, change: Callable[[list[dict[str, Any]]], Any], words: str
) -> None:
    forge(copy.study(), "exchanges", change)
    with pytest.raises(IntegrityError, match=words):
        replay_shard(copy.study(), Shard(0, 2))


def test_a_recording_that_its_manifest_does_not_know_is_refused(copy: Tiny) -> None:
    folder, shard = copy.study().folder, Shard(0, 2)
    table = read_table(folder.table("exchanges", shard), TABLES["exchanges"])
    write_table(
        folder.table("exchanges", shard), table.slice(0, table.num_rows).take([0] * len(table))
    )
    with pytest.raises(IntegrityError, match="is not the file that its manifest describes"):
        replay_shard(copy.study(), shard)


def test_a_forged_outcome_is_found(copy: Tiny) -> None:
    forge(copy.study(), "episodes", lambda rows: rows[0].update(completed_steps=0, task_pass=True))
    with pytest.raises(IntegrityError, match=r"episodes of \S+ \((task_pass|completed_steps)"):
        replay_shard(copy.study(), Shard(0, 2))


def test_what_was_never_recorded_cannot_be_replayed(recorded: Tiny, tmp_path: Path) -> None:
    elsewhere = Tiny(recorded.configs, recorded.tasks, tmp_path)
    with pytest.raises(NotTerminalError, match="has been begun"):
        recorded_shards(elsewhere.study())


def test_the_verb_ends_with_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", f"results={tmp_path}"]) == 2
    assert "has been begun" in capsys.readouterr().err


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished study of the agent by lot, whose requests name their episodes, as a folder."""
    results = tmp_path_factory.mktemp("bundled")
    study = Study(load_config(["study=slice", "agent=random", f"results={results}"]))
    run_shard(study, Shard(0, 1))
    aggregate(study.folder, expected=study.record(1), tasks=study.tasks, catalogs=study.catalogs)
    folder = results / "elsewhere"
    shutil.unpack_archive(study.folder.terminal / BUNDLE, folder)
    shutil.rmtree(study.folder.root)
    return folder


def test_a_bundle_replays_without_results_or_agent(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def act(*_: object) -> Any:
        raise RuntimeError("the agent was asked")

    monkeypatch.setattr(RandomAgent, "act", act)
    before = {path: path.stat().st_mtime_ns for path in bundle.rglob("*")}
    assert main(["replay", "--bundle", str(bundle)]) == 0
    terminal = json.loads((bundle / "terminal/terminal.json").read_bytes())
    assert capsys.readouterr().out == (
        "Replayed 1 of 1 shards (25 episodes) of study slice without what answered them: every"
        f" logical digest is identical; identity {terminal['identity']},"
        f" digest {terminal['digest']}\n"
    )
    assert {path: path.stat().st_mtime_ns for path in bundle.rglob("*")} == before


def _altered(bundle: Path, folder: Path, name: str, change: Callable[[Any], None]) -> list[str]:
    """Alter a document of a copied bundle; return the command that replays it."""
    shutil.copytree(bundle, folder)
    content = json.loads((folder / name).read_bytes())
    change(content)
    (folder / name).write_text(json.dumps(content))
    return ["replay", "--bundle", str(folder)]


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("terminal/terminal.json", lambda it: it.update(digest="0" * 64), "about other results"),
        ("study.json", lambda it: it["agent"].update(seed=1), "with other components"),
        ("study.json", lambda it: it.update(identity="0" * 64), "pinned by something else"),
        ("study.json", lambda it: it["config"].pop("study"), "is none of this version"),
    ],
)
def test_a_bundle_that_says_something_else_is_refused(
    bundle: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    change: Callable[[Any], None],
    words: str,
) -> None:
    assert main(_altered(bundle, tmp_path / "copy", name, change)) == 3
    assert words in capsys.readouterr().err


def test_a_bundle_is_no_folder_of_anything(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "--bundle", str(tmp_path)]) == 3
    assert "is no bundle" in capsys.readouterr().err
    assert main(["replay", "--bundle", str(bundle), "study=slice"]) == 1
    assert "says itself what it is" in capsys.readouterr().err
