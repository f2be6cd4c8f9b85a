"""The episode loop (protocol, section 4): expose, act, execute, update, refresh."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from conditions.exposure import Condition, TurnOutcome
from conditions.state import empty_state, update_state
from harness.agents.cassette import Recorder
from harness.agents.protocol import Agent, ContextOverflow, Turn
from harness.call import executed_call, parallel_call, parse_arguments, storable
from harness.conversation import Conversation
from harness.grid import EpisodeKey
from harness.prompt import Toolbox, answer_content
from harness.record import (
    CallRecord,
    Ending,
    EpisodeRecord,
    TraceRecord,
    TransitionRecord,
    TurnRecord,
)
from harness.transition import next_route, transition_record
from surface.executor import Execution, Executor

Clock = Callable[[], float]
"""Seconds from an arbitrary start; only differences are used, and only for latencies."""


@dataclass(frozen=True)
class Limits:
    """How long an episode may last (protocol, section 4)."""

    max_turns: int = 8
    max_reminders: int = 2


def run_episode(
    executor: Executor,
    condition: Condition,
    agent: Agent,
    toolbox: Toolbox,
    *,
    limits: Limits,
    clock: Clock,
    traces: tuple[TraceRecord, ...] = (),
) -> EpisodeRecord:
    """Run one task under one condition.

    Parameters
    ----------
    executor
        Of the task over a catalog.
    condition
        What may be seen.
    agent
        What answers. It is given messages and tools, nothing else.
    toolbox
        The catalog's tools as agents see them.
    limits
        Turns and reminders.
    clock
        For latencies alone.
    traces
        The gold trace of this task, catalog and condition, kept with the episode.

    Raises
    ------
    InfrastructureError
        If the plant fails (a server, not the agent); nothing of the episode is kept.
    """
    return _Run(executor, condition, agent, toolbox, limits, clock).record(traces)


class _Run:
    """One episode while it runs."""

    def __init__(
        self,
        executor: Executor,
        condition: Condition,
        agent: Agent,
        toolbox: Toolbox,
        limits: Limits,
        clock: Clock,
    ) -> None:
        self.executor = executor
        self.condition = condition
        self.recorder = Recorder(agent)
        self.toolbox = toolbox
        self.limits = limits
        self.clock = clock
        self.spent = {"retrieval": 0.0, "model": 0.0, "executor": 0.0}
        self.started = clock()
        query = executor.task.query
        self.conversation = Conversation(query)
        self.progress = executor.start()
        self.state = empty_state(query)
        with self.timed("retrieval"):
            self.exposure = condition.expose(query)
        self.initial_exposure = self.exposure.routes
        self.shown = toolbox.show(self.exposure.routes)
        self.turns: list[TurnRecord] = []
        self.transitions: list[TransitionRecord] = []
        self.completed_at: int | None = None
        self.log_transition(0, None, None)

    def record(self, traces: tuple[TraceRecord, ...]) -> EpisodeRecord:
        """Run to the end."""
        ending = self.run()
        task = self.executor.task
        return EpisodeRecord(
            key=EpisodeKey(task.id, self.executor.catalog.size, self.condition.name),
            stratum=task.stratum,
            language=task.language,
            task_pass=self.complete and ending != "overflow",
            required_steps=len(task.steps),
            completed_steps=len(self.progress.passed),
            gold_required_routes=task.required_routes,
            initial_exposure=self.initial_exposure,
            ending=ending,
            completed_at_turn=self.completed_at,
            retrieval_calls=self.exposure.retrieval_calls,
            refreshes=self.exposure.refreshes,
            wall_latency_ms=(self.clock() - self.started) * 1000,
            retrieval_ms=self.spent["retrieval"],
            model_ms=self.spent["model"],
            executor_ms=self.spent["executor"],
            turns=tuple(self.turns),
            transitions=tuple(self.transitions),
            traces=traces,
            exchanges=self.recorder.exchanges,
        )

    @property
    def complete(self) -> bool:
        return self.executor.complete(self.progress)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add the time that the body takes to a part of the latency, in milliseconds."""
        start = self.clock()
        try:
            yield
        finally:
            self.spent[part] += (self.clock() - start) * 1000

    def run(self) -> Ending:
        """Take turns until something ends the episode."""
        reminders_left = self.limits.max_reminders
        for turn in range(1, self.limits.max_turns + 1):
            model_before = self.spent["model"]
            try:
                with self.timed("model"):
                    answer = self.recorder.act(self.conversation.messages, self.shown.tools)
            except ContextOverflow:
                self.log_turn(turn, Turn(None), (), model_before, accepted=False)
                return "overflow"
            arguments = parse_arguments(answer.calls[0]) if answer.calls else None
            answer = storable(answer)
            if arguments is not None:
                self.take_tool_turn(turn, answer, arguments, model_before)
                continue
            self.log_turn(turn, answer, self.malformed_calls(answer), model_before)
            if self.complete:
                return "malformed" if answer.calls else "clean_stop"
            if not reminders_left:
                return "malformed" if answer.calls else "third_text"
            reminders_left -= 1
            self.conversation.remind(answer)
            self.refresh(turn, None)
        return "turn_limit"

    def take_tool_turn(
        self, turn: int, answer: Turn, arguments: Mapping[str, Any], model_before: float
    ) -> None:
        """Execute the first call of a turn; turn its other calls away."""
        first = answer.calls[0]
        route = self.route(first.name)
        with self.timed("executor"):
            progress, execution = self.executor.execute(
                self.progress, route=route, arguments=arguments, exposed=self.exposure.routes
            )
        others = (parallel_call(call, self.route(call.name)) for call in answer.calls[1:])
        # Logged before progress moves: the turn's gold is what was required when it was taken.
        self.log_turn(turn, answer, (executed_call(first, route, execution), *others), model_before)
        self.progress = progress
        if self.completed_at is None and self.complete:
            self.completed_at = turn
        snapshot = self.executor.catalog.snapshot
        endpoint = snapshot.endpoint(route) if route in snapshot else None
        self.state = update_state(
            self.state,
            endpoint=endpoint,
            route_id=route,
            observation=execution.observation,
            status=execution.status,
            error=execution.error,
            reached=execution.reached,
            task_incomplete=not self.complete,
        )
        self.conversation.answer_calls(answer, answer_content(execution, endpoint))
        self.refresh(turn, execution)
        self.log_transition(turn, route, execution)

    def refresh(self, turn: int, execution: Execution | None) -> None:
        """Let the condition change the exposure after a turn; `execution` of its first call."""
        outcome = TurnOutcome(
            called=execution is not None,
            failed=execution is not None and execution.status in {"error", "blocked"},
            state=self.state,
            turns_remaining=self.limits.max_turns - turn,
            task_incomplete=not self.complete,
        )
        with self.timed("retrieval"):
            exposure = self.condition.refresh(self.exposure, outcome)
        if exposure.routes != self.exposure.routes:
            self.shown = self.toolbox.show(exposure.routes)
        self.exposure = exposure

    def route(self, name: str) -> str:
        """Return the route that a tool name stands for; the name itself where it is unknown."""
        return self.toolbox.routes.get(name, name)

    def malformed_calls(self, answer: Turn) -> tuple[CallRecord, ...]:
        """Return the records of a malformed turn's calls: kept as they are, never credited."""
        return tuple(
            CallRecord(
                call_id=call.id,
                name=call.name,
                route=self.route(call.name),
                arguments=call.arguments,
                parallel=position > 0,
                decision="malformed",
                status="error",
                error=None,
                approval=None,
            )
            for position, call in enumerate(answer.calls)
        )

    def log_turn(
        self,
        turn: int,
        answer: Turn,
        calls: tuple[CallRecord, ...],
        model_before: float,
        *,
        accepted: bool = True,
    ) -> None:
        self.turns.append(
            TurnRecord(
                turn=turn,
                accepted=accepted,
                exposure=self.exposure.routes,
                schema_tokens=self.shown.tokens,
                input_tokens=self.shown.tokens + self.conversation.tokens,
                text=answer.text,
                malformed=bool(calls) and calls[0].decision == "malformed",
                calls=calls,
                gold_next_route=next_route(self.executor, self.progress),
                model_ms=self.spent["model"] - model_before,
            )
        )

    def log_transition(self, turn: int, route: str | None, execution: Execution | None) -> None:
        self.transitions.append(
            transition_record(
                turn=turn,
                turns_remaining=self.limits.max_turns - turn,
                route=route,
                execution=execution,
                state=self.state,
                previous=self.transitions[-1] if self.transitions else None,
                exposure=self.exposure,
                executor=self.executor,
                progress=self.progress,
            )
        )
