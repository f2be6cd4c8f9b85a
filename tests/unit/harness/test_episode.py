"""The episode loop against the protocol, section 4."""

from __future__ import annotations

import itertools
import json

import pytest

from harness.agents.protocol import ContextOverflow, Turn
from harness.episode import Limits
from tests.unit.harness.world import FIND, GET, GOLD, ScriptedAgent, World, call


def test_the_gold_passes_and_stops_cleanly(world: World) -> None:
    record = world.run(ScriptedAgent(GOLD))
    assert record.task_pass
    assert record.ending == "clean_stop"
    assert (record.completed_steps, record.required_steps) == (4, 4)
    assert record.completed_at_turn == 4
    assert [row.status for row in record.transitions] == [
        "not_run",
        "ok",
        "error",
        "ok",
        "executed",
    ]
    assert [row.gold_next_route for row in record.transitions] == [
        "shop.find_orders",
        "shop.get_order",
        "shop.get_order",
        "shop.cancel_order",
        None,
    ]


def test_states_form_a_chain(world: World) -> None:
    rows = world.run(ScriptedAgent(GOLD)).transitions
    assert rows[0].previous_state_sha256 is None
    for before, after in itertools.pairwise(rows):
        assert after.previous_state_sha256 == before.state_sha256
    assert json.loads(rows[1].state)["stable_observed_identifiers"] == ["ORD-1001"]
    assert json.loads(rows[4].state)["task_incomplete_boolean"] is False


def test_the_third_turn_without_a_call_ends_an_incomplete_episode(world: World) -> None:
    agent = ScriptedAgent(["hm", "well", "no"])
    record = world.run(agent)
    assert record.ending == "third_text"
    assert not record.task_pass
    assert len(record.turns) == 3
    said = [message["content"] for message in agent.seen[-1][0] if message["role"] == "user"]
    assert said[1:] == ["TASK_INCOMPLETE", "TASK_INCOMPLETE"]


def test_reminders_come_in_every_condition(world: World) -> None:
    for condition in ("SR-5-STATIC", "SR-PROGRESSIVE-STATIC", "SR-5-STATE-AWARE", "ORACLE"):
        agent = ScriptedAgent(["hm", "well", "no"])
        assert world.run(agent, condition).ending == "third_text"
        assert agent.seen[1][0][-1]["content"] == "TASK_INCOMPLETE"


@pytest.mark.parametrize(
    "arguments", ["{", "[]", "3", '{"a": NaN}', '{"a": 1, "a": 2}', '{"a": 9007199254740993}', ""]
)
def test_a_malformed_turn_is_recorded_and_never_credited(world: World, arguments: str) -> None:
    bad = Turn(None, (call("shop__find_orders", arguments),))
    record = world.run(ScriptedAgent([bad, bad, bad]))
    assert record.ending == "malformed"
    assert all(turn.malformed for turn in record.turns)
    assert record.turns[0].calls[0].arguments == arguments
    assert record.turns[0].calls[0].decision == "malformed"
    assert len(record.transitions) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "logged"),
    [
        ("shop__find_orders", '{"email": "\ud800"}', '\ufffd{"email": "\\ud800"}'),
        ("shop__find_orders", '{"email": "\ud83d\ude00"}', '\ufffd{"email": "\\ud83d\\ude00"}'),
        ("shop__find\ud800", '{"email": "x"}', '\ufffd{"email": "x"}'),
    ],
)
def test_a_surrogate_is_logged_and_malformed(
    world: World, name: str, arguments: str, logged: str
) -> None:
    bad = Turn("\ud800", (call(name, arguments),))
    record = world.run(ScriptedAgent([bad, *GOLD]))
    assert record.turns[0].malformed
    assert record.turns[0].text == "\\ud800"
    assert record.turns[0].calls[0].arguments == logged
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(logged)
    assert record.task_pass


@pytest.mark.parametrize(("depth", "malformed"), [(64, False), (65, True), (5000, True)])
def test_arguments_are_nested_at_most_64_deep(world: World, depth: int, malformed: bool) -> None:
    arguments = '{"x": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"
    deep = Turn(None, (call("shop__find_orders", arguments),))
    assert world.run(ScriptedAgent([deep, *GOLD])).turns[0].malformed is malformed


def test_only_the_first_call_of_a_turn_is_executed(world: World) -> None:
    both = Turn("two at once", (call(*FIND, "a"), call(*GET, "b")))
    agent = ScriptedAgent([both, *GOLD[1:]])
    record = world.run(agent)
    assert record.task_pass
    first, second = record.turns[0].calls
    assert (first.decision, first.parallel) == ("step", False)
    assert (second.decision, second.status, second.parallel) == ("parallel", "error", True)
    answer = json.loads(agent.seen[1][0][-1]["content"])
    assert answer["error"].startswith("parallel_tool_call_requires_observation")
    assert record.transitions[1].completed_steps == 1


