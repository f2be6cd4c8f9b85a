"""A study as its own record tells it: what whoever has only the results holds them against."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from harness.agents.protocol import Evidence
from harness.config import ProtocolConfig
from harness.error import IntegrityError
from harness.identity import study_components, study_identity
from harness.manifest import StudyRecord
from harness.protocol import StudySection
from surface.catalog import Catalog, load_catalogs
from surface.error import StudyError
from surface.task import TASK_FOLDER, Task, load_tasks

_VERSION: Final = "Verify with the version of the package that the results were made with."

_EVIDENCE: Final[Mapping[str, Evidence]] = {
    "reference": "instrument",
    "random": "instrument",
    "simulated": "simulation",
}
"""What results of the agents without a model can show, by kind; all others are models."""


@dataclass(frozen=True)
class Recorded:
    """A recorded study: its surface, and what this package makes of its record."""

    expected: StudyRecord
    tasks: Mapping[str, Task]
    catalogs: Mapping[int, Catalog]


def recorded_study(pinned: StudyRecord) -> Recorded:
    """Compute anew what a study's record says of itself, from its configuration alone.

    Neither the configuration files nor the agent are needed: the record holds the one, and of the
    other its identity.

    Parameters
    ----------
    pinned
        The record; it may come from anybody.

    Raises
    ------
    IntegrityError
        If its configuration is none, or if this package has other components than it names.
    """
    section = _section(pinned)
    if section.surface is not None:
        raise IntegrityError(
            f"Study {section.name!r} has a surface of its own, which this package does not hold.",
            "Verify it beside its configuration: name the study and its results.",
        )
    catalogs = {size: item for size, item in load_catalogs().items() if size in section.catalogs}
    if len(catalogs) < len(section.catalogs) or not (TASK_FOLDER / section.split).is_dir():
        raise IntegrityError(
            f"This package has not all catalogs and tasks of study {section.name!r}.", _VERSION
        )
    smallest = catalogs[min(catalogs)].snapshot
    tasks = {
        task.id: task
        for task in load_tasks(section.split, snapshot=smallest)
        if not section.partial
        or (task.stratum in section.strata and task.language in section.languages)
    }
    components = study_components(
        config=pinned.config, tasks=tasks.values(), catalogs=catalogs, agent=pinned.agent
    )
    differing = [
        f"{name} ({pinned.components.get(name, 'nothing')[:12]} there,"
        f" {components.get(name, 'nothing')[:12]} here)"
        for name in sorted({*components, *pinned.components})
        if components.get(name) != pinned.components.get(name)
    ]
    if differing:
        raise IntegrityError(
            f"The results were made with other components than this package has:"
            f" {'; '.join(differing)}.",
            _VERSION,
        )
    expected = StudyRecord(
        study=section.name,
        split=section.split,
        identity=study_identity(components),
        shards=pinned.shards,
        agent=pinned.agent,
        evidence=_EVIDENCE.get(str(pinned.agent.get("kind")), "model"),
        development=section.development,
        components=components,
        config=pinned.config,
    )
    return Recorded(expected, tasks, catalogs)


def _section(pinned: StudyRecord) -> StudySection:
    try:
        protocol = {key: pinned.config[key] for key in ProtocolConfig.model_fields}
        return ProtocolConfig.model_validate_json(json.dumps(protocol)).study
    except (KeyError, ValidationError, StudyError) as error:
        raise IntegrityError(
            "The configuration that the study's record holds is none of this version.", _VERSION
        ) from error
