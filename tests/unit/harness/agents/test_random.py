"""The random agent: blind to the request, the same under every condition, a floor."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from conditions.preregistered import CONDITIONS
from harness.agents.blind import NOTHING_SAID, blind_call
from harness.agents.lots import Lots
from harness.agents.protocol import REQUEST_MORE_TOOLS, ToolSchema
from harness.agents.random import RandomAgent
from harness.prompt import Toolbox, opening
from surface.executor import Executor
from tests.unit.harness.world import World

LOTS = Lots(7, "t/1")
SAID = [
    *opening("Please weigh ORD-1001 and ORD-2002, 4.5 kg or 12 kg, for ann@example.org."),
    {"role": "tool", "tool_call_id": "1", "content": '{"observation":{"order_id":"ORD-3003"}}'},
]


def arguments(schema: Mapping[str, Any], lots: Lots = LOTS) -> Any:
    tool = ToolSchema(
        "a__b", "Tool.", {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    )
    return json.loads(blind_call(tool, SAID, lots, "call_1", "n").arguments)["x"]


def drawn(schema: Mapping[str, Any]) -> set[Any]:
    return {arguments(schema, Lots(seed, "t/1")) for seed in range(60)}


def test_values_are_drawn_among_what_fits() -> None:
    assert drawn({"enum": ["a", "b"]}) == {"a", "b"}
    assert drawn({"type": "boolean"}) == {True, False}
    assert drawn({"type": "number"}) == {4.5, 12}
    assert drawn({"type": "integer", "minimum": 5}) == {12}
    assert drawn({"type": "string", "pattern": "^ORD-[0-9]{4}$"}) == {
        "ORD-1001",
        "ORD-2002",
        "ORD-3003",
    }
    assert drawn({"type": "string", "pattern": "^[^@]+@[^@]+$"}) == {"ann@example.org"}


def test_where_nothing_fits_something_is_said_all_the_same() -> None:
    assert arguments({"type": "string", "pattern": "^SHP-[0-9]+$"}) == NOTHING_SAID
    assert arguments({"type": "number", "minimum": 100}) == 100
    array = {"type": "array", "items": {"type": "string", "pattern": "^ORD-1"}}
    assert arguments(array) == ["ORD-1001"]


def test_optional_arguments_are_left_out() -> None:
    tool = ToolSchema("a__b", "Tool.", {"type": "object", "properties": {"x": {}}})
    assert blind_call(tool, SAID, LOTS, "call_1").arguments == "{}"


def test_every_exposed_tool_can_be_drawn(world: World) -> None:
    tools = Toolbox.of(world.catalog.snapshot).show(world.catalog.snapshot.routes).tools
    messages = opening(world.task.query)
    names = {RandomAgent(seed).act(messages, tools).calls[0].name for seed in range(60)}
    assert names == {tool.name for tool in tools}


def test_without_a_tool_it_asks_for_more() -> None:
    assert RandomAgent(1).act(SAID, ()).text == REQUEST_MORE_TOOLS


def agent_of(world: World, seed: int = 1) -> RandomAgent:
    return RandomAgent(seed).for_episode(Executor(world.task, world.catalog))


def test_an_episode_repeats_and_its_seed_matters(world: World) -> None:
    def answers(seed: int) -> list[str]:
        return [item.answer for item in world.run(agent_of(world, seed)).exchanges]

    assert answers(1) == answers(1)
    assert len({tuple(answers(seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize("condition", CONDITIONS)
def test_it_never_stops_by_itself(world: World, condition: str) -> None:
    record = world.run(agent_of(world), condition)
    assert record.ending == "turn_limit"
    assert all(turn.calls for turn in record.turns)


def test_it_reads_nothing_of_the_gold(world: World) -> None:
    def answers(task: Any) -> list[str]:
        episode = RandomAgent(3).for_episode(Executor(task, world.catalog))
        return [item.answer for item in world.run(episode).exchanges]

    poisoned = world.task.model_copy(update={"steps": world.task.steps[::-1], "gloss": "?"})
    assert answers(poisoned) == answers(world.task)


def test_lots_are_drawn_for_task_and_catalog(world: World) -> None:
    other = replace(world.catalog, size=5)
    assert agent_of(world).identity == {
        "kind": "random",
        "version": "1",
        "seed": 1,
        "episode": "shop-1/4",
    }
    elsewhere = RandomAgent(1).for_episode(Executor(world.task, other))
    assert elsewhere.identity["episode"] == "shop-1/5"
    assert RandomAgent(1).identity == {"kind": "random", "version": "1", "seed": 1}
