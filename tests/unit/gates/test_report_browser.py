"""What the episode browser is given: everything that rows say, compact, and sampled by task."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from gates.counts import failure_cause
from gates.metric_table import CAUSES
from gates.report.browser import (
    ACCEPTED,
    ADVANCED,
    LONGEST,
    MALFORMED,
    OUTCOMES,
    PARALLEL,
    browser_data,
    browser_json,
)
from gates.report.browser_sample import sampling_order
from gates.report.browser_state import Change, changes
from gates.results import EpisodeRows
from harness.grid import EpisodeKey
from harness.toolname import tool_name
from surface.task import LANGUAGES, STRATA, Task
from tests.support.rows import altered, rows_by_key
from tests.support.shop_study import record_of, records, tasks

Episodes = dict[EpisodeKey, EpisodeRows]
STUDY = record_of().config["study"]
TIMES = ("wall_latency_ms", "retrieval_ms", "model_ms", "executor_ms")


@pytest.fixture(scope="module")
def episodes() -> Episodes:
    return rows_by_key(records().values())


def data_of(episodes: Mapping[EpisodeKey, EpisodeRows], **options: Any) -> dict[str, Any]:
    """The data as a page reads it."""
    told = browser_json(browser_data(STUDY, episodes, tasks(), **options))
    data: dict[str, Any] = json.loads(told)
    return data


class Reader:
    """Reads what was written, by its description alone."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def text(self, place: int) -> Any:
        return self.data["texts"][place]

    def many(self, place: int) -> list[Any]:
        return self.data["lists"][place] or []

    def texts(self, place: int) -> list[Any]:
        return [self.text(one) for one in self.many(place)]

    def episodes(self) -> dict[EpisodeKey, dict[str, Any]]:
        data, start, found = self.data, 0, {}
        for row in _records(data["episodes"]):
            task = data["tasks"][row["task"]]
            catalog, condition = (
                data["catalogs"][row["catalog"]],
                data["conditions"][row["condition"]],
            )
            rows = {
                name: values[start : start + row["turns"]] for name, values in data["turns"].items()
            }
            start += row["turns"]
            outcome = data["outcomes"][row["outcome"]]
            found[EpisodeKey(task["id"], catalog, condition)] = {
                "stratum": data["strata"][task["stratum"]],
                "language": data["languages"][task["language"]],
                "task_pass": outcome == "passed",
                "cause": None if outcome == "passed" else outcome,
                "ending": self.text(row["ending"]),
                "completed_steps": row["completed"],
                "completed_at_turn": row["completed_at"] or None,
                "missed": row["missed"],
                "turns": [self.turn(one) for one in _records(rows)],
            }
        return found

    def turn(self, row: Mapping[str, int]) -> dict[str, Any]:
        return {
            "exposure": self.texts(row["exposure"]),
            "ranking_head": self.texts(row["head"]),
            "gold_next_route": self.text(row["needed"]),
            "gold_next_rank": row["rank"] or None,
            "schema_tokens": row["schema_tokens"],
            "input_tokens": row["input_tokens"],
            "accepted": bool(row["flags"] & ACCEPTED),
            "malformed": bool(row["flags"] & MALFORMED),
            "advanced": bool(row["flags"] & ADVANCED),
            "text": self.text(row["text"]),
            "calls": [self.call(*self.data["calls"][place]) for place in self.many(row["calls"])],
            "observation": self.text(row["observation"]),
            "changes": [
                Change(
                    self.text(name), tuple(map(self.text, removed)), tuple(map(self.text, added))
                )
                for name, removed, added in (
                    self.data["changes"][place] for place in self.many(row["changes"])
                )
            ],
        }

    def call(self, *values: int) -> dict[str, Any]:
        route, written, arguments, decision, status, error, flags, approval = values
        return {
            "route": self.text(route),
            "name": self.text(written) if written else tool_name(self.text(route)),
            "arguments": self.text(arguments),
            "decision": self.text(decision),
            "status": self.text(status),
            "error": self.text(error),
            "parallel": bool(flags & PARALLEL),
            "approval": approval - 1 if approval else None,
        }


def _records(columns: Mapping[str, list[int]]) -> list[dict[str, int]]:
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]


def expected(item: EpisodeRows) -> dict[str, Any]:
    """What the rows say, taken from them without the writer."""
    row = item.episode
    same = ("stratum", "language", "task_pass", "ending", "completed_steps", "completed_at_turn")
    return {
        **{name: row[name] for name in same},
        "cause": None if row["task_pass"] else failure_cause(item),
        "missed": len(set(row["gold_required_routes"]) - set(row["initial_exposure"])),
        "turns": [_expected_turn(item, turn) for turn in item.turns],
    }


def _expected_turn(item: EpisodeRows, turn: Mapping[str, Any]) -> dict[str, Any]:
    before = [state for state in item.transitions if state["turn"] < turn["turn"]][-1]
    after = [state for state in item.transitions if state["turn"] == turn["turn"]]
    same = (
        "exposure", "gold_next_route", "schema_tokens", "input_tokens", "accepted", "malformed",
        "text",
    )  # fmt: skip
    return {
        **{name: turn[name] for name in same},
        "ranking_head": before["ranking_head"],
        "gold_next_rank": before["gold_next_rank"],
        "advanced": any(state["advanced"] for state in after),
        "calls": [
            {name: value for name, value in call.items() if name != "call_id"}
            for call in turn["calls"]
        ],
        "observation": after[0]["observation"] if after else None,
        "changes": list(changes(before["state"], after[0]["state"])) if after else [],
    }


