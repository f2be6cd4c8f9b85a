"""What authorizes a study to run: prerequisites that are over (protocol, section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.disk import is_there
from harness.error import ConfigError, IntegrityError
from harness.folder import StudyFolder
from harness.manifest import Record, Sha256, read_record
from harness.protocol import Artifact, RecordedPredecessor, StudyPredecessor
from harness.store import file_sha256
from harness.study import Study

Verdict = Literal["passed", "failed"]
"""How a study's gate was decided."""


class Grant(BaseModel):
    """A study that is over, as the conveyor handed it on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    predecessor: str
    agent: str
    """A name in ``configs/agent``."""
    identity: str = Sha256
    artifact: Artifact
    """SHA-256 of its terminal record."""
    verdict: Verdict


class Authorization(Record):
    """What was handed on to a study; it lies in the study's folder."""

    remedy = "Restore the file, or remove it and run the conveyor again."

    study: str
    identity: str = Sha256
    grants: tuple[Grant, ...] = Field(min_length=1)


def authorization_path(folder: StudyFolder) -> Path:
    """Return where what was handed on to a study lies."""
    return folder.root / "authorization.json"


def terminal_path(folder: StudyFolder) -> Path:
    """Return the terminal record of a study, whose SHA-256 is its terminal digest."""
    return folder.terminal / "terminal.json"


def terminal_digest(folder: StudyFolder) -> str:
    """Return the digest that a study hands on.

    Raises
    ------
    OSError
        If there is no terminal record, or if the system refuses.
    """
    return f"sha256:{file_sha256(terminal_path(folder))}"


def check_stated(study: Study) -> None:
    """Check that a study states what authorizes it, and that what is recorded of it is terminal.

    Raises
    ------
    ConfigError
        If it states nothing, or names an experiment that is not over.
    """
    name, stated = study.config.study.name, study.config.study.authorization
    if stated is None:
        raise ConfigError(
            f"Nothing authorizes study {name!r} to run.",
            "State its prerequisites under `authorization` in its file in configs/study.",
        )
    for item in stated:
        if isinstance(item, RecordedPredecessor) and not item.terminal:
            raise ConfigError(
                f"Study {name!r} is not authorized: run {item.run} of {item.predecessor} is not "
                "terminal.",
                "Wait until it is, then record its terminal artifact.",
            )


def check_authorization(study: Study) -> None:
    """Check that everything that a study needs is over.

    Raises
    ------
    ConfigError
        If it states nothing, or if something that it names is not over.
    IntegrityError
        If what was handed on to it is not what it needs, or not what is there any more.
    OSError
        If the system refuses.
    """
    check_stated(study)
    needed = tuple(needed_studies(study))
    if not needed:
        return
    path = authorization_path(study.folder)
    if not is_there(path):
        names = ", ".join(f"{item.predecessor} ({item.agent})" for item in needed)
        raise ConfigError(
            f"Study {study.config.study.name!r} waits for {names}: nothing was handed on to it.",
            "Run the conveyor, which does so when they are terminal.",
        )
    handed = read_record(path, Authorization)
    if (handed.study, handed.identity) != (study.config.study.name, study.identity):
        raise IntegrityError(f"{path} is about another study or identity.", handed.remedy)
    for item in needed:
        grant = next((found for found in handed.grants if _is_of(found, item)), None)
        if grant is None or not satisfies(grant, item):
            raise IntegrityError(
                f"{path} does not hand on {item.predecessor} ({item.agent}) as the study needs it.",
                handed.remedy,
            )
        _check_still_there(study, grant)


def needed_studies(study: Study) -> Iterator[StudyPredecessor]:
    """Yield the studies of this project that a study needs."""
    for item in study.config.study.authorization or ():
        if isinstance(item, StudyPredecessor):
            yield item


def satisfies(grant: Grant, needed: StudyPredecessor) -> bool:
    """Whether a study that is over is the one needed, with its verdict and digest."""
    return (
        _is_of(grant, needed)
        and needed.verdict in {"any", grant.verdict}
        and needed.artifact in {None, grant.artifact}
    )


def _is_of(grant: Grant, needed: StudyPredecessor) -> bool:
    return (grant.predecessor, grant.agent) == (needed.predecessor, needed.agent)


def _check_still_there(study: Study, grant: Grant) -> None:
    """Hold a grant against the terminal record, where that lies among the same results."""
    folder = StudyFolder.of(study.config.results, grant.predecessor, grant.identity)
    if not is_there(terminal_path(folder)):
        return
    found = terminal_digest(folder)
    if found != grant.artifact:
        raise IntegrityError(
            f"{terminal_path(folder)} is not the record that authorized study "
            f"{study.config.study.name!r}: {grant.artifact} was handed on, {found} is there.",
            "Restore it.",
        )
