"""Neither the agent nor a retrieving condition reads the gold: it raises when they are at work."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from conditions.preregistered import CONDITIONS, make_condition
from conditions.retriever import ResearchRetriever, RetrieverParameters
from harness.agents import make_agent
from harness.agents.protocol import Agent, Message, ToolSchema, Turn
from harness.agents.section import ReferenceSection
from harness.episode import Limits, run_episode
from harness.prompt import Toolbox
from surface.executor import Executor
from tests.unit.harness.world import World


class Poison(RuntimeError):
    """The gold was read."""


class PoisonedTask:
    """A task whose gold raises while it is armed."""

    def __init__(self, task: Any) -> None:
        self._task = task
        self.armed = False

    def __getattr__(self, name: str) -> Any:
        if self.armed and name not in {"query", "language", "stratum", "id"}:
            raise Poison(name)
        return getattr(self._task, name)

    @contextmanager
    def arm(self) -> Iterator[None]:
        self.armed = True
        try:
            yield
        finally:
            self.armed = False


@dataclass
class Guarded:
    """Arms the poison around every call of an agent or a condition."""

    inner: Any
    task: PoisonedTask

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        with self.task.arm():
            return self.inner.act(messages, tools)

    def expose(self, query: str) -> Any:
        with self.task.arm():
            return self.inner.expose(query)

    def refresh(self, exposure: Any, outcome: Any) -> Any:
        with self.task.arm():
            return self.inner.refresh(exposure, outcome)


def run(world: World, condition_name: str, agent: Agent) -> Any:
    task: Any = PoisonedTask(world.task)
    catalog = replace(world.catalog)
    condition = make_condition(
        condition_name,
        retriever=ResearchRetriever(
            catalog.snapshot, RetrieverParameters(sentence_weight=0, term_weight=0)
        ),
        snapshot=catalog.snapshot,
        required_routes=world.task.required_routes,
    )
    ticks = itertools.count()
    guarded: Any = Guarded(condition, task)
    guarded_agent: Any = Guarded(agent, task)
    return run_episode(
        Executor(task, catalog),
        guarded,
        guarded_agent,
        Toolbox.of(catalog.snapshot),
        limits=Limits(),
        clock=lambda: float(next(ticks)),
    )


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_reference_agent_and_the_conditions_read_no_gold(world: World, condition: str) -> None:
    record = run(world, condition, make_agent(ReferenceSection(kind="reference"), seed=0))
    assert record.turns


def test_the_poison_works(world: World) -> None:
    class Thief:
        def __init__(self, task: Any) -> None:
            self.task = task

        def act(self, messages: object, tools: object) -> Turn:
            return Turn(self.task.steps[0].route)

    task: Any = PoisonedTask(world.task)
    thief: Any = Guarded(Thief(task), task)
    with pytest.raises(Poison, match="steps"):
        thief.act((), ())