def test_everything_of_every_episode_can_be_read_back(episodes: Episodes) -> None:
    data = data_of(episodes)
    read = Reader(data).episodes()
    assert read == {key: expected(item) for key, item in episodes.items()}
    # The study meets what there is to tell: else the comparison would say little.
    turns = [turn for item in read.values() for turn in item["turns"]]
    calls = [call for turn in turns for call in turn["calls"]]
    assert (
        {turn["accepted"] for turn in turns}
        == {turn["malformed"] for turn in turns}
        == {True, False}
    )
    assert {call["parallel"] for call in calls} == {True, False}
    assert {call["approval"] for call in calls} == {None, 0}
    assert data["counts"] == {"tasks": 4, "all_tasks": 4, "episodes": 40, "all_episodes": 40}


def test_each_cause_of_a_failure_has_its_words() -> None:
    assert tuple(OUTCOMES) == ("passed", *CAUSES)


def test_tasks_are_told_with_their_steps(episodes: Episodes) -> None:
    data = data_of(episodes)
    for told in data["tasks"]:
        task = tasks()[told["id"]]
        assert [data["texts"][place] for place in told["steps"]] == [s.route for s in task.steps]
        assert (told["query"], told["gloss"]) == (task.query, task.gloss)


def test_conditions_stand_in_the_order_of_the_study(episodes: Episodes) -> None:
    data = data_of(dict(reversed(episodes.items())))
    assert data == data_of(episodes)
    assert data["episodes"]["condition"][:5] == [0, 1, 2, 3, 4]


def test_measured_times_play_no_part(episodes: Episodes) -> None:
    def slower(item: EpisodeRows) -> None:
        for row in (item.episode, *item.turns):
            row.update({name: row[name] + 1.0 for name in TIMES if name in row})

    slow = {key: altered(item, slower) for key, item in episodes.items()}
    assert slow != episodes
    assert data_of(slow) == data_of(episodes)


def test_a_long_text_is_cut_and_says_so(episodes: Episodes) -> None:
    key = next(iter(episodes))

    def rave(item: EpisodeRows) -> None:
        item.turns[0].update(text="x" * 12_345)

    read = Reader(data_of({key: altered(episodes[key], rave)})).episodes()
    assert read[key]["turns"][0]["text"] == (
        "x" * LONGEST + "… (cut here: the table has 12,345 characters)"
    )


def test_json_cannot_end_the_element_that_holds_it() -> None:
    data = {"text": "</script><!-- <script>\u2028\0\U0001f600"}
    told = browser_json(data)
    assert "<" not in told
    assert json.loads(told) == data


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.8, 0.999, 1.0])
def test_a_large_study_is_sampled_by_task_within_the_budget(
    episodes: Episodes, share: float
) -> None:
    whole = len(browser_json(data_of(episodes)).encode())
    budget = int(whole * share)
    data = data_of(episodes, budget=budget)
    counts = data["counts"]
    # Without a task what remains are the names of the axes.
    assert len(browser_json(data).encode()) <= max(budget, 1_500)
    assert (counts["all_tasks"], counts["all_episodes"]) == (4, 40)
    assert counts["episodes"] == 10 * counts["tasks"] == len(data["episodes"]["task"])
    assert (counts["tasks"] == 4) == (share == 1.0)
    names = [task["id"] for task in data["tasks"]]
    assert sorted(names) == sorted(sampling_order(tasks(), tasks())[: counts["tasks"]])


def test_every_beginning_of_the_sample_is_spread_over_the_cells() -> None:
    pattern = next(iter(tasks().values()))
    many = {
        f"t-{number}": pattern.model_copy(
            update={
                "id": f"t-{number}",
                "stratum": STRATA[number % 5],
                "language": LANGUAGES[number // 5 % 6],
            }
        )
        for number in range(180)
    }
    order = sampling_order(many, many)
    assert sorted(order) == sorted(many)
    for size in range(len(order) + 1):
        cells = Counter(_cell(many[name]) for name in order[:size])
        counts = [cells[cell] for cell in {_cell(task) for task in many.values()}]
        assert max(counts) - min(counts) <= 1
    # Chance decides within a cell, the same on every machine and whatever order tasks come in.
    assert order == sampling_order(many, reversed(many))
    assert list(order[:30]) != [f"t-{number}" for number in range(30)]


def _cell(task: Task) -> tuple[str, str]:
    return task.stratum, task.language


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": "x"}, {"a": "y"}, [Change("a", ("x",), ("y",))]),
        ({"a": None}, {"a": "y"}, [Change("a", (), ("y",))]),
        ({"a": "x"}, {"a": None}, [Change("a", ("x",), ())]),
        ({"a": True}, {"a": False}, [Change("a", ("true",), ("false",))]),
        ({"a": ["x", "y"]}, {"a": ["y", "z"]}, [Change("a", ("x",), ("z",))]),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, [Change("a", ("x", "y"), ("y", "x"))]),
        (
            {"b": [], "a": []},
            {"b": ["é"], "a": [1]},
            [Change("a", (), ("1",)), Change("b", (), ("é",))],
        ),
    ],
)
def test_a_change_is_what_went_and_came(before: Any, after: Any, found: list[Change]) -> None:
    assert list(changes(json.dumps(before), json.dumps(after))) == found
