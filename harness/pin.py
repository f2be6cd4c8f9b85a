"""The pin: what the first shard fixed for the study, and how later commands are held to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from harness.config import DEFAULT_SHARDS
from harness.difference import differences
from harness.disk import is_there
from harness.error import ConfigError, IntegrityError
from harness.exchange import study_exchange
from harness.folder import StudyFolder
from harness.grid import Shard
from harness.hold import hold
from harness.manifest import StudyRecord, read_record, write_record
from harness.study import Study

ONE_MATRIX: Final = 256
"""Shards that any study may have, whatever its size: as many as one matrix of CI jobs."""

_MOST_NAMED: Final = 20


def shard_count(study: Study) -> int:
    """Return how many shards the study has: as pinned, else as configured, else the default.

    Raises
    ------
    ConfigError
        If another number is configured than was pinned, or far more than the study can fill, or a
        shard that does not exist.
    IntegrityError
        If the record is damaged or missing.
    OSError
        If the system refuses.
    """
    section = study.config.shard
    study_exchange(study).fetch_pin()
    pinned = read_pin(study.folder)
    count = section.count or (pinned.shards if pinned else DEFAULT_SHARDS)
    if pinned is not None:
        _check_count(pinned, count)
    else:
        _check_size(study, count)
    if section.index is not None:
        Shard(section.index, count)
    return count


def pin_study(study: Study, shards: int) -> StudyRecord:
    """Pin study and number of shards, or hold this command to what was pinned.

    Raises
    ------
    ConfigError
        If another number of shards was pinned, or far more than the study can fill, or if the study
        has no lock or no authorization.
    IntegrityError
        If the record is damaged or missing, or pins another study, identity or agent; if what is
        here is not what was frozen.
    InfrastructureError
        If the disk or the store refuses.
    """
    hold(study)
    _check_size(study, shards)
    path, record = study.folder.study_record, study.record(shards)
    study_exchange(study).pin(record)
    if read_pin(study.folder) is None:
        # Another shard may be first; then what it pinned holds.
        with suppress(FileExistsError):
            write_record(path, record, exclusive=True)
    pinned = read_record(path, StudyRecord)
    _check_count(pinned, shards)
    check_pin(path, pinned, record)
    return pinned


def read_pin(folder: StudyFolder) -> StudyRecord | None:
    """Return what was pinned, or None when no shard was ever begun.

    Raises
    ------
    IntegrityError
        If the record is damaged, names a number of shards that nothing finished has, or is
        missing though shards left tables or manifests.
    OSError
        If the system refuses.
    """
    if is_there(folder.study_record):
        pinned = read_record(folder.study_record, StudyRecord)
        counts = {shard.count for _, shard in folder.written() if shard is not None}
        if counts and pinned.shards not in counts:
            # Not the files are foreign, of which there is none that fits, but the record.
            raise IntegrityError(
                f"{folder.study_record} names {pinned.shards} shards, but what was finished is of"
                f" {min(counts)}.",
                StudyRecord.remedy,
            )
        return pinned
    if any(folder.written()):
        raise IntegrityError(
            f"{folder.study_record} is missing, though shards of the study were finished.",
            StudyRecord.remedy,
        )
    return None


def check_pin(path: Path, pinned: StudyRecord, expected: StudyRecord) -> None:
    """Hold a command to what was pinned; the number of shards plays no part.

    Raises
    ------
    IntegrityError
        If anything differs; the message names it, components with both hashes.
    """
    if differing := list(_differing(pinned, expected)):
        more = len(differing) - _MOST_NAMED
        named = "; ".join(differing[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
        raise IntegrityError(
            f"{path} was pinned by something else; this differs: {named}.",
            StudyRecord.remedy,
        )


def _differing(pinned: StudyRecord, expected: StudyRecord) -> Iterator[str]:
    """Yield what differs between two records of a study, the number of shards left out."""
    there, here = (
        record.model_dump(mode="json", exclude={"shards"}) for record in (pinned, expected)
    )
    for name, old, new in differences(there, here):
        yield f"{name} ({old} there, {new} here)"


def _check_size(study: Study, count: int) -> None:
    """Refuse a slip of the keyboard, which the first manifest would fix for good."""
    largest = max(len(study.pairs), ONE_MATRIX)
    if count > largest:
        raise ConfigError(
            f"{count} shards are more than the {len(study.pairs)} pairs of task and catalog fill.",
            f"Use a shard.count of {largest} or less.",
        )


def _check_count(pinned: StudyRecord, count: int) -> None:
    if pinned.shards != count:
        raise ConfigError(
            f"The study was begun with {pinned.shards} shards, not {count}.",
            f"Use shard.count={pinned.shards}, or another results folder.",
        )
