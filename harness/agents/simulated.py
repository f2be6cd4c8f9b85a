"""The simulated agent: knows the gold and errs at stated rates, for power analysis and load.

It is the one agent that is told the gold: by the runner, which hands it the episode's executor, and
never through messages or tools. Its results are no evidence, and `aggregate` refuses them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from harness.agents.blind import blind_call
from harness.agents.lots import Lots
from harness.agents.protocol import (
    REQUEST_MORE_TOOLS,
    Evidence,
    Message,
    ToolCall,
    ToolSchema,
    Turn,
)
from harness.agents.random import episode_name
from harness.agents.section import ErrorRates
from harness.call import parse_arguments
from harness.toolname import tool_name
from router.canonical import canonical_json
from surface.executor import Executor, Progress
from surface.failure import error_class
from surface.gold import gold_arguments

VERSION: Final = "1"
"""Rises with every change of what it draws."""

DONE: Final = "It is done."
MALFORMED: Final = '{"'
"""Arguments that do not parse."""

Error = Literal["wrong_route", "wrong_arguments", "stop", "malformed"]


class SimulatedAgents:
    """The simulated agents of a study, one for each episode.

    Parameters
    ----------
    rates
        How often which error is made.
    seed
        The study's seed.
    """

    evidence: Evidence = "simulation"

    def __init__(self, rates: ErrorRates, seed: int) -> None:
        self._rates = rates
        self._seed = seed

    @property
    def identity(self) -> Mapping[str, Any]:
        """Kind, version, rates and seed."""
        rates = self._rates.model_dump(mode="json")
        return {"kind": "simulated", "version": VERSION, "rates": rates, "seed": self._seed}

    def for_episode(self, executor: Executor) -> SimulatedAgent:
        """Return the agent of an episode, which knows its gold."""
        lots = Lots(self._seed, episode_name(executor))
        return SimulatedAgent(self._rates, lots, executor, self.identity)


class SimulatedAgent:
    """Follows the gold of one episode as far as it is exposed, and errs.

    Parameters
    ----------
    rates
        How often which error is made.
    lots
        Of the episode. What goes wrong at the n-th try of a step is one draw, the same in every
        condition.
    executor
        Of the episode: the gold.
    identity
        Of the study's agents.
    """

    evidence: Evidence = "simulation"

    def __init__(
        self, rates: ErrorRates, lots: Lots, executor: Executor, identity: Mapping[str, Any]
    ) -> None:
        self._rates = rates
        self._lots = lots
        self._executor = executor
        self._identity = identity

    @property
    def identity(self) -> Mapping[str, Any]:
        """Of the study's agents, and the episode."""
        return {**self._identity, "episode": self._lots.episode}

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Answer one turn; a pure function of its arguments, the rates, the lots and the gold."""
        progress, tries = self._follow(messages)
        turn = sum(message["role"] == "assistant" for message in messages) + 1
        identifier, step = f"call_{turn}", len(progress.passed)
        if self._executor.complete(progress):
            if not tools or self._lots.uniform("overrun", tries) >= self._rates.overrun:
                return Turn(DONE)
            return self._blindly(messages, tools, identifier, "overrun", step, tries)
        name = tool_name(self._executor.task.steps[step].route)
        if name not in {tool.name for tool in tools}:
            if not tools or self._lots.uniform("unseen", step, tries) >= self._rates.blind:
                return Turn(REQUEST_MORE_TOOLS)
            return self._blindly(messages, tools, identifier, "unseen", step, tries)
        right = gold_arguments(self._executor, progress)
        match self._error(step, tries):
            case "wrong_route":
                others = [tool for tool in tools if tool.name != name]
                if others:
                    return self._blindly(messages, others, identifier, "other", step, tries)
            case "wrong_arguments" if right:
                left_out = self._lots.choice(sorted(right), "left out", step, tries)
                del right[left_out]
            case "stop":
                return Turn(DONE)
            case "malformed":
                return Turn(None, (ToolCall(identifier, name, MALFORMED),))
        return Turn(None, (ToolCall(identifier, name, canonical_json(right).decode()),))

    def _error(self, step: int, tries: int) -> Error | None:
        """Draw the error of a try at a step, if one is made."""
        rest = self._lots.uniform("error", step, tries)
        rates: tuple[tuple[Error, float], ...] = (
            ("wrong_route", self._rates.wrong_route),
            ("wrong_arguments", self._rates.wrong_arguments),
            ("stop", self._rates.stop),
            ("malformed", self._rates.malformed),
        )
        for error, rate in rates:
            if rest < rate:
                return error
            rest -= rate
        return None

    def _blindly(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        identifier: str,
        *name: str | int,
    ) -> Turn:
        tool = self._lots.choice(tools, "tool", *name)
        return Turn(None, (blind_call(tool, messages, self._lots, identifier, "argument", *name),))

    def _follow(self, messages: Sequence[Message]) -> tuple[Progress, int]:
        """Return how far the conversation has come, and how many turns were taken since."""
        progress, tries = self._executor.start(), 0
        for call, answer in _turns(messages):
            before = len(progress.passed)
            if call is not None and _reached(answer):
                progress = self._repeat(progress, call)
            tries = tries + 1 if len(progress.passed) == before else 0
        return progress, tries

    def _repeat(self, progress: Progress, call: ToolCall) -> Progress:
        arguments = parse_arguments(call)
        names = {tool_name(route): route for route in self._executor.task.required_routes}
        route = names.get(call.name)
        if route is None or arguments is None:
            return progress
        return self._executor.execute(progress, route=route, arguments=arguments, exposed={route})[
            0
        ]


def _turns(messages: Sequence[Message]) -> Iterator[tuple[ToolCall | None, str]]:
    """Yield the first call of every turn, None where there was none, and what it was answered."""
    for position, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        if "tool_calls" not in message:
            yield None, ""
            continue
        call = message["tool_calls"][0]
        function = call["function"]
        yield (
            ToolCall(call["id"], function["name"], function["arguments"]),
            messages[position + 1]["content"],
        )


def _reached(content: str) -> bool:
    """Whether an answer is one of a tool that was exposed."""
    error = json.loads(content).get("error")
    return error is None or error_class(error) != "unavailable_tool"
