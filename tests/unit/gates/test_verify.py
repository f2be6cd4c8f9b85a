"""Verification of a finished study, and what it says where something is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gates.check import Check
from gates.finding import refuse
from gates.results import Results
from gates.verify import verify
from harness.error import IntegrityError, NotTerminalError
from harness.folder import StudyFolder
from harness.grid import EpisodeKey, Shard
from harness.manifest import StudyRecord
from harness.schema import TABLES
from harness.table import build_tables, logical_digest
from tests.support.shop_study import (
    ShopStudy,
    Tables,
    catalogs,
    keys,
    of,
    record_of,
    records,
    tasks,
)

Change = Callable[[Tables], Any]

OUTCOMES = re.compile(
    r"pass|fail|recall|recover|reward|score|metric|gate|harm|miss(?!ing)|rate|%|complet|success",
    re.IGNORECASE,
)
"""Words that would tell how a study goes."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ShopStudy:
    return ShopStudy.write(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def study(whole: ShopStudy, tmp_path: Path) -> ShopStudy:
    """A copy that a test may damage."""
    return ShopStudy.copy(whole, tmp_path)


def check(study: ShopStudy, expected: StudyRecord | None = None) -> Results:
    return verify(
        study.folder, expected=expected or record_of(), tasks=tasks(), catalogs=catalogs()
    )


def findings(study: ShopStudy, expected: StudyRecord | None = None) -> list[str]:
    """What a refusal lists, without the folder's name."""
    with pytest.raises(IntegrityError) as caught:
        check(study, expected)
    assert caught.value.exit_code == 3
    first, *listed = caught.value.what.split("\n")
    said = re.search(r"\((\d+) findings?\)", first)
    assert said is not None
    assert int(said[1]) == len(listed)
    named = [re.fullmatch(r"- [a-z ]+: (.*)", line) for line in listed]
    return [line[1].replace(f"{study.folder.root}/", "") for line in named if line is not None]


def test_a_whole_study_is_read_in_the_order_of_its_keys(whole: ShopStudy) -> None:
    results = check(whole)
    assert list(results.episodes) == sorted(keys())
    assert results.record == record_of()
    assert [manifest.shard_index for manifest in results.manifests] == [0, 1]
    assert results.digest == logical_digest(
        {name: [table] for name, table in build_tables(list(records().values())).items()}
    )
    for key, item in results.episodes.items():
        record = records()[key]
        assert item.episode["ending"] == record.ending
        assert [row["turn"] for row in item.turns] == [turn.turn for turn in record.turns]
        assert [row["turn"] for row in item.transitions] == [
            state.turn for state in record.transitions
        ]
        assert [row["step"] for row in item.traces] == [1, 2, 3, 4]


def test_the_number_of_shards_plays_no_part(whole: ShopStudy) -> None:
    assert check(whole, record_of(shards=7)).record.shards == 2


# Not terminal: exit code 2, shard counts, no outcome.


def not_terminal(folder: StudyFolder) -> NotTerminalError:
    with pytest.raises(NotTerminalError) as caught:
        verify(folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())
    assert caught.value.exit_code == 2
    assert OUTCOMES.search(f"{caught.value.what} {caught.value.remedy}") is None
    return caught.value


def test_a_study_that_has_not_begun(tmp_path: Path) -> None:
    error = not_terminal(StudyFolder.of(tmp_path, "shop", "5" * 64))
    assert error.what == "No shard of study 'shop' with identity 555555555555 has been begun."


def test_a_study_of_another_identity_is_named(whole: ShopStudy) -> None:
    folder = StudyFolder(whole.folder.root.parent / ("8" * 64))
    changed = record_of(components={"config": "6" * 64, "tasks": "8" * 64})
    with pytest.raises(NotTerminalError) as caught:
        verify(folder, expected=changed, tasks=tasks(), catalogs=catalogs())
    assert (
        "There are results of other identities: "
        "555555555555 (tasks 777777777777 there and 888888888888 here)." in caught.value.what
    )


def test_a_damaged_record_of_another_identity_is_named(study: ShopStudy) -> None:
    study.folder.study_record.write_text("{")
    (study.folder.root.parent / "notes.txt").write_text("A stray file is no study.")
    folder = StudyFolder(study.folder.root.parent / ("8" * 64))
    assert "identities: 555555555555 (its record is damaged)." in not_terminal(folder).what


@pytest.mark.parametrize(("missing", "finished"), [((0,), 1), ((1,), 1), ((0, 1), 0)])
def test_a_missing_shard(study: ShopStudy, missing: tuple[int, ...], finished: int) -> None:
    for index in missing:
        study.folder.manifest(Shard(index, 2)).unlink()
    error = not_terminal(study.folder)
    assert error.what == f"{finished} of 2 shards are finished."
    assert f"such as shard {missing[0]};" in error.remedy


def test_what_a_killed_shard_left_is_no_error(study: ShopStudy) -> None:
    study.folder.manifest(Shard(1, 2)).unlink()
    study.folder.table("turns", Shard(1, 2)).write_bytes(b"cut")
    (study.folder.root / "turns" / ".writing-abc").write_bytes(b"")
    assert not_terminal(study.folder).what == "1 of 2 shards are finished."


def test_damage_comes_before_what_is_missing(study: ShopStudy) -> None:
    study.folder.manifest(Shard(1, 2)).unlink()
    study.folder.manifest(Shard(0, 2)).write_text("{")
    [found] = findings(study)
    assert found.startswith("manifests/shard-00000-of-00002.json is not valid JSON (")


# What pins the study.


def test_a_missing_pin_beside_finished_shards(study: ShopStudy) -> None:
    study.folder.study_record.unlink()
    with pytest.raises(IntegrityError, match="is missing, though shards of the study were finish"):
        check(study)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        (
            {"components": {"config": "6" * 64, "tasks": "8" * 64}},
            "components.tasks (777777777777... there, 888888888888... here)",
        ),
        (
            {"components": {"config": "6" * 64}},
            "components.tasks (777777777777... there, nothing here)",
        ),
        (
            {"components": {"config": "0" * 64, "tasks": "0" * 64}},
            "components.config (666666666666... there, 000000000000... here); "
            "components.tasks (777777777777... there, 000000000000... here)",
        ),
        ({"identity": "8" * 64}, "identity (555555555555... there, 888888888888... here)"),
        ({"study": "other"}, "study (shop there, other here)"),
        ({"split": "other"}, "split (test there, other here)"),
        ({"agent": {"kind": "other"}}, "agent.kind (scripted there, other here)"),
        ({"evidence": "model"}, "evidence (instrument there, model here)"),
        ({"development": False}, "development (True there, False here)"),
        (
            {"config": {**record_of().config, "agent": {"weight": 1}}},
            "config.agent.weight (nothing there, 1 here)",
        ),
    ],
)
def test_what_was_pinned_by_something_else(
    whole: ShopStudy, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(IntegrityError, match=f"this differs: {re.escape(named)}\\.") as caught:
        check(whole, record_of(**changes))
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("content", ["", "{", "null", "[]", '{"study": "shop"}', "\xff"])
def test_a_damaged_pin(study: ShopStudy, content: str) -> None:
    study.folder.study_record.write_bytes(content.encode("latin-1"))
    with pytest.raises(IntegrityError, match=r"study\.json is not"):
        check(study)


# Manifests.


def edit(study: ShopStudy, changes: dict[str, Any]) -> None:
    path = study.folder.manifest(Shard(0, 2))
    path.write_text(json.dumps(json.loads(path.read_bytes()) | changes))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is not valid JSON"),
        (b"{", "is not valid JSON"),
        (b"\xff\xfe", "is not valid JSON"),
        (b"null", "is not a record of this version"),
        (b"[]", "is not a record of this version"),
        (b"{}", "is not a record of this version"),
        (b"[" * 100_000 + b"]" * 100_000, "is not valid JSON"),
        (b'{"environment": ' + b"[" * 40 + b"]" * 40 + b"}", "is not valid JSON (it is nested too"),
        (b'{"rows": NaN}', "is not valid JSON (NaN is no number of JSON)"),
        (b'{"rows": 1e999}', "is not valid JSON (1e999 is too large a number)"),
        (b'{"rows": 1, "rows": 2}', "is not valid JSON (the key 'rows' stands twice)"),
        ('{"rows": 1}'.encode("utf-16"), "is not valid JSON ('utf-8' codec can't decode"),
        ('\ufeff{"rows": 1}'.encode(), "is not valid JSON (Unexpected UTF-8 BOM"),
        (b" " * (4 * 2**20 + 1), "is larger than any such file can be"),
    ],
)
def test_manifests_that_are_none(study: ShopStudy, content: bytes, problem: str) -> None:
    study.folder.manifest(Shard(0, 2)).write_bytes(content)
    [found] = findings(study)
    assert found.startswith(f"manifests/shard-00000-of-00002.json {problem}")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"note": 1}, "is not a record of this version: note: extra inputs are not permitted"),
        ({"schema_version": 1}, "is not a record of this version: schema_version: "),
        ({"rows": -1}, "is not a record of this version: rows: "),
        ({"sha256": "5"}, "is not a record of this version: sha256: "),
        ({"identity": "8" * 64}, "is of another study or identity"),
        ({"study": "other"}, "is of another study or identity"),
        ({"shard_index": 1}, "is the manifest of shard 1 of 2"),
        ({"shard_count": 3}, "is the manifest of shard 0 of 3"),
        ({"tables": {}}, "does not list the study's tables"),
        ({"rows": 5}, "contradicts itself"),
        ({"sha256": "0" * 64}, "contradicts itself"),
        ({"logical_digest": "0" * 64}, "has another logical digest than its tables"),
    ],
)
def test_manifests_that_were_edited(
    study: ShopStudy, changes: dict[str, Any], problem: str
) -> None:
    edit(study, changes)
    [found] = findings(study)
    assert found.startswith(f"manifests/shard-00000-of-00002.json {problem}")


