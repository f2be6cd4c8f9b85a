"""Rows of episodes written by hand, one act a turn, for counts that are worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gates.results import EpisodeRows
from router.canonical import sha256_hex

Routes = tuple[str, ...]

DECISIONS = {
    "ok": "example",
    "executed": "example",
    "error": "schema_invalid",
    "blocked": "blocked",
}


@dataclass(frozen=True)
class Act:
    """What the agent did in one turn."""

    route: str | None = None
    """Route of the first call; None for text."""
    status: str = "ok"
    passes: bool = False
    """Whether it was the next step."""
    then: Routes | None = None
    """What is exposed from now on, if that changes."""
    head: Routes | None = None
    """First routes of the ranking from now on, if that changes."""
    others: int = 0
    """Further calls, turned away."""
    malformed: bool = False
    overflow: bool = False
    schema_tokens: int = 10
    input_tokens: int = 100


def passes(route: str, then: Routes | None = None, **more: Any) -> Act:
    """A call that is the next step."""
    return Act(route, passes=True, then=then, **more)


def fails(route: str, then: Routes | None = None, **more: Any) -> Act:
    """A call that is turned away."""
    return Act(route, "error", then=then, **more)


TEXT = Act()
OVERFLOW = Act(overflow=True)
MALFORMED = Act("a", malformed=True)


def rows(
    steps: Routes,
    start: Routes,
    acts: Sequence[Act],
    ending: str,
    *,
    head: Routes = (),
    traces: Sequence[tuple[Routes, Routes]] = (),
    retrieval_calls: int = 1,
    max_turns: int = 8,
) -> EpisodeRows:
    """Return the rows of an episode.

    Parameters
    ----------
    steps
        The route of each step.
    start
        The initial exposure.
    acts
        The turns.
    ending
        How it ended.
    head
        First routes of the first ranking.
    traces
        Exposure and first routes of the ranking for each step; nothing exposed where not given.
    retrieval_calls, max_turns
        As in an episode.
    """
    done, exposure, ranking = 0, start, head
    turns: list[dict[str, Any]] = []
    transitions: list[dict[str, Any]] = []

    def log_state(turn: int, act: Act | None) -> None:
        state = f"state {turn}"
        transitions.append(
            {
                "turn": turn,
                "turns_remaining": max_turns - turn,
                "route": act.route if act else None,
                "status": act.status if act else "not_run",
                "error": _error(act) if act else None,
                "observation": None,
                "state": state,
                "state_sha256": sha256_hex(state.encode()),
                "previous_state_sha256": transitions[-1]["state_sha256"] if transitions else None,
                "ranking_head": list(ranking),
                "exposure": list(exposure),
                "advanced": bool(act and act.passes),
                "completed_steps": done,
                "gold_next_route": steps[done] if done < len(steps) else None,
            }
        )

    log_state(0, None)
    for number, act in enumerate(acts, start=1):
        turns.append(
            {
                "turn": number,
                "accepted": not act.overflow,
                "exposure": list(exposure),
                "schema_tokens": act.schema_tokens,
                "input_tokens": act.input_tokens,
                "text": None if act.route else "text",
                "malformed": act.malformed,
                "calls": _calls(act),
                "gold_next_route": steps[done] if done < len(steps) else None,
            }
        )
        done += act.passes
        exposure = exposure if act.then is None else act.then
        ranking = ranking if act.head is None else act.head
        if act.route and not act.malformed:
            log_state(number, act)
    complete = [row["turn"] for row in transitions if row["gold_next_route"] is None]
    episode = {
        "stratum": "two_step_state_dependency",
        "language": "en",
        "task_pass": bool(complete) and ending != "overflow",
        "required_steps": len(steps),
        "completed_steps": done,
        "ending": ending,
        "completed_at_turn": complete[0] if complete else None,
        "initial_exposure": list(start),
        "retrieval_calls": retrieval_calls,
        "refreshes": max(0, retrieval_calls - 1),
        "gold_required_routes": list(dict.fromkeys(steps)),
    }
    followed = [
        {
            "step": step,
            "gold_next_route": route,
            "exposure": list(traces[step - 1][0]) if traces else [],
            "ranking_head": list(traces[step - 1][1]) if traces else [],
        }
        for step, route in enumerate(steps, start=1)
    ]
    return EpisodeRows(episode, tuple(turns), tuple(transitions), tuple(followed))


def _error(act: Act) -> str | None:
    return act.status if act.status in {"error", "blocked"} else None


def _calls(act: Act) -> list[dict[str, Any]]:
    if act.route is None:
        return []
    decision = "step" if act.passes else DECISIONS[act.status]
    first = {
        "parallel": False,
        "route": act.route,
        "decision": "malformed" if act.malformed else decision,
        "status": "error" if act.malformed else act.status,
        "error": _error(act),
    }
    other = {
        "parallel": True,
        "route": act.route,
        "decision": "malformed" if act.malformed else "parallel",
        "status": "error",
        "error": "parallel_tool_call_requires_observation",
    }
    return [first, *(other for _ in range(act.others))]
