"""A bundled study is the recorded one, whichever agent answered it, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.bundled import bundled_study
from harness.compose import CONFIG_FOLDER, load_config
from harness.error import IntegrityError
from harness.manifest import StudyRecord
from harness.recorded import Recorded
from harness.study import Study

AGENTS = sorted(path.stem for path in (CONFIG_FOLDER / "agent").glob("*.yaml"))


@pytest.fixture(scope="module")
def slice_study() -> Study:
    return Study(load_config(["study=slice"]))


def recorded_by(study: Study, agent: str) -> StudyRecord:
    """The record of the study with an agent, as its file holds it."""
    other = Study(load_config(["study=slice", f"agent={agent}"]))
    other.__dict__.update(tasks=study.tasks, catalogs=study.catalogs)
    return StudyRecord.model_validate_json(other.record(3).model_dump_json())


@pytest.mark.parametrize("agent", AGENTS)
def test_the_record_of_a_study_makes_the_study(slice_study: Study, agent: str) -> None:
    record = recorded_by(slice_study, agent)
    recorded = Recorded(record, slice_study.tasks, slice_study.catalogs)
    bundled = bundled_study(record, recorded, Path("/opened"))
    assert bundled.record(3) == record
    assert bundled.folder.root == Path("/opened")


@pytest.mark.parametrize(
    "change",
    [
        lambda config: config.pop("agent"),
        lambda config: config.update(agent=None),
        lambda config: config["agent"].update(kind="oracle"),
        lambda config: config["agent"].update(more=1),
        lambda config: config["agent"].update(server={"base_url": "http://127.0.0.1:9/v1"}),
        lambda config: config.pop("retriever"),
    ],
)
def test_a_configuration_that_is_none_is_refused(
    slice_study: Study, change: Callable[[dict[str, Any]], None]
) -> None:
    record = recorded_by(slice_study, "reference")
    config = json.loads(json.dumps(record.config))
    change(config)
    damaged = record.model_copy(update={"config": config})
    recorded = Recorded(record, slice_study.tasks, slice_study.catalogs)
    with pytest.raises(IntegrityError, match="is none of this version"):
        bundled_study(damaged, recorded, Path("/opened"))