def test_an_overflow_ends_and_fails_the_episode(world: World) -> None:
    record = world.run(ScriptedAgent([FIND, ContextOverflow()]))
    assert record.ending == "overflow"
    assert not record.task_pass
    assert [turn.accepted for turn in record.turns] == [True, False]


def test_an_overflow_after_completion_still_fails(world: World) -> None:
    record = world.run(ScriptedAgent([*GOLD[:4], ContextOverflow()]))
    assert record.completed_steps == 4
    assert not record.task_pass


def test_the_turn_limit_ends_an_episode_but_does_not_fail_it(world: World) -> None:
    record = world.run(ScriptedAgent(GOLD), limits=Limits(max_turns=4))
    assert record.ending == "turn_limit"
    assert record.task_pass
    assert record.transitions[-1].turns_remaining == 0


def test_a_text_after_completion_needs_no_reminder(world: World) -> None:
    record = world.run(ScriptedAgent([*GOLD[:4], "done"]))
    assert [turn.text for turn in record.turns] == [None, None, None, None, "done"]


def test_an_unexposed_and_an_unknown_route_get_one_answer(world: World) -> None:
    # Static exposes two of the four endpoints for this query, and not the one that renames.
    rename = ("shop__rename_order", {"order_id": "ORD-1001", "note": "gift"})
    agent = ScriptedAgent([rename, ("shop__nothing", {}), "a", "b", "c"])
    record = world.run(agent, "SR-5-STATIC")
    assert "shop.rename_order" not in record.initial_exposure
    answers = [json.loads(agent.seen[turn][0][-1]["content"]) for turn in (1, 2)]
    assert answers[0] == answers[1]
    assert [turn.calls[0].route for turn in record.turns[:2]] == [
        "shop.rename_order",
        "shop__nothing",
    ]
    assert record.transitions[1].state != record.transitions[0].state
    assert json.loads(record.transitions[2].state)["executed_registered_route_ids"] == []


def test_tools_are_shown_sorted_by_route(world: World) -> None:
    agent = ScriptedAgent(GOLD)
    world.run(agent)
    names = [tool.name for tool in agent.seen[0][1]]
    assert names == sorted(names)


def test_tokens_are_the_sum_of_tools_and_messages(world: World) -> None:
    agent = ScriptedAgent(GOLD)
    record = world.run(agent)
    from harness.tokens import count_json

    for turn, (messages, tools) in zip(record.turns, agent.seen, strict=True):
        assert turn.schema_tokens == sum(count_json(tool.openai()) for tool in tools)
        assert turn.input_tokens == turn.schema_tokens + sum(count_json(m) for m in messages)


def test_latency_is_the_clock_s_and_has_parts(world: World) -> None:
    record = world.run(ScriptedAgent(GOLD))
    parts = record.retrieval_ms + record.model_ms + record.executor_ms
    assert 0 < parts < record.wall_latency_ms


def test_progressive_widens_after_failure_and_after_text(world: World) -> None:
    script = ["hm", ("shop__nothing", {}), "a", "b"]
    record = world.run(ScriptedAgent(script), "SR-PROGRESSIVE-STATIC")
    assert [len(turn.exposure) for turn in record.turns] == [1, 2, 4, 4]
    assert record.retrieval_calls == 1


def test_state_aware_refreshes_after_tool_turns_only(world: World) -> None:
    record = world.run(ScriptedAgent(["hm", FIND, "a", "b"]), "SR-5-STATE-AWARE")
    assert record.retrieval_calls == 2
    assert record.refreshes == 1


def test_no_refresh_without_a_turn_that_remains(world: World) -> None:
    record = world.run(ScriptedAgent(GOLD), "SR-5-STATE-AWARE", limits=Limits(max_turns=4))
    assert record.refreshes == 3


def test_gold_traces_have_equal_events_in_every_condition(world: World) -> None:
    events = set()
    for condition in ("SR-5-STATIC", "SR-PROGRESSIVE-STATIC", "SR-5-STATE-AWARE", "FULL", "ORACLE"):
        record = world.run(ScriptedAgent(["a", "b", "c"]), condition)
        events.add(tuple((row.step, row.gold_next_route) for row in record.traces))
    assert events == {
        (
            (1, "shop.find_orders"),
            (2, "shop.get_order"),
            (3, "shop.get_order"),
            (4, "shop.cancel_order"),
        )
    }
