"""The simulated agent: follows the gold, errs at its rates, alike under every condition."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from conditions.preregistered import CONDITIONS
from harness.agents import make_agent, seat
from harness.agents.protocol import REQUEST_MORE_TOOLS, Agent
from harness.agents.section import ErrorRates, SimulatedSection
from harness.prompt import Toolbox, opening
from harness.record import EpisodeRecord
from surface.executor import Executor
from tests.unit.harness.world import World

NONE = {
    "wrong_route": 0.0,
    "wrong_arguments": 0.0,
    "stop": 0.0,
    "malformed": 0.0,
    "blind": 0.0,
    "overrun": 0.0,
}


def agent_of(world: World, seed: int = 1, **rates: float) -> Agent:
    section = SimulatedSection(kind="simulated", rates=ErrorRates(**{**NONE, **rates}))
    return seat(make_agent(section, seed=seed), Executor(world.task, world.catalog))


def run(world: World, condition: str = "FULL", seed: int = 1, **rates: float) -> EpisodeRecord:
    return world.run(agent_of(world, seed, **rates), condition)


@pytest.mark.parametrize("condition", ["FULL", "ORACLE"])
def test_without_errors_it_passes_in_as_many_turns_as_there_are_steps(
    world: World, condition: str
) -> None:
    record = run(world, condition)
    assert (record.task_pass, record.ending, len(record.turns)) == (True, "clean_stop", 5)


def test_what_is_not_exposed_it_asks_for_or_calls_blindly(world: World) -> None:
    others = ("shop.cancel_order", "shop.rename_order")
    tools = Toolbox.of(world.catalog.snapshot).show(others).tools
    messages = opening(world.task.query)
    assert agent_of(world).act(messages, tools).text == REQUEST_MORE_TOOLS
    assert agent_of(world, blind=1.0).act(messages, ()).text == REQUEST_MORE_TOOLS
    called = [agent_of(world, seed, blind=1.0).act(messages, tools).calls for seed in range(30)]
    assert {call.name for [call] in called} == {tool.name for tool in tools}


def test_a_wrong_route_is_another_exposed_one(world: World) -> None:
    record = run(world, wrong_route=1.0)
    assert record.completed_steps == 0
    assert "shop.find_orders" not in {call.route for turn in record.turns for call in turn.calls}


def test_wrong_arguments_lack_one(world: World) -> None:
    record = run(world, wrong_arguments=1.0)
    assert {turn.calls[0].decision for turn in record.turns} == {"schema_invalid"}
    assert {turn.calls[0].route for turn in record.turns} == {"shop.find_orders"}


def test_a_stop_is_text_and_a_malformed_call_does_not_parse(world: World) -> None:
    assert run(world, stop=1.0).ending == "third_text"
    assert run(world, malformed=1.0).ending == "malformed"


def test_an_overrun_goes_on_after_completion(world: World) -> None:
    record = run(world, overrun=1.0)
    assert record.task_pass
    assert record.completed_at_turn == 4
    assert record.ending == "turn_limit"


def errors(record: EpisodeRecord) -> list[bool]:
    """Whether the first try at each step went right."""
    steps: dict[str | None, bool] = {}
    for turn in record.turns:
        right = bool(turn.calls) and turn.calls[0].decision == "step"
        steps.setdefault(turn.gold_next_route, right)
    return [right for route, right in steps.items() if route is not None]


def test_errors_come_at_the_stated_rate(world: World) -> None:
    first = [errors(run(world, "ORACLE", seed, wrong_arguments=0.3))[0] for seed in range(300)]
    # 210 expected; the standard deviation is 8.
    assert 178 < first.count(True) < 242


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_same_try_goes_wrong_in_every_condition(world: World, condition: str) -> None:
    for seed in range(20):
        full = run(world, "FULL", seed, stop=0.4)
        other = run(world, condition, seed, stop=0.4)
        exposed = "shop.find_orders" in other.turns[0].exposure
        if exposed:
            assert bool(other.turns[0].calls) == bool(full.turns[0].calls)


def test_an_episode_repeats(world: World) -> None:
    def answers(seed: int) -> list[str]:
        rates = {"wrong_route": 0.3, "wrong_arguments": 0.2, "stop": 0.1, "malformed": 0.1}
        return [item.answer for item in run(world, seed=seed, **rates).exchanges]

    assert answers(4) == answers(4)
    assert len({tuple(answers(seed)) for seed in range(10)}) > 1


def test_it_is_a_simulation_and_its_rates_are_its_identity(world: World) -> None:
    agent = agent_of(world, wrong_route=0.25)
    assert agent.evidence == "simulation"
    assert agent.identity["rates"]["wrong_route"] == 0.25
    assert agent.identity["episode"] == "shop-1/4"


@pytest.mark.parametrize(
    "rates",
    [{"stop": 1.5}, {"stop": -0.1}, {"stop": 0.6, "malformed": 0.5}, {"unknown": 0.1}],
)
def test_impossible_rates_are_refused(rates: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ErrorRates(**{**NONE, **rates})


def test_the_gold_reaches_it_by_the_executor_alone(world: World) -> None:
    record = run(world)
    said = json.dumps([item.answer for item in record.exchanges])
    assert "shop__cancel_order" in said
    other = world.task.model_copy(update={"steps": world.task.steps[:1]})
    short = World(world.catalog, other)
    assert len(run(short).turns) == 2
