"""The terminal record: what a study came to, as plain JSON (results/README.md).

All of it but ``latency``, ``timing`` and the count of attempts follows from the rows that the
digest covers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from gates.estimate import Estimates, ends
from gates.gate import Gate
from gates.metric_table import COLUMNS, METRICS, Metric
from gates.nested import Path, nested
from gates.number import Json, plain
from gates.results import Results
from gates.timing import timing
from gates.usage import ProviderUsage
from harness.grid import EpisodeKey
from harness.schema import SCHEMA_VERSION

_TIMES = ("wall_latency_ms", "retrieval_ms", "model_ms", "executor_ms")

Tree = dict[str, "Json"]


@dataclass(frozen=True)
class Tally:
    """Every episode's counts, in the order of the keys."""

    keys: Sequence[EpisodeKey]
    columns: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Slice:
    """Some of a condition's episodes, by position."""

    path: tuple[str, ...]
    """Such as ``("catalog", "100")``."""
    positions: tuple[int, ...]


def terminal_record(
    results: Results,
    tally: Tally,
    estimates: Estimates,
    gate: Gate,
    beside: Tree,
    attempts: Mapping[str, int],
) -> Tree:
    """Return the terminal record of a study.

    Parameters
    ----------
    results
        The verified rows.
    tally
        The counts of their episodes.
    estimates, gate
        What was estimated and decided from them.
    beside
        The analyses that decide nothing, see `gates.sensitivity.sensitivity`.
    attempts
        How the attempts at the shards ended, from the ledger.
    """
    record = results.record
    metrics: dict[Path, Json] = {}
    denominators: dict[Path, Json] = {}
    latency: dict[Path, Json] = {}
    usage: dict[Path, Json] = {}
    undefined: Tree = {}
    for condition in dict.fromkeys(key.condition for key in tally.keys):
        for part in slices(results, tally.keys, condition):
            values, counts = _measure(tally, part)
            path = (condition, *part.path)
            metrics[path], denominators[path] = values, counts
            latency[path] = _times(results, tally, part)
            usage[path] = _usage(results, tally, part)
            for name in (name for name, value in values.items() if value is None):
                undefined[".".join(("metrics", *path, name))] = undefined_reason(METRICS[name])
    intervals, reasons = intervals_of(estimates)
    return {
        "schema_version": SCHEMA_VERSION,
        "study": record.study,
        "split": record.split,
        "development": record.development,
        "identity": record.identity,
        "components": dict(record.components),
        "agent": dict(record.agent),
        "evidence": record.evidence,
        "digest": results.digest,
        "counts": {
            "episodes": len(results.episodes),
            "tasks": len({key.task_id for key in results.episodes}),
            "shards": record.shards,
            "attempts": dict(attempts),
        },
        "plan": estimates.plan.to_json(),
        "gate": {"passed": gate.passed, "rules": [rule.to_json() for rule in gate.rules]},
        "sensitivity": beside,
        "metrics": nested(metrics),
        "denominators": nested(denominators),
        "intervals": intervals,
        "contrasts": [
            item.to_json()
            for item in estimates.by_key.values()
            if item.estimand.comparator is not None
        ],
        "undefined": undefined | reasons,
        "latency": nested(latency),
        "timing": timing(results.manifests),
        "usage": nested(usage),
    }


def slices(results: Results, keys: Sequence[EpisodeKey], condition: str) -> tuple[Slice, ...]:
    """Return a condition's episodes: overall, by catalog, by stratum and by language."""
    groups: dict[tuple[str, ...], list[int]] = {("overall",): []}
    for position, key in enumerate(keys):
        if key.condition != condition:
            continue
        episode = results.episodes[key].episode
        groups[("overall",)].append(position)
        for path in (
            ("catalog", str(key.catalog_size)),
            ("stratum", episode["stratum"]),
            ("language", episode["language"]),
        ):
            groups.setdefault(path, []).append(position)
    return tuple(Slice(path, tuple(positions)) for path, positions in groups.items())


def undefined_reason(metric: Metric) -> str:
    """Return why a metric has no value."""
    return f"not estimable: these episodes have none of these: {COLUMNS[metric.denominator]}"


def _measure(tally: Tally, part: Slice) -> tuple[Tree, Tree]:
    """Return each metric's value, None where it has none, and its denominator."""
    values: Tree = {}
    counts: Tree = {}
    for key, metric in METRICS.items():
        above, below = (_sum(tally, name, part) for name in (metric.numerator, metric.denominator))
        values[key] = plain(Fraction(above, below)) if below else None
        counts[key] = below
    return values, counts


def _times(results: Results, tally: Tally, part: Slice) -> Tree:
    """Return mean milliseconds of an episode and of its parts."""
    rows = [results.episodes[tally.keys[position]].episode for position in part.positions]
    return {name: fmean(row[name] for row in rows) for name in _TIMES}


def _usage(results: Results, tally: Tally, part: Slice) -> Tree:
    """Return what the provider counted, summed."""
    counted = (results.usage[tally.keys[position]] for position in part.positions)
    return sum(counted, ProviderUsage()).to_json()


def _sum(tally: Tally, column: str, part: Slice) -> int:
    if column == "episodes":
        return len(part.positions)
    values = tally.columns[column]
    return sum(values[position] for position in part.positions)


def intervals_of(estimates: Estimates) -> tuple[Tree, Tree]:
    """Return both intervals of every metric of every condition, and why any is missing."""
    found: dict[Path, Json] = {}
    reasons: Tree = {}
    for item in estimates.by_key.values():
        if item.estimand.comparator is not None:
            continue
        path = (item.estimand.condition, item.estimand.metric.key)
        found[path] = {"primary": ends(item.primary), "companion": ends(item.companion)}
        if item.reason is not None:
            reasons[".".join(("intervals", *path))] = item.reason
    return nested(found), reasons
