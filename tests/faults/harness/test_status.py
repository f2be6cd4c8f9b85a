"""Status and a second run over results that lost something: damage is never called finished."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from gates.aggregate import aggregate
from harness import status_command
from harness.error import ConfigError, InfrastructureError, IntegrityError
from harness.grid import Shard
from harness.inspection import finished_manifest
from harness.pin import pin_study, shard_count
from harness.schema import TABLES
from harness.shard import run_shard
from harness.status import StudyStatus, study_status
from harness.study import Study
from tests.support.tiny import Tiny

FIRST, SECOND = Shard(0, 2), Shard(1, 2)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    tiny = Tiny.build(tmp_path_factory.mktemp("tiny"))
    for shard in (FIRST, SECOND):
        run_shard(tiny.study(), shard)
    return tiny


@pytest.fixture
def study(finished: Tiny, tmp_path: Path) -> Study:
    """A copy of the finished study that a test may damage."""
    shutil.copytree(finished.results, tmp_path / "results")
    return Tiny(finished.configs, finished.tasks, tmp_path / "results").study()


def status(study: Study) -> StudyStatus:
    found = study_status(study)
    assert found is not None
    return found


def edit(study: Study, **changes: Any) -> None:
    path = study.folder.manifest(FIRST)
    path.write_text(json.dumps(json.loads(path.read_bytes()) | changes))


def other_rows(study: Study) -> None:
    content = json.loads(study.folder.manifest(FIRST).read_bytes())
    content["tables"]["turns"]["rows"] += 1
    study.folder.manifest(FIRST).write_text(json.dumps(content))


def cut_table(study: Study) -> None:
    path = study.folder.table("turns", FIRST)
    path.write_bytes(path.read_bytes()[:-100])


DAMAGES: list[tuple[Callable[[Study], object], str]] = [
    (lambda study: edit(study, rows=7), "is not about the"),
    (lambda study: edit(study, sha256="0" * 64), "is not about the"),
    (lambda study: edit(study, identity="0" * 64), "manifest of another shard or identity"),
    (lambda study: edit(study, shard_index=1), "manifest of another shard or identity"),
    (lambda study: edit(study, shard_count=3), "manifest of another shard or identity"),
    (lambda study: edit(study, tables={}), "does not list the study's tables"),
    (lambda study: study.folder.manifest(FIRST).write_text("{"), "is not valid JSON"),
    (lambda study: study.folder.manifest(FIRST).write_text("[" * 100_000), "is not valid JSON"),
    (other_rows, "of its manifest"),
    (cut_table, "is damaged"),
    (lambda study: study.folder.table("episodes", FIRST).write_bytes(b""), "is damaged"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGES)
def test_a_damaged_shard_is_neither_finished_nor_skipped(
    study: Study, damage: Callable[[Study], object], said: str
) -> None:
    damage(study)
    found = status(study)
    assert [item.state for item in found.shards] == ["damaged", "finished"]
    assert said in str(found.shards[0].note)
    with pytest.raises(IntegrityError, match=said) as caught:
        run_shard(study, FIRST)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("name", ["manifests", *TABLES])
def test_a_lost_file_is_named(study: Study, name: str) -> None:
    path = next((study.folder.root / name).glob(f"{SECOND.name}.*"))
    path.unlink()
    found = status(study)
    assert [item.state for item in found.shards] == ["finished", "lost"]
    assert list(status_command.status_lines(found))[:4] == [
        "1 of 2 shards are finished.",
        "1 lost: 1",
        "attempts: 2 finished",
        f"  shard 1: lost, 1 attempt, {name}/{path.name} not there",
    ]


def test_tables_without_what_pins_them_are_damage(study: Study) -> None:
    study.folder.study_record.unlink()
    for attempt in (study_status, shard_count, lambda study: run_shard(study, FIRST)):
        with pytest.raises(IntegrityError, match="is missing, though shards of the study were"):
            attempt(study)
    assert not study.folder.study_record.exists()


def test_a_number_of_shards_that_nothing_finished_has_is_damage_of_the_record(
    study: Study,
) -> None:
    path = study.folder.study_record
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {"shards": 3}))
    kept = sorted(item for item in study.folder.root.rglob("*") if item.is_file())
    expected = study.record(3)
    for command in (
        lambda: study_status(study),
        lambda: run_shard(study, Shard(0, 3)),
        lambda: aggregate(
            study.folder, expected=expected, tasks=study.tasks, catalogs=study.catalogs
        ),
    ):
        with pytest.raises(IntegrityError, match="names 3 shards, but what was finished is of 2"):
            command()
    # Nothing finished is blamed, and no shard of the wrong number is begun.
    assert sorted(item for item in study.folder.root.rglob("*") if item.is_file()) == kept


def test_a_pipe_in_place_of_a_table_is_damage(study: Study) -> None:
    path = study.folder.table("episodes", FIRST)
    path.unlink()
    os.mkfifo(path)
    [state] = [item.state for item in status(study).shards if item.shard == FIRST]
    assert state == "damaged"
    with pytest.raises(IntegrityError, match="is not a file"):
        run_shard(study, FIRST)


def test_an_absurd_number_of_shards_is_damage(study: Study) -> None:
    path = study.folder.study_record
    path.write_text(path.read_text().replace('"shards":2', '"shards":1000000000'))
    with pytest.raises(IntegrityError, match="shards: the value should be less than"):
        study_status(study)


def test_a_record_of_another_study_is_damage(study: Study) -> None:
    path = study.folder.study_record
    path.write_text(path.read_text().replace(study.identity, "3" * 64))
    with pytest.raises(IntegrityError, match="this differs: identity"):
        study_status(study)


def test_a_damaged_ledger_is_named(study: Study) -> None:
    study.folder.attempts(SECOND).write_text("[]")
    with pytest.raises(IntegrityError, match=r"shard-00001-of-00002\.jsonl:1: this is no entry"):
        study_status(study)


def test_an_unreadable_folder_is_not_an_empty_study(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.stat

    def refused(path: Any, *args: Any, **options: Any) -> os.stat_result:
        if "manifests" in str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *args, **options)

    monkeypatch.setattr(os, "stat", refused)
    with pytest.raises(PermissionError):
        study_status(study)


@pytest.mark.parametrize("name", ["manifests", *TABLES, "attempts"])
def test_a_file_where_a_folder_should_be_is_the_plants(study: Study, name: str) -> None:
    shutil.rmtree(study.folder.root / name)
    (study.folder.root / name).write_text("")
    with pytest.raises(NotADirectoryError):
        study_status(study)


def test_a_shard_is_not_run_without_its_lock(study: Study) -> None:
    shutil.rmtree(study.folder.root / "locks")
    (study.folder.root / "locks").write_text("")
    with pytest.raises(InfrastructureError, match="File exists"):
        run_shard(study, FIRST)


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["shard.count=5"], r"The study was begun with 2 shards, not 5\."),
        (["shard.index=2"], r"Shard 2 of 2 does not exist\."),
        (["shard.index=99998"], r"Shard 99998 of 2 does not exist\."),
    ],
)
def test_shards_that_the_study_was_not_dealt_into_are_refused(
    finished: Tiny, overrides: list[str], said: str
) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        shard_count(finished.study(*overrides))
    assert caught.value.exit_code == 1


def test_more_shards_than_can_be_filled_pin_nothing(finished: Tiny, tmp_path: Path) -> None:
    study = Tiny(finished.configs, finished.tasks, tmp_path / "results").study("shard.count=257")
    refused: tuple[Callable[[Study], object], ...] = (shard_count, lambda it: pin_study(it, 257))
    for pin in refused:
        with pytest.raises(ConfigError, match="257 shards are more than the 5 pairs") as caught:
            pin(study)
        assert caught.value.remedy == "Use a shard.count of 256 or less."
    assert not study.folder.study_record.exists()


def test_a_shard_without_a_pair_is_finished_all_the_same(finished: Tiny, tmp_path: Path) -> None:
    study = Tiny(finished.configs, finished.tasks, tmp_path / "results").study("shard.count=6")
    assert run_shard(study, Shard(5, 6)).episodes == 0
    assert finished_manifest(study, Shard(5, 6)).rows == 0


def test_a_finished_shard_whose_attempts_are_gone_is_damaged(study: Study) -> None:
    path = study.folder.attempts(SECOND)
    path.unlink()
    [damaged] = status(study).of("damaged")
    assert (damaged.shard, damaged.note) == (
        SECOND,
        f"{path} lacks attempt 1, which finished it",
    )
    with pytest.raises(IntegrityError, match=r"- attempts: \S+ lacks attempt 1, which \S+ names"):
        aggregate(
            study.folder, expected=study.record(2), tasks=study.tasks, catalogs=study.catalogs
        )


def test_files_of_strangers_are_named(study: Study) -> None:
    folder = study.folder
    strange = folder.manifests / "notes.txt"
    strange.write_text("")
    other = folder.table("turns", Shard(0, 3))
    other.write_bytes(b"")
    found = status(study)
    assert found.strangers == (strange, other)
    assert found.count("finished") == 2
    refusal = status_command.StatusAnswer("tiny", study.identity, found).failure()
    assert isinstance(refusal, IntegrityError)
    assert refusal.what == f"Files that do not belong here: {strange}, {other}."


def test_failed_shards_say_what_failed_and_how_often(
    finished: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Tiny(finished.configs, finished.tasks, tmp_path / "results").study()
    run_shard(study, FIRST)

    def fail(self: Study, key: object, *, clock: object, agent: object) -> NoReturn:
        raise OSError(28, "No space left on device", "/cache")

    monkeypatch.setattr(Study, "run", fail)
    for _ in range(2):
        with pytest.raises(OSError, match="No space left on device"):
            run_shard(study, SECOND)
    lines = list(status_command.status_lines(status(study)))
    assert lines[:4] == [
        "1 of 2 shards are finished.",
        "1 failed: 1",
        "attempts: 1 finished, 2 infrastructure",
        "  shard 1: failed, 2 attempts, OSError: [Errno 28] No space left on device: '/cache'",
    ]


def test_the_time_that_remains_follows_from_finished_attempts(study: Study) -> None:
    assert status(study).remaining_seconds == 0
    for index, seconds in ((0, 30.0), (1, 20.0)):
        path = study.folder.attempts(Shard(index, 2))
        entry = {"attempt": 1, "outcome": "finished", "at": 1.0, "seconds": seconds}
        path.write_text(json.dumps(entry))
    study.folder.manifest(SECOND).unlink()
    # Fifty seconds for all of the 25 episodes: two for each of those that the second shard has.
    found = status(study)
    assert found.remaining_seconds == 2 * found.shards[1].episodes
    [*_, last] = status_command.status_lines(found)
    assert last == "about 20 s of one process remain, judging by finished attempts"
