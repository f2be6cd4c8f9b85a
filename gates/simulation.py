"""Aggregating the results of a simulated agent: for load and for design, never terminal.

A simulated agent knows the gold, so that nothing it does is evidence. Its results are verified and
counted as any others are, but shard by shard, and come to a record of their own that nothing takes
for a terminal one: another name, another folder, no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gates.computation import attempts, plan
from gates.estimand import estimands
from gates.estimator import estimate
from gates.nested import nested
from gates.number import Json
from gates.setting import Setting
from gates.shards import Part, finished, pinned
from gates.stream import ShardReader, Sums
from gates.summary import condition_lines
from gates.terminal import intervals_of
from harness.disk import remove_whole, write_whole
from harness.error import ConfigError
from harness.folder import StudyFolder
from harness.manifest import StudyRecord
from harness.schema import SCHEMA_VERSION
from router.canonical import canonical_json, digest
from surface.catalog import Catalog
from surface.task import Task

LABEL: Final = "simulation: never terminal, never evidence"


def aggregate_simulation(
    folder: StudyFolder,
    *,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Verify and count the results of a simulated agent; write ``simulation/simulation.json``.

    Parameters
    ----------
    folder
        Where the results lie.
    expected
        What this command computes for the study itself.
    tasks, catalogs
        The study's surface.
    progress
        Called with the number of episodes that were added.

    Returns
    -------
    dict
        The content of the record (results/README.md).

    Raises
    ------
    ConfigError
        If something else answered.
    NotTerminalError
        If a shard is missing.
    IntegrityError
        If what is there is not what was written.
    InfrastructureError, OSError
        If the plant fails.
    """
    if expected.evidence != "simulation":
        raise ConfigError(
            f"The agent {expected.agent.get('kind')} is no simulation.",
            "Aggregate its results without --simulation.",
        )
    # What an earlier state of the shards came to is shown no longer.
    remove_whole(folder.simulation)
    record, _ = pinned(folder, expected)
    parts, _ = finished(folder, record)
    setting = Setting.of(expected.config, expected.agent, tasks, catalogs)
    sums = _summed(ShardReader.of(folder, setting), parts, progress)
    study = record.config["study"]
    estimates = estimate(sums.sample(), estimands(study["conditions"]), plan(study["analysis"]))
    measured = list(sums.metrics())
    levels, reasons = intervals_of(estimates)
    result: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "label": LABEL,
        "study": record.study,
        "split": record.split,
        "identity": record.identity,
        "agent": dict(record.agent),
        "evidence": record.evidence,
        # Of the digests of all shards: those of all rows would not fit a memory.
        "shards_digest": digest([part.manifest.logical_digest for part in parts]),
        "counts": {
            "episodes": sum(part.manifest.rows for part in parts),
            "tasks": len(tasks),
            "shards": record.shards,
            "attempts": dict(attempts(folder, record)),
        },
        "plan": estimates.plan.to_json(),
        "metrics": nested({path: values for path, values, _, _ in measured}),
        "denominators": nested({path: counts for path, _, counts, _ in measured}),
        "intervals": levels,
        "contrasts": [
            item.to_json()
            for item in estimates.by_key.values()
            if item.estimand.comparator is not None
        ],
        "undefined": {
            **{
                ".".join(("metrics", *path, name)): reason
                for path, _, _, why in measured
                for name, reason in why.items()
            },
            **reasons,
        },
    }
    content = canonical_json(result) + b"\n"
    write_whole(folder.simulation / "simulation.json", lambda stream: stream.write(content))
    return result


def _summed(reader: ShardReader, parts: Sequence[Part], progress: Callable[[int], None]) -> Sums:
    """Add up all shards; neither their rows nor what read them outlives this."""
    sums = Sums.of(reader.setting)
    for part in parts:
        episodes = reader.read(part)
        sums.add(episodes)
        progress(len(episodes))
    return sums


def simulation_lines(record: Mapping[str, Json]) -> list[str]:
    """Return the record as lines that a person reads."""
    counts = record["counts"]
    if not isinstance(counts, dict):
        raise TypeError("a record has counts")
    return [
        f"Study {record['study']}, split {record['split']}, {counts['tasks']:,} tasks, "
        f"{counts['episodes']:,} episodes",
        f"Answered by a simulated agent ({LABEL})",
        f"Identity {record['identity']}",
        "",
        *condition_lines(record, LABEL),
    ]
