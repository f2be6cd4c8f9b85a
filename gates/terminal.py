"""The terminal record: what a study came to, as plain JSON (results/README.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from gates.estimate import Estimates
from gates.gate import Gate
from gates.metric_table import METRICS, Metric
from gates.number import Json
from gates.results import Results
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
    attempts
        How the attempts at the shards ended, from the ledger.
    """
    record = results.record
    metrics: Tree = {}
    denominators: Tree = {}
    undefined: dict[str, Json] = {}
    for condition in dict.fromkeys(key.condition for key in tally.keys):
        for part in slices(results, tally.keys, condition):
            values, counts = _measure(results, tally, part)
            path = (condition, *part.path)
            _put(metrics, path, {name: value for name, (value, _) in values.items()})
            _put(denominators, path, counts)
            for name, (_, reason) in values.items():
                if reason is not None:
                    undefined[".".join((*path, name))] = reason
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
        "gate": gate.to_json(),
        "metrics": metrics,
        "denominators": denominators,
        "intervals": _levels(estimates),
        "contrasts": [
            item.to_json()
            for item in estimates.by_key.values()
            if item.estimand.comparator is not None
        ],
        "undefined": undefined,
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
    return f"not estimable: no {metric.denominator} among these episodes"


def _measure(
    results: Results, tally: Tally, part: Slice
) -> tuple[dict[str, tuple[float | None, str | None]], dict[str, Json]]:
    """Return each metric's value or the reason that it has none, and its denominator."""
    values: dict[str, tuple[float | None, str | None]] = {}
    counts: dict[str, Json] = {}
    for key, metric in METRICS.items():
        above, below = (_sum(tally, name, part) for name in (metric.numerator, metric.denominator))
        counts[key] = below
        if below:
            values[key] = (float(Fraction(above, below)), None)
        else:
            values[key] = (None, undefined_reason(metric))
    rows = [results.episodes[tally.keys[position]].episode for position in part.positions]
    for name in _TIMES:
        values[name] = (fmean(row[name] for row in rows), None)
        counts[name] = len(rows)
    return values, counts


def _sum(tally: Tally, column: str, part: Slice) -> int:
    if column == "episodes":
        return len(part.positions)
    values = tally.columns[column]
    return sum(values[position] for position in part.positions)


def _levels(estimates: Estimates) -> Tree:
    tree: Tree = {}
    for item in estimates.by_key.values():
        if item.estimand.comparator is None:
            figures = item.to_json()
            path = (item.estimand.condition, item.estimand.metric.key)
            names = ("interval", "companion_interval", "reason")
            _put(tree, path, {name: figures[name] for name in names})
    return tree


def _put(tree: Tree, path: Sequence[str], value: Json) -> None:
    """Put a value at a path of a tree; where both are trees, they grow together."""
    node = tree
    for name in path[:-1]:
        child = node.setdefault(name, {})
        if not isinstance(child, dict):
            raise TypeError(f"{name} is not a branch")
        node = child
    node[path[-1]] = value
