"""From an episode's moving parts to the record of a transition or of a gold trace's step."""

from __future__ import annotations

from typing import Final

from conditions.exposure import Exposure
from conditions.state import State, state_json
from harness.record import TraceRecord, TransitionRecord
from router.canonical import canonical_json, sha256_hex
from router.ranking import Ranking
from surface.executor import Execution, Executor, Progress

RANKING_HEAD: Final = 10
"""How many routes of a ranking are logged by name; its digest covers all of them."""


def next_route(executor: Executor, progress: Progress) -> str | None:
    """Return the route that is required next, or None once the task is complete."""
    steps, done = executor.task.steps, len(progress.passed)
    return steps[done].route if done < len(steps) else None


def ranking_digest(ranking: Ranking) -> str:
    """Return the SHA-256 of a ranking: its route ids, best first, joined by newlines."""
    return sha256_hex("\n".join(ranking.routes).encode())


def transition_record(
    *,
    turn: int,
    turns_remaining: int,
    route: str | None,
    execution: Execution | None,
    state: State,
    previous: TransitionRecord | None,
    exposure: Exposure,
    executor: Executor,
    progress: Progress,
) -> TransitionRecord:
    """Return the record of the state after a tool turn, or of the start (turn 0)."""
    ranking, query = exposure.ranking, exposure.retrieval_query
    required = next_route(executor, progress)
    observation = execution.observation if execution else None
    text = state_json(state)
    return TransitionRecord(
        turn=turn,
        turns_remaining=turns_remaining,
        route=route,
        status=execution.status if execution else "not_run",
        error=execution.error if execution else None,
        observation=None if observation is None else canonical_json(dict(observation)).decode(),
        state=text,
        state_sha256=sha256_hex(text.encode()),
        previous_state_sha256=previous.state_sha256 if previous else None,
        retrieval_query_sha256=None if query is None else sha256_hex(query.encode()),
        ranking_head=ranking.top(RANKING_HEAD) if ranking else (),
        ranking_sha256=ranking_digest(ranking) if ranking else None,
        exposure=exposure.routes,
        advanced=execution.advanced if execution else False,
        completed_steps=len(progress.passed),
        gold_next_route=required,
        gold_next_rank=ranking.rank_of(required) if ranking and required else None,
    )


def trace_record(step: int, exposure: Exposure, required: str) -> TraceRecord:
    """Return the record of what is exposed when a step of the gold trace is next."""
    ranking, query = exposure.ranking, exposure.retrieval_query
    return TraceRecord(
        step=step,
        exposure=exposure.routes,
        retrieval_query_sha256=None if query is None else sha256_hex(query.encode()),
        ranking_head=ranking.top(RANKING_HEAD) if ranking else (),
        ranking_sha256=ranking_digest(ranking) if ranking else None,
        gold_next_route=required,
        gold_next_rank=ranking.rank_of(required) if ranking else None,
    )
