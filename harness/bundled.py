"""A study as its bundle tells it: run again where it lies, with nothing but this package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from harness.agents.section import AgentSection
from harness.compose import load_config
from harness.config import ProtocolConfig, StudyConfig
from harness.error import IntegrityError
from harness.folder import StudyFolder
from harness.manifest import StudyRecord
from harness.recorded import Recorded
from harness.study import Study
from surface.catalog import Catalog
from surface.task import Task

_NOWHERE: Final = {"base_url": "http://server.invalid/v1"}
"""Where a server was is in no record; a replay reaches none (the name is reserved, RFC 2606)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BundledStudy(Study):
    """A study whose results lie in an opened bundle."""

    recorded: Recorded
    """Its surface."""
    place: Path
    """The folder that the bundle was opened to."""

    @property
    def folder(self) -> StudyFolder:
        """Where the results lie: a bundle is laid out like the results of its study."""
        return StudyFolder(self.place)

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """The tasks that the record names, by id."""
        return self.recorded.tasks

    @cached_property
    def catalogs(self) -> Mapping[int, Catalog]:
        """The catalogs that the record names, by size."""
        return self.recorded.catalogs


def bundled_study(record: StudyRecord, recorded: Recorded, place: Path) -> BundledStudy:
    """Return the study of a bundle.

    Its identity is computed from the configuration in the record, agent included, so that a record
    that names another agent than it configures is no study of this package.

    Parameters
    ----------
    record
        What the bundle pins; it may come from anybody.
    recorded
        What this package makes of it, see `harness.recorded.recorded_study`.
    place
        The folder that the bundle was opened to.

    Raises
    ------
    IntegrityError
        If the configuration is none of this version.
    """
    return BundledStudy(config=_config(record.config), recorded=recorded, place=place)


def _config(hashed: Mapping[str, Any]) -> StudyConfig:
    """Return a configuration with these protocol and identity keys; the others play no part."""
    try:
        agent = dict(hashed["agent"])
        if agent.get("kind") == "openai":
            agent["server"] = _NOWHERE
        section = _SECTION.validate_json(json.dumps(agent))
        protocol = ProtocolConfig.model_validate_json(
            json.dumps({key: hashed[key] for key in ProtocolConfig.model_fields})
        )
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise IntegrityError(
            "The configuration that the study's record holds is none of this version.",
            "Replay with the version of the package that the results were made with.",
        ) from error
    parts = {"study": protocol.study, "retriever": protocol.retriever, "agent": section}
    return load_config(()).model_copy(update={**parts, "origin": None})


_SECTION: Final[TypeAdapter[AgentSection]] = TypeAdapter(AgentSection)
