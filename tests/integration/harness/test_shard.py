"""Shards on real input: whole, repeatable, indifferent to order and dealing."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from gates.aggregate import aggregate
from gates.verify import verify
from harness.error import ConfigError, InfrastructureError, IntegrityError, NotTerminalError
from harness.grid import Shard, episode_keys
from harness.ledger import Ledger
from harness.manifest import Manifest, read_record
from harness.schema import TABLES
from harness.shard import run_shard
from harness.status import study_status
from harness.study import Study
from harness.table import build_tables, logical_digest
from tests.support.tiny import EPISODES, Tiny


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    tiny = Tiny.build(tmp_path_factory.mktemp("tiny"))
    study = tiny.study()
    for index in range(2):
        assert run_shard(study, Shard(index, 2)).action == "ran"
    return tiny


@pytest.fixture
def copy(finished: Tiny, tmp_path: Path) -> Tiny:
    """A copy of the finished study that a test may damage."""
    ignore = shutil.ignore_patterns("terminal")
    shutil.copytree(finished.results, tmp_path / "results", ignore=ignore)
    return Tiny(finished.configs, finished.tasks, tmp_path / "results")


def terminal(study: Study) -> dict[str, object]:
    return aggregate(
        study.folder, expected=study.record(2), tasks=study.tasks, catalogs=study.catalogs
    )


def digest_of(study: Study) -> str:
    return verify(
        study.folder, expected=study.record(2), tasks=study.tasks, catalogs=study.catalogs
    ).digest


def test_a_finished_study_aggregates(finished: Tiny) -> None:
    record = terminal(finished.study())
    assert record["counts"] == {
        "attempts": {"finished": 2},
        "episodes": EPISODES,
        "shards": 2,
        "tasks": 5,
    }
    assert record["evidence"] == "instrument"
    assert set(record["metrics"]) == {
        "SR-5-STATIC",
        "SR-PROGRESSIVE-STATIC",
        "SR-5-STATE-AWARE",
        "FULL",
        "ORACLE",
    }


def test_manifests_say_what_was_agreed(finished: Tiny) -> None:
    study = finished.study()
    manifests = [
        read_record(study.folder.manifest(Shard(index, 2)), Manifest) for index in range(2)
    ]
    assert sum(manifest.rows for manifest in manifests) == EPISODES
    assert {manifest.identity for manifest in manifests} == {study.identity}


def test_running_again_skips(finished: Tiny) -> None:
    before = study_status(finished.study())
    assert run_shard(finished.study(), Shard(0, 2)).action == "skipped"
    assert study_status(finished.study()) == before


def test_the_digest_does_not_depend_on_the_dealing(finished: Tiny, tmp_path: Path) -> None:
    other = Tiny(finished.configs, finished.tasks, tmp_path / "other")
    study = other.study("shard.count=3")
    for index in (2, 0, 1):
        run_shard(study, Shard(index, 3))
    assert digest_of(study) == digest_of(finished.study())


def test_shuffled_or_each_alone_gives_the_same_digest(finished: Tiny) -> None:
    study = finished.study()
    keys = list(episode_keys(study.pairs, study.config.study.conditions))
    random.Random(7).shuffle(keys)
    alone = []
    for key in keys:
        alone.append(build_tables([finished.study().run(key, clock=lambda: 0.0)]))
    parts = {name: [tables[name] for tables in alone] for name in alone[0]}
    assert logical_digest(parts) == digest_of(study)


def test_a_missing_shard_is_not_terminal_and_shows_no_outcome(copy: Tiny) -> None:
    study = copy.study()
    study.folder.manifest(Shard(1, 2)).unlink()
    with pytest.raises(NotTerminalError) as caught:
        terminal(study)
    assert caught.value.exit_code == 2
    assert caught.value.what == "1 of 2 shards are finished."
    assert not study.folder.terminal.exists()


def test_a_shard_that_lost_its_manifest_runs_to_the_same_digest(copy: Tiny) -> None:
    study = copy.study()
    before = read_record(study.folder.manifest(Shard(1, 2)), Manifest).logical_digest
    study.folder.manifest(Shard(1, 2)).unlink()
    assert run_shard(study, Shard(1, 2)).action == "ran"
    manifest = read_record(study.folder.manifest(Shard(1, 2)), Manifest)
    assert manifest.logical_digest == before
    assert manifest.attempt == 2


@pytest.mark.parametrize("table", TABLES)
def test_a_truncated_table_is_found(copy: Tiny, table: str) -> None:
    study = copy.study()
    path = study.folder.table(table, Shard(0, 2))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(IntegrityError, match="not the file that its manifest describes"):
        terminal(study)


def test_a_shard_that_lost_a_table_has_to_run_again(copy: Tiny) -> None:
    study = copy.study()
    study.folder.table("turns", Shard(0, 2)).unlink()
    with pytest.raises(NotTerminalError, match=r"1 of 2 shards are finished\."):
        terminal(study)
    status = study_status(study)
    assert status is not None
    assert status.count("finished") == 1
    assert run_shard(study, Shard(0, 2)).action == "ran"
    terminal(study)


def test_a_foreign_shard_is_found(copy: Tiny) -> None:
    study = copy.study()
    manifest = study.folder.manifest(Shard(0, 2))
    text = manifest.read_text().replace(study.identity, "0" * 64)
    manifest.write_text(text)
    with pytest.raises(IntegrityError, match="another study or identity"):
        terminal(study)


def test_a_shard_of_another_dealing_is_found(copy: Tiny) -> None:
    folder = copy.study().folder
    shutil.copy(folder.manifest(Shard(0, 2)), folder.manifest(Shard(0, 3)))
    with pytest.raises(IntegrityError, match="another number of shards"):
        terminal(copy.study())


def test_a_doubled_shard_is_found(copy: Tiny) -> None:
    folder = copy.study().folder
    for name in TABLES:
        shutil.copy(folder.table(name, Shard(0, 2)), folder.table(name, Shard(1, 2)))
    first = read_record(folder.manifest(Shard(0, 2)), Manifest)
    doubled = first.model_copy(update={"shard_index": 1})
    folder.manifest(Shard(1, 2)).write_text(doubled.model_dump_json())
    with pytest.raises(IntegrityError) as caught:
        terminal(copy.study())
    assert "stands 2 times" in str(caught.value)
    assert "is missing though its shard is finished" in str(caught.value)


def test_a_stray_file_is_found(copy: Tiny) -> None:
    folder = copy.study().folder
    (folder.root / "episodes" / "notes.parquet").write_bytes(b"")
    with pytest.raises(IntegrityError, match="does not belong here"):
        terminal(copy.study())


def test_results_of_another_identity_are_named(copy: Tiny) -> None:
    study = copy.study()
    folder = study.folder.root
    folder.rename(folder.parent / ("1" * 64))
    with pytest.raises(NotTerminalError, match="results of other identities: 111111111111"):
        terminal(study)


def test_a_record_that_was_altered_is_found(copy: Tiny) -> None:
    study = copy.study()
    path = study.folder.study_record
    path.write_text(path.read_text().replace(study.components["tasks"], "2" * 64))
    with pytest.raises(IntegrityError, match=r"this differs: components\.tasks \("):
        terminal(study)


def test_a_shard_is_not_run_under_a_record_of_another_identity(copy: Tiny) -> None:
    study = copy.study()
    path = study.folder.study_record
    path.write_text(path.read_text().replace(study.identity, "3" * 64))
    with pytest.raises(IntegrityError, match=r"this differs: identity \(333333333333"):
        run_shard(study, Shard(0, 2))


def test_a_foreign_manifest_is_not_taken_for_a_finished_shard(copy: Tiny) -> None:
    study = copy.study()
    folder = study.folder
    shutil.copy(folder.manifest(Shard(1, 2)), folder.manifest(Shard(0, 2)))
    with pytest.raises(IntegrityError, match="manifest of another shard or identity"):
        run_shard(study, Shard(0, 2))


def test_another_number_of_shards_is_refused(copy: Tiny) -> None:
    with pytest.raises(ConfigError, match="begun with 2 shards, not 5"):
        run_shard(copy.study(), Shard(0, 5))


def test_an_infrastructure_failure_leaves_an_attempt_and_no_row(
    finished: Tiny, tmp_path: Path
) -> None:
    study = Tiny(finished.configs, finished.tasks, tmp_path / "results").study()

    class Unreachable:
        identity = study.agent.identity
        evidence = study.agent.evidence

        def act(self, messages: object, tools: object) -> object:
            raise InfrastructureError("The server does not answer.", "Start it.")

    record = study.record(2)
    study.__dict__["agent"] = Unreachable()
    with pytest.raises(InfrastructureError):
        run_shard(study, Shard(0, 2))
    assert study.record(2) == record
    [attempt] = Ledger(study.folder.attempts(Shard(0, 2))).attempts()
    assert (attempt.outcome, attempt.failure) == ("infrastructure", "InfrastructureError")
    assert not study.folder.manifests.exists()
    assert not (study.folder.root / "episodes").exists()
