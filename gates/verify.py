"""Verification before any number: manifests, completeness, digests, hash chains, consistency.

An incomplete grid is not an error of anybody's: it is reported with shard counts alone. Everything
else that is wrong is listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

import pyarrow as pa

from gates.consistency import contradictions
from gates.finding import episode_name, refuse
from gates.results import EpisodeRows, Results, Row
from harness.disk import is_there, listing
from harness.error import IntegrityError, NotTerminalError
from harness.folder import StudyFolder
from harness.grid import EpisodeKey, Shard
from harness.manifest import Manifest, StudyRecord, read_record
from harness.pin import check_pin, read_pin
from harness.schema import KEY, ORDER, TABLES
from harness.store import file_sha256, read_table
from harness.table import logical_digest


def verify(folder: StudyFolder, *, expected: StudyRecord, keys: Collection[EpisodeKey]) -> Results:
    """Read a study's results and check that they are whole, unaltered and what belongs here.

    Parameters
    ----------
    folder
        Where the results lie.
    expected
        What this command computes for the study itself; its number of shards plays no part.
    keys
        The grid: every episode that has to be there, and no other.

    Raises
    ------
    NotTerminalError
        If a shard is missing; the message has shard counts and no outcome.
    IntegrityError
        If anything else is wrong; the message lists it, at most `gates.finding.MOST_SHOWN` lines.
    OSError
        If the system refuses.
    """
    record = _pinned(folder, expected)
    manifests = _manifests(folder, record)
    tables: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
    problems: list[str] = []
    for manifest in manifests:
        shard = Shard(manifest.shard_index, manifest.shard_count)
        parts = _shard_tables(folder, shard, manifest, problems)
        for name, table in parts.items():
            tables[name].append(table)
    refuse(problems)
    rows = {name: _rows(parts, name) for name, parts in tables.items()}
    refuse(_grid_problems(rows, keys))
    episodes = _gather(rows, keys)
    refuse(
        f"episode {episode_name(key)}: {text}"
        for key, item in episodes.items()
        for text in contradictions(key.condition, item)
    )
    return Results(record, manifests, episodes, logical_digest(tables))


def _pinned(folder: StudyFolder, expected: StudyRecord) -> StudyRecord:
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
    return record


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
            for name in sorted({*components, *expected.components})
            if (old := components.get(name, "none"))
            != (new := expected.components.get(name, "none"))
        )
        yield f"{place.name[:12]} ({', '.join(differing) or 'of equal components'})"


def _manifests(folder: StudyFolder, record: StudyRecord) -> tuple[Manifest, ...]:
    """Read every manifest; refuse an incomplete or a mixed set."""
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
            if (manifest.shard_index, manifest.shard_count) != (shard.index, shard.count):
                named = f"shard {manifest.shard_index} of {manifest.shard_count}"
                problems.append(f"{path} is the manifest of {named}")
            elif (manifest.identity, manifest.study) != (record.identity, record.study):
                problems.append(f"{path} is of another study or identity")
            if folder.is_finished(shard):
                found[shard.index] = manifest
    if not problems:
        refuse(strangers, "Remove this file." if len(strangers) == 1 else "Remove these files.")
    refuse((*strangers, *problems))
    missing = [index for index in range(record.shards) if index not in found]
    if missing:
        raise NotTerminalError(
            f"{len(found)} of {record.shards} shards are finished.",
            f"Run the missing ones, such as shard {missing[0]}; nothing is shown before.",
        )
    return tuple(found[index] for index in range(record.shards))


def _shard_tables(
    folder: StudyFolder, shard: Shard, manifest: Manifest, problems: list[str]
) -> dict[str, pa.Table]:
    """Read a shard's tables and hold them against their manifest."""
    tables: dict[str, pa.Table] = {}
    if set(manifest.tables) != set(TABLES):
        problems.append(f"{folder.manifest(shard)} does not list the study's tables")
        return tables
    for name, schema in TABLES.items():
        path, entry = folder.table(name, shard), manifest.tables[name]
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
    whole = set(tables) == set(TABLES)
    if whole and logical_digest({name: [part] for name, part in tables.items()}) != (
        manifest.logical_digest
    ):
        problems.append(f"{folder.manifest(shard)} has another logical digest than its tables")
    episodes = manifest.tables["episodes"]
    if (manifest.rows, manifest.sha256) != (episodes.rows, episodes.sha256):
        problems.append(f"{folder.manifest(shard)} contradicts itself")
    return tables


def _rows(parts: list[pa.Table], name: str) -> dict[EpisodeKey, list[Row]]:
    """Group a table's rows by episode, each group in the table's order."""
    grouped: dict[EpisodeKey, list[Row]] = defaultdict(list)
    for part in parts:
        for row in part.to_pylist():
            grouped[EpisodeKey(*(row[column] for column in KEY))].append(row)
    order = ORDER[name]
    for rows in grouped.values():
        rows.sort(key=lambda row: tuple(row[column] for column in order))
    return grouped


def _grid_problems(
    rows: Mapping[str, Mapping[EpisodeKey, list[Row]]], keys: Collection[EpisodeKey]
) -> Iterator[str]:
    wanted, episodes = set(keys), rows["episodes"]
    for key in sorted(wanted - set(episodes)):
        yield f"episode {episode_name(key)} is missing though its shard is finished"
    for name, grouped in rows.items():
        for key in sorted(set(grouped) - wanted):
            yield f"{name} of episode {episode_name(key)} are not of this study"
    for key, found in sorted(episodes.items()):
        if len(found) > 1:
            yield f"episode {episode_name(key)} stands {len(found)} times"


def _gather(
    rows: Mapping[str, Mapping[EpisodeKey, list[Row]]], keys: Collection[EpisodeKey]
) -> dict[EpisodeKey, EpisodeRows]:
    def of(name: str, key: EpisodeKey) -> tuple[Row, ...]:
        return tuple(rows[name].get(key, ()))

    return {
        key: EpisodeRows(
            episode=rows["episodes"][key][0],
            turns=of("turns", key),
            transitions=of("transitions", key),
            traces=of("gold_traces", key),
        )
        for key in sorted(keys)
    }