def test_rows_that_a_manifest_miscounts(study: ShopStudy) -> None:
    path = study.folder.manifest(Shard(0, 2))
    content = json.loads(path.read_bytes())
    content["tables"]["turns"]["rows"] += 1
    path.write_text(json.dumps(content))
    [found] = findings(study)
    assert re.fullmatch(r"turns/shard-00000-of-00002\.parquet has (\d+) rows, not (\d+)", found)


# Files.


@pytest.mark.parametrize("name", TABLES)
def test_a_shard_that_lost_a_table_is_not_finished(study: ShopStudy, name: str) -> None:
    study.folder.table(name, Shard(0, 2)).unlink()
    assert not_terminal(study.folder).what == "1 of 2 shards are finished."


@pytest.mark.parametrize("name", TABLES)
def test_a_flipped_byte(study: ShopStudy, name: str) -> None:
    path = study.folder.table(name, Shard(1, 2))
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    found = findings(study)
    table = f"{name}/shard-00001-of-00002.parquet"
    assert found[0] == f"{table} is not the file that its manifest describes"


def test_tables_of_another_schema(study: ShopStudy) -> None:
    shard = Shard(0, 2)
    source = study.folder.table("turns", shard).read_bytes()
    study.folder.table("transitions", shard).write_bytes(source)
    assert findings(study) == [
        "transitions/shard-00000-of-00002.parquet is not the file that its manifest describes",
        "The table transitions/shard-00000-of-00002.parquet has another schema",
    ]


