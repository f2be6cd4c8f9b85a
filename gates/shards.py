"""Reading a study's shards: what pinned it, every manifest, every table, as they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from gates.check import Check
from gates.finding import refuse
from harness.disk import is_there, listing
from harness.error import IntegrityError, NotTerminalError
from harness.folder import StudyFolder
from harness.grid import Shard
from harness.ledger import Ledger
from harness.manifest import Manifest, StudyRecord, read_record
from harness.pin import check_pin, read_pin
from harness.schema import TABLES
from harness.store import file_sha256, read_table


@dataclass(frozen=True)
class Part:
    """One finished shard, its tables still as they lie on disk."""

    shard: Shard
    manifest: Manifest
    path: str
    """Where the manifest lies, for messages."""


def pinned(folder: StudyFolder, expected: StudyRecord) -> tuple[StudyRecord, Check]:
    """Read what the study pinned and hold it against what is expected of it.

    Raises
    ------
    NotTerminalError
        If no shard was begun.
    IntegrityError
        If it is damaged, or pins something else.
    """
    record = read_pin(folder)
    if record is None:
        others = "; ".join(_others(folder, expected))
        also = f" There are results of other identities: {others}." if others else ""
        raise NotTerminalError(
            f"No shard of study {expected.study!r} with identity {expected.identity[:12]} has been"
            f" begun.{also}",
            "Run its shards, or check out the version that the other results belong to.",
        )
    check_pin(folder.study_record, record, expected)
    return record, Check("identity", len(record.components), "components")


def finished(folder: StudyFolder, record: StudyRecord) -> tuple[tuple[Part, ...], Check]:
    """Read every manifest; refuse an incomplete or a mixed set.

    Raises
    ------
    NotTerminalError
        If a shard is missing; the message has shard counts and no outcome.
    IntegrityError
        If a file is damaged, foreign, or does not belong here; if an attempt is on no record.
    """
    strangers = []
    problems = []
    found = {}
    for path, shard in folder.written():
        if shard is None:
            strangers.append(f"{path} does not belong here")
        elif shard.count != record.shards:
            strangers.append(f"{path} is of another number of shards")
        elif path.parent == folder.manifests:
            try:
                manifest = read_record(path, Manifest)
            except IntegrityError as error:
                problems.append(error.what.rstrip("."))
                continue
            problems.extend(f"{path} {text}" for text in _foreign(manifest, shard, record))
            if folder.is_finished(shard):
                found[shard.index] = Part(shard, manifest, str(path))
    if not problems:
        remedy = "Remove this file." if len(strangers) == 1 else "Remove these files."
        refuse([Check.of("manifests", 0, "shards", strangers)], remedy)
    refuse([Check.of("manifests", 0, "shards", (*strangers, *problems))])
    missing = [index for index in range(record.shards) if index not in found]
    if missing:
        raise NotTerminalError(
            f"{len(found)} of {record.shards} shards are finished.",
            f"Run the missing ones, such as shard {missing[0]}; nothing is shown before.",
        )
    parts = tuple(found[index] for index in range(record.shards))
    unrecorded = [text for part in parts for text in _unrecorded(folder, part)]
    refuse([Check.of("attempts", 0, "shards", unrecorded)])
    return parts, Check("manifests", len(parts), "shards")


def read_part(folder: StudyFolder, part: Part, problems: list[str]) -> dict[str, pa.Table]:
    """Read a shard's tables and hold them against their manifest; add what is wrong."""
    tables: dict[str, pa.Table] = {}
    manifest = part.manifest
    if set(manifest.tables) != set(TABLES):
        problems.append(f"{part.path} does not list the study's tables")
        return tables
    for name, schema in TABLES.items():
        path, entry = folder.table(name, part.shard), manifest.tables[name]
        try:
            if file_sha256(path) != entry.sha256:
                problems.append(f"{path} is not the file that its manifest describes")
            table = read_table(path, schema)
        except IntegrityError as error:
            problems.append(error.what.rstrip("."))
            continue
        if table.num_rows != entry.rows:
            problems.append(f"{path} has {table.num_rows} rows, not {entry.rows}")
        tables[name] = table
    episodes = manifest.tables["episodes"]
    if (manifest.rows, manifest.sha256) != (episodes.rows, episodes.sha256):
        problems.append(f"{part.path} contradicts itself")
    return tables


def _unrecorded(folder: StudyFolder, part: Part) -> Iterator[str]:
    """Say so if no ledger knows the attempt that finished a shard, nor then those before it."""
    path = folder.attempts(part.shard)
    if part.manifest.attempt not in {item.number for item in Ledger(path).attempts()}:
        yield f"{path} lacks attempt {part.manifest.attempt}, which {part.path} names"


def _foreign(manifest: Manifest, shard: Shard, record: StudyRecord) -> Iterator[str]:
    if (manifest.shard_index, manifest.shard_count) != (shard.index, shard.count):
        yield f"is the manifest of shard {manifest.shard_index} of {manifest.shard_count}"
    elif (manifest.identity, manifest.study) != (record.identity, record.study):
        yield "is of another study or identity"


def _others(folder: StudyFolder, expected: StudyRecord) -> Iterator[str]:
    """Yield the identities that the study has other results of, with the components that differ."""
    for place in listing(folder.root.parent):
        path = StudyFolder(place).study_record
        if not place.is_dir() or not is_there(path):
            continue
        try:
            components = read_record(path, StudyRecord).components
        except IntegrityError:
            yield f"{place.name[:12]} (its record is damaged)"
            continue
        differing = (
            f"{name} {old[:12]} there and {new[:12]} here"
            for name, old, new in _pairs(components, expected.components)
            if old != new
        )
        yield f"{place.name[:12]} ({', '.join(differing) or 'of equal components'})"


def _pairs(there: Mapping[str, str], here: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name in sorted({*there, *here}):
        yield name, there.get(name, "none"), here.get(name, "none")
