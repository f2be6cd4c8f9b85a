"""A study as its own record tells it: what whoever has only the results holds them against."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from harness.agents.protocol import Evidence
from harness.carried import unfolded
from harness.config import ProtocolConfig
from harness.error import IntegrityError
from harness.identity import study_components, study_identity
from harness.manifest import StudyRecord
from harness.protocol import StudySection
from surface.catalog import Catalog, load_catalogs
from surface.error import StudyError, SurfaceError
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


def recorded_study(pinned: StudyRecord, surface: bytes | None = None) -> Recorded:
    """Compute anew what a study's record says of itself, from its configuration alone.

    Neither the configuration files nor the agent are needed: the record holds the one, and of the
    other its identity.

    Parameters
    ----------
    pinned
        The record; it may come from anybody.
    surface
        The surface that the results carry, see `harness.carried`; so may this.

    Raises
    ------
    IntegrityError
        If its configuration or its surface is none, or if this package has other components than it
        names.
    OSError
        If the system refuses.
    """
    section = _section(pinned)
    if surface is not None and section.surface is None:
        raise IntegrityError(
            f"The results carry a surface, and study {section.name!r} has none of its own.",
            "Take the results again from where they were published.",
        )
    catalogs, tasks = _own(section, surface) if section.surface else _known(section)
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


def _known(section: StudySection) -> tuple[dict[int, Catalog], dict[str, Task]]:
    """Return catalogs and tasks of a study on this package's surface."""
    catalogs = {size: item for size, item in load_catalogs().items() if size in section.catalogs}
    if len(catalogs) < len(section.catalogs) or not (TASK_FOLDER / section.split).is_dir():
        raise IntegrityError(
            f"This package has not all catalogs and tasks of study {section.name!r}.", _VERSION
        )
    return catalogs, _tasks(section, catalogs, TASK_FOLDER)


def _own(
    section: StudySection, surface: bytes | None
) -> tuple[dict[int, Catalog], dict[str, Task]]:
    """Return catalogs and tasks of a study with a surface of its own."""
    if surface is None:
        raise IntegrityError(
            f"Study {section.name!r} has a surface of its own, which its results do not carry.",
            "Take the results again from where they were published.",
        )
    try:
        with unfolded(surface, section.split) as (catalog_folder, task_folder):
            catalogs = dict(load_catalogs(catalog_folder, section.catalogs))
            return catalogs, _tasks(section, catalogs, task_folder)
    except SurfaceError as error:
        raise IntegrityError(
            f"The surface that the results carry is not valid: {error.what}", _VERSION
        ) from error


def _tasks(section: StudySection, catalogs: Mapping[int, Catalog], folder: Path) -> dict[str, Task]:
    smallest = catalogs[min(catalogs)].snapshot
    return {
        task.id: task
        for task in load_tasks(section.split, folder, snapshot=smallest, kinds=section.kinds)
        if not section.partial
        or (task.stratum in section.strata and task.language in section.languages)
    }


def _section(pinned: StudyRecord) -> StudySection:
    try:
        protocol = {key: pinned.config[key] for key in ProtocolConfig.model_fields}
        return ProtocolConfig.model_validate_json(json.dumps(protocol)).study
    except (KeyError, ValidationError, StudyError) as error:
        raise IntegrityError(
            "The configuration that the study's record holds is none of this version.", _VERSION
        ) from error