@pytest.mark.parametrize("name", ["manifests", *TABLES])
def test_files_of_another_dealing(study: ShopStudy, name: str) -> None:
    folder = study.folder.root / name
    [first, *_] = sorted(folder.iterdir())
    other = folder / first.name.replace("of-00002", "of-00003")
    other.write_bytes(first.read_bytes())
    assert findings(study) == [f"{name}/{other.name} is of another number of shards"]


@pytest.mark.parametrize("name", ["manifests", *TABLES])
def test_files_that_no_shard_wrote(study: ShopStudy, name: str) -> None:
    (study.folder.root / name / "shard-1-of-2.json").write_text("{}")
    assert findings(study) == [f"{name}/shard-1-of-2.json does not belong here"]


# Rows that were altered: with the manifest as it was, the digests tell.


def drop(name: str, count: int = 1) -> Change:
    return lambda tables: tables[name].__delitem__(slice(0, count))


@pytest.mark.parametrize("name", TABLES)
def test_altered_rows_have_another_digest(study: ShopStudy, name: str) -> None:
    study.alter(drop(name))
    table = f"{name}/shard-00000-of-00002.parquet"
    found = findings(study)
    assert found[0] == f"{table} is not the file that its manifest describes"
    assert re.fullmatch(rf"{table} has \d+ rows, not \d+", found[1])
    assert found[-1].endswith("has another logical digest than its tables")


def test_times_are_part_of_the_file_s_hash_alone(study: ShopStudy) -> None:
    def slower(tables: Tables) -> None:
        tables["episodes"][0]["wall_latency_ms"] += 1

    digest = check(study).digest
    study.alter(slower)
    assert findings(study) == [
        "episodes/shard-00000-of-00002.parquet is not the file that its manifest describes"
    ]
    study.forge(lambda tables: None)
    assert check(study).digest == digest


