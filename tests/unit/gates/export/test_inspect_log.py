"""Inspect's own reader finds every episode in the logs, with its messages, calls and scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from gates.export.inspect_log import SCORES, logs, write_logs
from gates.metric_table import METRICS
from tests.support.finished import shop

# Inspect's event loop leaves its sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, int], EvalLog]:
    folder: Path = tmp_path_factory.mktemp("inspect")
    write_logs(shop(), folder)
    found = [read_eval_log(str(path)) for path in sorted(folder.glob("*.eval"))]
    return {
        (log.eval.metadata["condition"], log.eval.metadata["catalog_size"]): log
        for log in found
        if log.eval.metadata is not None
    }


def samples(read: Mapping[tuple[str, int], EvalLog]) -> dict[tuple[str, int, str], EvalSample]:
    return {
        (str(item.id), k[1], k[0]): item for k, log in read.items() for item in log.samples or ()
    }


def test_there_is_a_log_of_every_condition_and_catalog(read: Mapping[Any, EvalLog]) -> None:
    assert set(read) == {(name, size) for name in shop().conditions for size in (4, 5)}
    for log in read.values():
        assert log.status == "success"
        assert log.eval.model == "scripted"
        assert log.eval.tags == ["exploratory, the scripted agent"]
        about = log.eval.metadata or {}
        assert (about["evidence"], about["development"]) == ("instrument", True)
        assert "a check of the instrument" in about["answered"]
        assert about["digest"] == shop().results.digest


def test_every_episode_is_a_sample_with_its_outcome(read: Mapping[Any, EvalLog]) -> None:
    found = samples(read)
    assert set(found) == {tuple(key) for key in shop().tally.keys}
    for place, key in enumerate(shop().tally.keys):
        sample, episode = found[tuple(key)], shop().results.episodes[key].episode
        assert sample.input == shop().tasks[key.task_id].query
        assert sample.target == episode["gold_required_routes"]
        scores = sample.scores or {}
        assert scores["task_pass"].value == ("C" if episode["task_pass"] else "I")
        for name in SCORES[1:]:
            above, below = (
                shop().count(column, place)
                for column in (METRICS[name].numerator, METRICS[name].denominator)
            )
            # What is undefined for an episode has no score, and none of 0.
            assert (name in scores) is (below > 0)
            assert not below or scores[name].value == pytest.approx(above / below)


def test_the_figures_over_samples_are_those_of_the_record(read: Mapping[Any, EvalLog]) -> None:
    for (condition, size), log in read.items():
        figures = shop().terminal["metrics"][condition]["catalog"][str(size)]
        assert log.results is not None
        found = {score.name: score.metrics["value"].value for score in log.results.scores}
        assert found == {name: figures[name] for name in SCORES if figures[name] is not None}


def test_calls_are_answered_and_what_does_not_parse_is_said(read: Mapping[Any, EvalLog]) -> None:
    malformed = 0
    for key, sample in samples(read).items():
        asked = [call for m in sample.messages for call in getattr(m, "tool_calls", None) or ()]
        answers = [m for m in sample.messages if m.role == "tool"]
        rows = shop().results.episodes[next(k for k in shop().tally.keys if tuple(k) == key)].turns
        logged = [call for row in rows if not row["malformed"] for call in row["calls"]]
        assert [call.function for call in asked] == [call["name"] for call in logged]
        assert [answer.tool_call_id for answer in answers] == [call.id for call in asked]
        assert [answer.function for answer in answers] == [call.function for call in asked]
        malformed += sum(row["malformed"] for row in rows)
        assert [turn["turn"] for turn in sample.metadata["turns"]] == [r["turn"] for r in rows]
    assert malformed


def test_the_same_study_has_the_same_logs() -> None:
    first, second = (next(iter(logs(shop()))) for _ in range(2))
    assert first.model_dump() == second.model_dump()
