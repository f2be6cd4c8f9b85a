"""Holding what is here to what was frozen (protocol, section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from harness.authorization import check_authorization
from harness.change import Change, Item, changed_files, changes, reworded
from harness.disk import is_there
from harness.error import ConfigError, IntegrityError
from harness.identity import Files
from harness.lock import Lock, lock_path, origin_of, read_lock, study_files
from harness.study import Study
from surface.error import StudyError

_MOST_LISTED: Final = 20


@dataclass(frozen=True, eq=False)
class Present:
    """A study as it is here and now, to be held against a lock."""

    study: Study

    @property
    def components(self) -> Mapping[str, str]:
        """SHA-256 by component."""
        return self.study.components

    @cached_property
    def files(self) -> Mapping[str, Files]:
        """SHA-256 by component and file."""
        return study_files(self.study)

    @property
    def config(self) -> Mapping[str, Any]:
        """The protocol and identity keys."""
        return self.study.config.hashed()

    @property
    def agent(self) -> Mapping[str, Any]:
        """What defines the agent's behaviour."""
        return self.study.agent.identity


def refuse_development(study: Study) -> None:
    """Refuse to freeze or check a study that runs without a lock.

    Raises
    ------
    ConfigError
        If the study is for development.
    """
    if study.config.study.development:
        raise ConfigError(
            f"Study {study.config.study.name!r} is for development: it runs without a lock.",
            "Name a study that is not, such as study=frozen.",
        )


def check(study: Study) -> tuple[Lock, tuple[Item, ...]]:
    """Hold a study against its lock, whether it may run or not.

    Returns
    -------
    lock, reworded
        The lock, and the files that differ in nothing that counts, such as a comment.

    Raises
    ------
    ConfigError
        If the study is for development or has no lock.
    IntegrityError
        If anything differs; the message names component, key or file, and both hashes.
    """
    refuse_development(study)
    lock = compare(study)
    return lock, reworded(lock, Present(study))


def hold(study: Study) -> Lock | None:
    """Hold a command that runs or reads a study to its lock and its authorization.

    Returns
    -------
    Lock or None
        None for a development study, which needs no lock.

    Raises
    ------
    ConfigError
        If there is no lock, or no authorization.
    IntegrityError
        If anything differs from the lock, or if what authorized the study is another thing.
    """
    if study.config.study.development:
        return None
    lock = compare(study)
    check_authorization(study)
    return lock


def compare(study: Study) -> Lock:
    """Hold a study against its lock, whatever authorizes it.

    Raises
    ------
    ConfigError
        If there is no lock.
    IntegrityError
        If the lock is damaged, or if anything differs from it.
    """
    path = lock_path(study)
    name, agent = study.config.study.name, origin_of(study).agent
    if not is_there(path):
        raise ConfigError(
            f"Study {name!r} with agent {agent!r} is not frozen: {path} does not exist.",
            f"Freeze it first: make freeze STUDY={name} AGENT={agent}.",
        )
    lock = read_lock(path)
    if (lock.study, lock.agent_name) != (name, agent):
        raise IntegrityError(
            f"{path} is the lock of study {lock.study!r} with agent {lock.agent_name!r}.",
            lock.remedy,
        )
    present = Present(study)
    try:
        found = [_sentence(change) for change in changes(lock, present)]
    except StudyError as error:
        # What cannot even be read differs all the same, and the lock knows where.
        found = list(_broken(lock, present.files))
        if not found:
            raise
        found.append(error.what)
    if found:
        more = len(found) - _MOST_LISTED
        lines = [f"- {item}" for item in found[:_MOST_LISTED]]
        lines += [f"and {more} more"] if more > 0 else []
        raise IntegrityError(
            f"What is here is not what {path} froze:\n" + "\n".join(lines),
            f"Check out commit {lock.commit[:12]}, or describe a successor under another name in "
            "configs/study and freeze that.",
        )
    return lock


def _sentence(change: Change) -> str:
    return change.sentence("frozen", "here")


def _broken(lock: Lock, files: Mapping[str, Files]) -> Iterator[str]:
    for component in lock.components:
        for item in changed_files(lock.files, files, component):
            yield f"{component}: file {item.name} ({item.old} frozen, {item.new} here)"