# With every hash made anew, the rows tell. What they cannot tell is for test_tamper.


def key_of(study: ShopStudy, position: int = 0) -> EpisodeKey:
    row = study.read_shard(Shard(0, 2))["episodes"][position]
    return EpisodeKey(row["task_id"], row["catalog_size"], row["condition"])


def name_of(key: EpisodeKey) -> str:
    return f"{key.task_id}/{key.catalog_size}/{key.condition}"


def test_a_dropped_episode(study: ShopStudy) -> None:
    key = key_of(study)

    def remove(tables: Tables) -> None:
        for rows in tables.values():
            for row in of(rows, key):
                rows.remove(row)

    study.forge(remove)
    assert findings(study) == [f"episode {name_of(key)} is missing though its shard is finished"]


def test_a_doubled_episode(study: ShopStudy) -> None:
    key = key_of(study)
    study.forge(lambda tables: tables["episodes"].append(of(tables["episodes"], key)[0]))
    assert findings(study) == [f"episode {name_of(key)} stands 2 times"]


def test_an_episode_in_two_shards(study: ShopStudy) -> None:
    # The row of the other shard's first episode, beside this shard's own.
    row = study.read_shard(Shard(1, 2))["episodes"][0]
    study.forge(lambda tables: tables["episodes"].append(row))
    assert [text for text in findings(study) if "stands 2 times" in text]


@pytest.mark.parametrize("name", TABLES)
def test_rows_of_a_stranger(study: ShopStudy, name: str) -> None:
    def add(tables: Tables) -> None:
        tables[name].append(tables[name][0] | {"task_id": "shop-9"})

    study.forge(add)
    [found] = findings(study)
    assert re.fullmatch(rf"{name} of episode shop-9/\S+ are not of this study", found)


def test_all_findings_are_listed(study: ShopStudy) -> None:
    # Twenty episodes are in the shard; none of them is shortened to "and more".
    study.forge(lambda tables: tables["turns"].clear())
    found = findings(study)
    assert len(found) == 20
    assert all(text.endswith(": turns are missing or doubled") for text in found)


def test_findings_of_both_shards_and_all_tables_are_listed_together(study: ShopStudy) -> None:
    for index in (0, 1):
        for name in TABLES:
            study.folder.table(name, Shard(index, 2)).write_bytes(b"cut")
    found = findings(study)
    for index in (0, 1):
        for name in TABLES:
            assert any(f"{name}/shard-0000{index}" in item for item in found)


def numbered(name: str, count: int) -> Check:
    return Check.of(name, count, "things", map(str, range(count)))


def test_a_refusal_lists_twenty_findings_and_counts_the_others() -> None:
    with pytest.raises(IntegrityError) as caught:
        refuse([numbered("digests", 25)])
    first, *listed, last = caught.value.what.split("\n")
    assert "(25 findings)" in first
    assert listed == [f"- digests: {number}" for number in range(20)]
    assert last == "and 5 more"


def test_a_refusal_lists_something_of_every_check_that_failed() -> None:
    checks = [numbered(name, count) for name, count in (("a", 30), ("b", 0), ("c", 1), ("d", 30))]
    with pytest.raises(IntegrityError) as caught:
        refuse(checks)
    _, *listed, last = caught.value.what.split("\n")
    assert [line[2] for line in listed] == ["a"] * 6 + ["c"] + ["d"] * 13
    assert last == "and 41 more"


@pytest.mark.parametrize("count", [1, 2])
def test_strangers_are_to_be_removed(study: ShopStudy, count: int) -> None:
    for number in range(count):
        (study.folder.root / "turns" / f"notes{number}.txt").write_text("")
    with pytest.raises(IntegrityError) as caught:
        check(study)
    assert caught.value.remedy == ("Remove this file." if count == 1 else "Remove these files.")


def test_a_damaged_pin_is_restored_not_run_again(study: ShopStudy) -> None:
    study.folder.study_record.write_text("{")
    with pytest.raises(IntegrityError) as caught:
        check(study)
    assert caught.value.remedy == (
        "Restore the file, or run the study again in another results folder."
    )


def test_a_refusal_says_what_to_do() -> None:
    with pytest.raises(IntegrityError) as caught:
        refuse([Check("states", 1, "states", ("one thing",))])
    assert caught.value.what == (
        "The results are not what was written (1 finding):\n- states: one thing"
    )
    assert caught.value.remedy.startswith("Restore the files")
    refuse([])
