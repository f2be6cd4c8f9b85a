"""What a bundle holds, and that the same results make the same bytes."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from rocrate.rocrate import ROCrate

from gates.aggregate import aggregate
from gates.bundle import BUNDLE
from gates.bundle_layout import REQUIRED, largest
from gates.choice import CHOICES, statement
from gates.metric_table import METRICS
from harness.grid import Shard
from harness.ledger import Ledger
from harness.schema import TABLES
from tests.support.bundles import confirmed, honest, unfolded, zipped
from tests.support.shop_study import ShopStudy, catalogs, record_of, tasks


@pytest.fixture
def study(tmp_path: Path) -> ShopStudy:
    return ShopStudy.write(tmp_path)


def bundle(study: ShopStudy) -> Path:
    aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())
    return study.folder.terminal / BUNDLE


def test_the_same_results_make_the_same_bytes(study: ShopStudy, tmp_path: Path) -> None:
    first = bundle(study).read_bytes()
    assert bundle(study).read_bytes() == first
    elsewhere = ShopStudy.copy(study, tmp_path / "elsewhere")
    assert bundle(elsewhere).read_bytes() == first


def test_it_holds_the_results_as_they_lie_there(study: ShopStudy) -> None:
    path = bundle(study)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert set(names) >= REQUIRED
        assert all(largest(name) for name in names)
        for info in archive.infolist():
            assert (info.compress_type, info.date_time[0]) == (zipfile.ZIP_STORED, 1980)
            assert info.external_attr >> 16 == 0o100644
        for index in (0, 1):
            shard = Shard(index, 2)
            same = [(f"manifests/{shard.name}.json", study.folder.manifest(shard))]
            same += [
                (f"{name}/{shard.name}.parquet", study.folder.table(name, shard)) for name in TABLES
            ]
            for name, source in same:
                assert archive.read(name) == source.read_bytes()
        assert archive.read("study.json") == study.folder.study_record.read_bytes()
        terminal = (study.folder.terminal / "terminal.json").read_bytes()
        assert archive.read("terminal/terminal.json") == terminal


def test_messages_of_the_ledger_stay_behind(study: ShopStudy) -> None:
    ledger = Ledger(study.folder.attempts(Shard(0, 2)), now=lambda: 86_400.0)
    with pytest.raises(OSError, match="secret"), ledger.attempt():
        raise OSError(13, "secret", "/var/secret")
    with study.folder.attempts(Shard(1, 2)).open("ab") as stream:
        stream.write(b'\n{"attempt": 2, "outc')
    path = bundle(study)
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("attempts/shard-00000-of-00002.jsonl").splitlines()
        crate = json.loads(archive.read("ro-crate-metadata.json"))
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert [json.loads(line)["outcome"] for line in lines][-1] == "infrastructure"
    assert b"secret" not in content
    [root] = [item for item in crate["@graph"] if item["@id"] == "./"]
    assert root["datePublished"] == "1970-01-02"
    done = confirmed(path)
    assert done.terminal is not None
    assert done.terminal["counts"]["attempts"]["infrastructure"] == 1


def test_hashes_are_those_that_any_machine_computes() -> None:
    lines = honest()["SHA256SUMS"].decode().splitlines()
    assert {line.split("  ")[1] for line in lines} == set(honest()) - {"SHA256SUMS"}
    for line in lines:
        sha256, name = line.split("  ")
        assert hashlib.sha256(honest()[name]).hexdigest() == sha256


def test_it_is_a_research_object(tmp_path: Path) -> None:
    folder = unfolded(tmp_path / "bundle", honest())
    crate = ROCrate(folder)
    assert crate.name == "Results of study shop"
    assert crate.root_dataset["datePublished"]
    assert crate.license.id == "https://spdx.org/licenses/MIT"
    assert {entity.id for entity in crate.data_entities} == set(honest()) - {
        "ro-crate-metadata.json"
    }
    for entity in crate.data_entities:
        assert entity["description"], entity.id
        if entity.id != "SHA256SUMS":
            assert entity["contentSize"] == str(len(honest()[entity.id]))


def test_columns_and_types_are_those_of_the_tables() -> None:
    described: dict[str, Any] = json.loads(honest()["schema.json"])["tables"]
    assert set(described) == set(TABLES)
    for name, schema in TABLES.items():
        columns = [(item["name"], item["nullable"]) for item in described[name]["columns"]]
        assert columns == [(field.name, field.nullable) for field in schema]
    episodes = {item["name"]: item for item in described["episodes"]["columns"]}
    assert episodes["model_ms"]["measured_time"]
    assert episodes["gold_required_routes"]["evaluation_only"]
    assert not episodes["task_pass"]["evaluation_only"]


def test_it_names_no_host_and_no_folder_of_this_machine(tmp_path: Path) -> None:
    for name, content in honest().items():
        if not name.endswith(".parquet"):
            assert str(tmp_path.parent).encode() not in content, name


def test_a_zip_and_a_folder_are_confirmed_alike(tmp_path: Path) -> None:
    folder = confirmed(unfolded(tmp_path / "bundle", honest()))
    archive = confirmed(zipped(tmp_path / "b.zip", honest(), zipfile.ZIP_DEFLATED))
    assert folder.checks == archive.checks
    assert [check.name for check in folder.checks] == [
        *("files", "crate", "lock", "identity", "manifests", "tables", "digests", "grid"),
        *("sequences", "hash chains", "state contract", "states", "retrieval queries"),
        *("rankings", "exposures", "budgets", "gold traces", "requests", "answers", "tokens"),
        *("outcomes", "policy decisions", "terminal record", "documents"),
    ]


# Choices, deviations, labels.


def test_every_choice_of_the_protocol_is_stated() -> None:
    assert len(CHOICES) == 13
    for choice in CHOICES:
        assert choice.choice.endswith(".")
        assert choice.why.endswith(".")
        assert choice.theirs.endswith(".")
        for key in choice.tested_by:
            assert key in METRICS or key.startswith("sensitivity."), key


@pytest.mark.parametrize(
    ("development", "evidence", "confirmatory"),
    [
        (False, "model", ["gate"]),
        (False, "instrument", []),
        (True, "model", []),
        (True, "instrument", []),
    ],
)
def test_only_a_model_on_the_frozen_split_confirms(
    development: bool, evidence: str, confirmatory: list[str]
) -> None:
    stated = statement(development=development, evidence=evidence)
    assert stated["confirmatory"] == confirmatory
    described = {"metrics", "intervals", "contrasts", "sensitivity", "latency", "usage"}
    everything = {"gate", *described}
    assert {*stated["confirmatory"], *stated["exploratory"]} == everything
    assert stated["deviations"] == []
