"""The lock of a frozen study: what its identity covers, and what it was frozen with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from harness.agents.protocol import Evidence
from harness.disk import is_there, write_whole
from harness.error import ConfigError
from harness.identity import (
    SOURCES,
    Files,
    catalog_component,
    file_hashes,
    source_files,
    study_identity,
)
from harness.manifest import Record, Sha256, read_record
from harness.origin import Origin
from harness.study import Study
from router.canonical import digest


class Environment(Record):
    """What a study was frozen on: information, part of no hash."""

    interpreter: str
    platform: str
    packages: Mapping[str, str]
    """The installed version of every locked package."""
    package_lock: str = Sha256
    """SHA-256 of ``requirements.lock``."""


class Lock(Record):
    """A frozen study with the agent that answers it."""

    remedy = "Restore the lock from version control."

    study: str
    split: str
    agent_name: str
    """A name in ``configs/agent``."""
    agent: Mapping[str, Any]
    """What defines the agent's behaviour."""
    evidence: Evidence
    identity: str = Sha256
    components: Mapping[str, str]
    """SHA-256 of everything that the identity covers, by component."""
    files: Mapping[str, Mapping[str, str]]
    """SHA-256 of the files behind each component, by component and file."""
    config: Mapping[str, Any]
    """The protocol and identity keys of the configuration."""
    authorization: tuple[Mapping[str, Any], ...] = Field(min_length=1)
    """What must be over before the study may run, as the configuration says."""
    commit: str = Field(pattern=r"^[0-9a-f]{40,64}$")
    environment: Environment
    version: str
    """Of the project."""
    analysis: Mapping[str, str]
    """SHA-256 of the code that no outcome depends on: a version, part of no identity."""

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        computed = {"config": digest(dict(self.config)), "agent": digest(dict(self.agent))}
        for name in SOURCES:
            if name in self.components:
                computed[name] = digest(dict(self.files.get(name, {})))
        wrong = [name for name, value in computed.items() if self.components.get(name) != value]
        if wrong:
            raise ValueError(f"its component {wrong[0]} is not the hash of what it says of it")
        if self.identity != study_identity(self.components):
            raise ValueError("its identity is not the hash of its components")
        study = self.config.get("study")
        stated = study.get("authorization") if isinstance(study, Mapping) else None
        if stated != [dict(item) for item in self.authorization]:
            raise ValueError("its authorization is not the one of its configuration")
        return self


def lock_path(study: Study) -> Path:
    """Return where the lock of a study with its agent lies.

    Raises
    ------
    ConfigError
        If the configuration was not composed from a tree of files.
    """
    return origin_of(study).lock(study.config.study.name)


def kept_lock(study: Study) -> Path | None:
    """Return the lock that belongs to a study's results; None where it was never frozen.

    Raises
    ------
    OSError
        If the system refuses.
    """
    if study.config.study.development or study.config.origin is None:
        return None
    path = lock_path(study)
    return path if is_there(path) else None


def read_lock(path: Path) -> Lock:
    """Read a lock.

    Raises
    ------
    IntegrityError
        If the file is missing, no lock of this version, or at odds with itself.
    OSError
        If the system refuses.
    """
    return read_record(path, Lock)


def write_lock(path: Path, lock: Lock) -> None:
    """Write a lock for people to read: indented, keys in order; whole or not at all.

    Raises
    ------
    InfrastructureError
        If the disk refuses.
    """
    values = lock.model_dump(mode="json")
    text = json.dumps(values, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    content = f"{text}\n".encode()
    write_whole(path, lambda stream: stream.write(content))


def origin_of(study: Study) -> Origin:
    """Return where a study's configuration was composed from.

    Raises
    ------
    ConfigError
        If it was not composed from a tree of files.
    """
    if study.config.origin is None:
        raise ConfigError(
            "The configuration was not composed from files, so it has no lock.",
            "Compose it from a tree such as configs/.",
        )
    return study.config.origin


def study_files(study: Study) -> dict[str, Files]:
    """Return the hashes of the files behind each component of a study, whatever they hold.

    Raises
    ------
    ConfigError
        If the configuration was not composed from files.
    SurfaceError
        If a file of the configuration is not strict YAML.
    OSError
        If the system refuses.
    """
    origin = origin_of(study)
    agent = origin.files("agent")
    protocol = (*origin.files("study"), *origin.files("retriever"))
    tasks, catalogs = study.task_folder, study.catalog_folder
    split = sorted((tasks / study.config.study.split).rglob("*.yaml"))
    services = file_hashes(sorted(catalogs.rglob("*.yaml")), folder=catalogs.parent)
    return {
        **source_files(),
        "config": file_hashes((*protocol, *agent), folder=origin.tree.parent),
        "agent": file_hashes(agent, folder=origin.tree.parent),
        "tasks": file_hashes(split, folder=tasks.parent),
        **{catalog_component(size): services for size in study.config.study.catalogs},
    }
