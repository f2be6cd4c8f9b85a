"""The terminal record has the shape that results/README.md writes down, and its figures add up."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.bundle import TERMINAL_KEYS
from gates.metric_table import CONDITIONS, METRICS, STATE_AWARE
from gates.terminal import undefined_reason
from harness.grid import Shard
from harness.ledger import Ledger
from harness.schema import SCHEMA_VERSION
from router.canonical import canonical_json
from tests.support.shop_study import ShopStudy, Tables, catalogs, record_of, records, tasks
from tests.unit.project.checkout import ROOT

TIMES = ("wall_latency_ms", "retrieval_ms", "model_ms", "executor_ms")
SLICES = {
    ("overall",),
    ("catalog", "4"),
    ("catalog", "5"),
    ("stratum", "three_step_state_dependency"),
    ("stratum", "recoverable_execution_failure"),
    ("language", "en"),
    ("language", "de"),
}


def terminal(study: ShopStudy) -> dict[str, Any]:
    return aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> ShopStudy:
    return ShopStudy.write(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def record(study: ShopStudy) -> dict[str, Any]:
    return terminal(study)


def at(tree: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    for name in path:
        tree = tree[name]
    return tree


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(tree, dict):
        for name, branch in tree.items():
            yield from leaves(branch, (*path, name))
    else:
        yield path, tree


def documented(section: str) -> dict[str, str]:
    """The keys that a table of the README names, with what it says of them."""
    text = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    table = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found: dict[str, str] = {}
    for line in re.findall(r"^\| (`.*?) \|$", table, re.MULTILINE):
        keys, _, meaning = line.partition(" | ")
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", keys), meaning)
    return found


def test_its_keys_are_the_documented_ones(record: dict[str, Any]) -> None:
    assert set(record) == set(documented("terminal.json")) == set(TERMINAL_KEYS)
    assert set(record["counts"]) == {"episodes", "tasks", "shards", "attempts"}
    assert set(record["gate"]) == {"passed", "rules"}


def test_rules_hold_what_is_documented(record: dict[str, Any]) -> None:
    named = set(re.findall(r"`([a-z_]+)`", documented("terminal.json")["gate"]))
    expected = named - {"passed", "rules", "evidence", "instrument"} | {"passed"}
    assert len(record["gate"]["rules"]) == 6
    for rule in record["gate"]["rules"]:
        assert set(rule) == expected
        assert isinstance(rule["id"], str)
        assert isinstance(rule["threshold"], float)
        assert isinstance(rule["passed"], bool)
        assert rule["supported"] in ({None} if rule["role"] == "instrument" else {True, False})
        for name in ("interval", "companion_interval"):
            assert rule[name] is None or [type(end) for end in rule[name]] == [float, float]
        for number in ("value", "threshold"):
            exact = rule[f"{number}_exact"]
            assert rule[number] == (None if exact is None else float(Fraction(exact)))
    assert record["gate"]["passed"] is all(rule["passed"] for rule in record["gate"]["rules"])


def test_the_file_is_canonical_json_of_the_record(study: ShopStudy, record: dict[str, Any]) -> None:
    content = (study.folder.terminal / "terminal.json").read_bytes()
    assert content == canonical_json(record) + b"\n"
    assert json.loads(content) == record
    assert canonical_json(json.loads(content)) + b"\n" == content
    assert b"NaN" not in content
    assert b"Infinity" not in content


def test_what_was_run(record: dict[str, Any]) -> None:
    pinned = record_of()
    assert record["schema_version"] == SCHEMA_VERSION == 2
    for name in ("study", "split", "development", "identity", "components", "agent", "evidence"):
        assert record[name] == getattr(pinned, name)
    assert record["counts"] == {
        "episodes": 40,
        "tasks": 4,
        "shards": 2,
        "attempts": {"finished": 2},
    }
    assert record["plan"]["iterations"] == 200
    assert record["plan"]["seed"] == 20260929
    assert record["plan"]["level"] == "0.95"


def test_times_are_marked_and_tokens_told(record: dict[str, Any]) -> None:
    assert record["timing"] == {
        "processes": 2,
        "episodes_per_process": 1,
        "episodes_at_once": 2,
        "confounded": True,
    }
    for condition in CONDITIONS:
        assert {path[:-1] for path, _ in leaves(record["usage"][condition])} == SLICES
        whole = record["usage"][condition]["overall"]
        assert set(whole) == set(documented("Usage"))
        parts = record["usage"][condition]["catalog"].values()
        assert whole["turns"] == sum(part["turns"] for part in parts) > 0
        # No provider was asked.
        assert (whole["told_turns"], whole["input_tokens"]) == (0, None)
    assert set(record["timing"]) == set(documented("Timing"))


def test_every_metric_of_every_slice_is_a_number_or_null(record: dict[str, Any]) -> None:
    assert set(record["metrics"]) == set(CONDITIONS)
    for tree, names in ((record["metrics"], METRICS), (record["latency"], TIMES)):
        for condition in CONDITIONS:
            paths = {path[:-1] for path, _ in leaves(tree[condition])}
            assert paths == SLICES
            for path in paths:
                assert set(at(tree[condition], path)) == set(names)
    assert {type(value) for _, value in leaves(record["metrics"])} == {float, type(None)}
    assert {type(value) for _, value in leaves(record["denominators"])} == {int}
    assert {type(value) for _, value in leaves(record["latency"])} == {float}
    assert {path for path, _ in leaves(record["metrics"])} == {
        path for path, _ in leaves(record["denominators"])
    }


def test_a_metric_is_null_where_its_denominator_is_0(record: dict[str, Any]) -> None:
    for path, value in leaves(record["metrics"]):
        assert (value is None) is (at(record["denominators"], path) == 0)


def test_every_null_has_its_reason(record: dict[str, Any]) -> None:
    nulls = {
        ".".join(("metrics", *path)) for path, value in leaves(record["metrics"]) if value is None
    }
    for condition, metrics in record["intervals"].items():
        for metric, both in metrics.items():
            assert set(both) == {"primary", "companion"}
            if None in both.values():
                nulls.add(f"intervals.{condition}.{metric}")
    assert set(record["undefined"]) == nulls
    assert all(isinstance(reason, str) and reason for reason in record["undefined"].values())
    for name in ("next_tool_recall_at_5", "gold_trace_recall_at_5"):
        assert record["metrics"]["FULL"]["overall"][name] is None
        assert f"metrics.FULL.overall.{name}" in record["undefined"]
    assert undefined_reason(METRICS["recovery_after_initial_miss"]) == (
        "not estimable: these episodes have none of these:"
        " episodes whose initial exposure lacks a required route"
    )
    for item in record["contrasts"]:
        missing = None in (item["value"], item["interval"], item["companion_interval"])
        assert (item["reason"] is not None) is missing


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("axis", ["catalog", "stratum", "language"])
def test_slices_add_up(record: dict[str, Any], metric: str, axis: str) -> None:
    for condition in CONDITIONS:
        values, counts = (record[name][condition] for name in ("metrics", "denominators"))
        assert counts["overall"][metric] == sum(part[metric] for part in counts[axis].values())
        total = sum(
            round((part[metric] or 0) * counts[axis][name][metric])
            for name, part in values[axis].items()
        )
        overall = counts["overall"][metric]
        assert values["overall"][metric] == (total / overall if overall else None)


def test_figures_are_those_of_the_episodes(record: dict[str, Any]) -> None:
    for condition in CONDITIONS:
        mine = [item for key, item in records().items() if key.condition == condition]
        overall = record["metrics"][condition]["overall"]
        assert record["denominators"][condition]["overall"]["task_pass"] == len(mine) == 8
        assert overall["task_pass"] == sum(item.task_pass for item in mine) / 8
        assert overall["state_completion"] == sum(item.completed_steps for item in mine) / 32
        assert overall["retrieval_calls"] == sum(item.retrieval_calls for item in mine) / 8
        endings = Counter(item.ending for item in mine)
        for ending in ("clean_stop", "third_text", "malformed", "turn_limit", "overflow"):
            assert overall[f"ending_{ending}"] == endings[ending] / 8
        failed = sum(overall[name] for name in overall if name.startswith("cause_"))
        assert failed == 1 - overall["task_pass"]


def test_levels_and_contrasts_are_listed_once_each(record: dict[str, Any]) -> None:
    assert {
        (condition, metric) for condition, of in record["intervals"].items() for metric in of
    } == {(condition, metric) for condition in CONDITIONS for metric in METRICS}
    listed = Counter(
        (item["metric"], item["condition"], item["comparator"], item["contrast"])
        for item in record["contrasts"]
    )
    others = [name for name in CONDITIONS if name != STATE_AWARE]
    assert set(listed.values()) == {1}
    for other in others:
        for metric in METRICS:
            assert (metric, STATE_AWARE, other, "difference") in listed
        for metric in ("tool_schema_tokens", "input_tokens"):
            assert (metric, STATE_AWARE, other, "ratio") in listed
    levels = record["metrics"]
    for item in record["contrasts"]:
        if item["contrast"] == "difference" and item["value"] is not None:
            parts = [
                levels[item[side]]["overall"][item["metric"]]
                for side in ("condition", "comparator")
            ]
            assert item["value"] == pytest.approx(parts[0] - parts[1])


def test_measured_time_stands_in_latency_alone(
    study: ShopStudy, record: dict[str, Any], tmp_path: Path
) -> None:
    other = ShopStudy.copy(study, tmp_path)

    def slower(tables: Tables) -> None:
        for row in tables["episodes"]:
            row.update(wall_latency_ms=8.0, retrieval_ms=1.0, model_ms=4.0, executor_ms=2.0)
        for row in tables["turns"]:
            row["model_ms"] = 1.0

    for index in (0, 1):
        other.forge(slower, index)
    with Ledger(other.folder.attempts(Shard(0, 2))).attempt():
        pass
    again = terminal(other)
    assert again["counts"].pop("attempts") == {"finished": 3}
    assert again.pop("latency")[STATE_AWARE]["catalog"]["4"] == {
        "wall_latency_ms": 8.0,
        "retrieval_ms": 1.0,
        "model_ms": 4.0,
        "executor_ms": 2.0,
    }
    counts = {name: value for name, value in record["counts"].items() if name != "attempts"}
    assert again == {name: value for name, value in record.items() if name != "latency"} | {
        "counts": counts
    }
