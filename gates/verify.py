"""Verification before any number, check by check; nothing is computed from what fails one.

An incomplete grid is not an error of anybody's: it is reported with shard counts alone. Everything
else that is wrong is listed under the name of the check that found it. What later checks stand on
comes first, and a stage that finds something is the last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pyarrow as pa

from gates.check import Check, Tell, tell_nobody
from gates.consistency import Episodes, hash_chains, outcomes, sequences
from gates.exchange import exchanges
from gates.finding import refuse
from gates.gold_trace import gold_traces
from gates.interference import non_interference
from gates.reranking import Rankings
from gates.results import Results
from gates.rows import Rows
from gates.setting import Setting
from gates.shards import Part, finished, pinned, read_part
from gates.state_contract import state_contract
from gates.usage import provider_usage
from harness.folder import StudyFolder
from harness.manifest import StudyRecord
from harness.schema import TABLES
from surface.catalog import Catalog
from surface.task import Task


def verify(
    folder: StudyFolder,
    *,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    tell: Tell = tell_nobody,
) -> Results:
    """Read a study's results and check that they are whole, unaltered and what belongs here.

    Parameters
    ----------
    folder
        Where the results lie.
    expected
        What this command computes for the study itself; its number of shards plays no part.
    tasks, catalogs
        The surface that the study ran on.
    tell
        Is told of each check.

    Raises
    ------
    NotTerminalError
        If a shard is missing; the message has shard counts and no outcome.
    IntegrityError
        If anything else is wrong; the message lists it under the names of the checks.
    OSError
        If the system refuses.

    Notes
    -----
    The decisions of the executor are not among the checks: how many of them the auditor confirms is
    a metric and a rule of the gate (protocol, sections 5 and 6), see `gates.audit`.
    """
    done: list[Check] = []

    def stage(*checks: Check) -> None:
        done.extend(checks)
        for check in checks:
            tell(check)
        refuse(checks)

    record, check = pinned(folder, expected)
    stage(check)
    parts, check = finished(folder, record)
    stage(check)
    rows, checks = _read(folder, parts)
    stage(*checks)
    setting = Setting.of(expected.config, expected.agent, tasks, catalogs)
    stage(rows.grid(setting.keys))
    episodes, digest = rows.gather(setting.keys), rows.digest
    stage(sequences(episodes, setting))
    stage(*episode_checks(episodes, setting))
    manifests = tuple(part.manifest for part in parts)
    usage = {key: provider_usage(item.exchanges) for key, item in episodes.items()}
    # What was asked and answered has said all that it can.
    kept = {key: replace(item, exchanges=()) for key, item in episodes.items()}
    return Results(record, manifests, kept, digest, usage, tuple(done))


def episode_checks(
    episodes: Episodes, setting: Setting, rankings: Rankings | None = None
) -> tuple[Check, ...]:
    """Return the checks of what the episodes' rows hold, once none of them is missing."""
    rankings = rankings or Rankings(setting)
    return (
        hash_chains(episodes),
        state_contract(episodes),
        *non_interference(episodes, setting, rankings),
        gold_traces(episodes, setting, rankings),
        *exchanges(episodes, setting),
        outcomes(episodes, setting),
    )


def _read(folder: StudyFolder, parts: tuple[Part, ...]) -> tuple[Rows, tuple[Check, Check]]:
    """Read all tables; one shard's at a time is held as Arrow."""
    rows = Rows()
    damaged: list[str] = []
    differing: list[str] = []
    for part in parts:
        tables = read_part(folder, part, damaged)
        digest = rows.add(tables)
        if set(tables) == set(TABLES) and digest != part.manifest.logical_digest:
            differing.append(f"{part.path} has another logical digest than its tables")
        del tables
        # Arrow keeps what it once had, for each of its threads.
        pa.default_memory_pool().release_unused()
    return rows, (
        Check.of("tables", len(parts) * len(TABLES), "tables", damaged),
        Check.of("digests", len(parts), "shards", differing),
    )
