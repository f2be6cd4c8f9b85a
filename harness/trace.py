"""Gold traces: what a condition exposes to an agent that makes no mistakes (protocol, section 5).

One event per task, catalog and step, the same events in every condition, no agent involved.
"""

from __future__ import annotations

from conditions.exposure import Condition, TurnOutcome
from conditions.state import empty_state, update_state
from harness.error import IntegrityError
from harness.record import TraceRecord
from harness.transition import next_route, trace_record
from surface.executor import Executor
from surface.gold import gold_arguments


def gold_trace(
    executor: Executor, condition: Condition, *, max_turns: int
) -> tuple[TraceRecord, ...]:
    """Follow the gold under a condition.

    Parameters
    ----------
    executor
        Of a task over a catalog.
    condition
        What is exposed. The gold's calls are executed whether or not they are exposed, so that
        the events are the same in every condition.
    max_turns
        Turns of an episode; as in an episode, a refresh needs a turn that remains. The gold is
        followed to its end even where it takes more turns.

    Raises
    ------
    IntegrityError
        If the gold does not pass a step; the surface's validation would have said so.
    """
    task = executor.task
    progress, state = executor.start(), empty_state(task.query)
    exposure = condition.expose(task.query)
    records = []
    for turn in range(1, len(task.steps) + 1):
        required = next_route(executor, progress)
        if required is None:
            break
        records.append(trace_record(turn, exposure, required))
        progress, execution = executor.execute(
            progress,
            route=required,
            arguments=gold_arguments(executor, progress),
            exposed={required},
        )
        if not execution.advanced:
            raise IntegrityError(
                f"The gold of task {task.id!r} does not pass step {turn} ({execution.error}).",
                "Run `make check-surface` and correct the task.",
            )
        incomplete = not executor.complete(progress)
        state = update_state(
            state,
            endpoint=executor.catalog.snapshot.endpoint(required),
            route_id=required,
            observation=execution.observation,
            status=execution.status,
            error=execution.error,
            reached=execution.reached,
            task_incomplete=incomplete,
        )
        outcome = TurnOutcome(
            called=True,
            failed=execution.status == "error",
            state=state,
            turns_remaining=max(0, max_turns - turn),
            task_incomplete=incomplete,
        )
        exposure = condition.refresh(exposure, outcome)
    return tuple(records)
