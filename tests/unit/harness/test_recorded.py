"""A study as its record tells it, computed again by whoever has the record and the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from harness.compose import load_config
from harness.error import IntegrityError
from harness.manifest import StudyRecord
from harness.recorded import recorded_study
from harness.study import Study

STUDY = Study(load_config(["study=dev"]))
RECORD = STUDY.record(6)


def changed(**changes: Any) -> StudyRecord:
    return RECORD.model_copy(update=changes)


def with_study(**changes: Any) -> Mapping[str, Any]:
    return {**RECORD.config, "study": {**RECORD.config["study"], **changes}}


def test_it_is_the_record_that_the_study_itself_makes() -> None:
    found = recorded_study(RECORD)
    assert found.expected == RECORD
    assert dict(found.tasks) == dict(STUDY.tasks)
    assert list(found.catalogs) == list(STUDY.catalogs)


def test_a_part_of_a_split_is_that_part() -> None:
    study = Study(load_config(["study=slice", "agent=reference"]))
    found = recorded_study(study.record(1))
    assert found.expected == study.record(1)
    assert dict(found.tasks) == dict(study.tasks)
    assert len(found.tasks) < len(STUDY.tasks)


@pytest.mark.parametrize(
    ("agent", "evidence"),
    [
        ("reference", "instrument"),
        ("random", "instrument"),
        ("simulated", "simulation"),
        ("ollama", "model"),
    ],
)
def test_what_results_show_follows_from_what_answered(agent: str, evidence: str) -> None:
    study = Study(load_config(["study=dev", f"agent={agent}"]))
    record = study.record(2)
    assert record.evidence == evidence
    for claimed in ("instrument", "model", "simulation"):
        found = recorded_study(record.model_copy(update={"evidence": claimed}))
        assert found.expected == record


@pytest.mark.parametrize("name", ["tasks", "catalog.100", "retriever", "config", "agent"])
def test_another_component_is_named(name: str) -> None:
    record = changed(components={**RECORD.components, name: "0" * 64})
    with pytest.raises(IntegrityError, match=rf"{name} \(000000000000 there, ") as caught:
        recorded_study(record)
    assert "version of the package" in caught.value.remedy


@pytest.mark.parametrize(
    "changes",
    [
        {"agent": {"kind": "reference", "version": "2"}},
        {"config": with_study(gate={"task_pass_margin": "-1", "recall_threshold": "0"})},
        {"config": {**RECORD.config, "retriever": {}}},
    ],
)
def test_a_setting_that_was_edited_is_another_component(changes: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match="made with other components"):
        recorded_study(changed(**changes))


def test_a_setting_whose_hashes_were_made_anew_is_another_identity() -> None:
    config = with_study(gate={"task_pass_margin": "-1", "recall_threshold": "0.1"})
    with pytest.raises(IntegrityError, match=r"config \(\w+ there, (\w+) here\)") as caught:
        recorded_study(changed(config=config))
    assert str(caught.value).count("there") == 1


@pytest.mark.parametrize(
    ("config", "what"),
    [
        ({}, "is none of this version"),
        ({"study": 7, "retriever": {}}, "is none of this version"),
        ({**RECORD.config, "retriever": {"succeeded": -1}}, "is none of this version"),
        (with_study(split="../frozen"), "is none of this version"),
        (with_study(split="elsewhere"), "has not all catalogs and tasks"),
        (with_study(catalogs=[100, 1000]), "has not all catalogs and tasks"),
        (with_study(surface="elsewhere"), "has a surface of its own"),
    ],
)
def test_what_this_package_cannot_compute(config: Mapping[str, Any], what: str) -> None:
    with pytest.raises(IntegrityError, match=what) as caught:
        recorded_study(changed(config=config))
    assert caught.value.exit_code == 3
