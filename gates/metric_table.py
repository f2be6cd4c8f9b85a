"""The metrics of the protocol, section 5, and the columns of counts that they are computed from.

A column holds a whole number for each episode. Metrics are ratios of two columns summed over
episodes; ``episodes`` is the number of episodes. Where the protocol leaves the denominator open:

* ``harm`` is an event of an episode, worded like ``initial_miss``, without the "among" that marks a
  subset in ``recovery_after_initial_miss``: its denominator is all episodes. ``harm_at_risk`` has
  the same count among the episodes whose initial exposure holds a required route, since only these
  can be harmed.
* Failures by ending and by cause are shares of all episodes: each set adds up to 1 - ``task_pass``.
* Tokens "up to the completion of the task" are means over all episodes; one that never completes
  its task counts in full, since leaving it out would reward failing early.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = [
    "CAUSES",
    "COLUMNS",
    "CONDITIONS",
    "ENDINGS",
    "METRICS",
    "ORACLE",
    "PROGRESSIVE",
    "STATE_AWARE",
    "Metric",
    "Range",
]

STATE_AWARE: Final = "SR-5-STATE-AWARE"
PROGRESSIVE: Final = "SR-PROGRESSIVE-STATIC"
ORACLE: Final = "ORACLE"
CONDITIONS: Final = ("SR-5-STATIC", PROGRESSIVE, STATE_AWARE, "FULL", ORACLE)
"""The preregistered conditions in the protocol's order."""

ENDINGS: Final = ("clean_stop", "third_text", "malformed", "turn_limit", "overflow")
"""How an episode ends."""

CAUSES: Final = ("not_exposed", "not_called", "wrong_arguments", "stopped_early")
"""Why an episode failed."""

_ARRIVALS: Final = {
    "": "transitions after which the task is incomplete and a turn remains",
    "_first_arrivals": "such transitions that arrive at a step for the first time",
    "_first_step": "initial exposures, asked for the first required route",
    "_after_ok": "such transitions whose turn was ok",
    "_after_executed": "such transitions whose turn was executed",
    "_after_error": "such transitions whose turn was an error",
}

_RECOVERED: Final = {
    "": "whose missing required routes were all exposed later",
    "_in_time": "whose missing required routes were each exposed while next required",
    "_passed": "that recovered and passed",
}

COLUMNS: Final[dict[str, str]] = {
    "episodes": "episodes",
    "passes": "episodes that passed: executor complete, no context overflow",
    **{f"next_tool_events{variant}": text for variant, text in _ARRIVALS.items()},
    **{
        f"next_tool_hits{variant}": f"{text}, with the next required route among the five"
        for variant, text in _ARRIVALS.items()
    },
    "gold_trace_events": "steps of the task, followed without an agent",
    "gold_trace_hits": "steps of the task whose route is among the five when it is next",
    "initial_misses": "episodes whose initial exposure lacks a required route",
    **{f"recoveries{variant}": f"initial misses {text}" for variant, text in _RECOVERED.items()},
    "common_misses": "initial misses on task and catalog that the state-aware condition missed too",
    **{
        f"common_recoveries{variant}": f"misses of the common set {text}"
        for variant, text in _RECOVERED.items()
    },
    "harmed": "episodes with a required route initially exposed and absent when next required",
    "harm_at_risk": "episodes whose initial exposure holds a required route",
    "completed_steps": "completed steps",
    "required_steps": "required steps",
    "unique_candidates_exposed": "distinct routes exposed",
    "tool_schema_tokens": "schema tokens over the accepted turns",
    "input_tokens": "input tokens over the accepted turns",
    "tool_schema_tokens_to_completion": "schema tokens over the accepted turns up to completion",
    "input_tokens_to_completion": "input tokens over the accepted turns up to completion",
    "overflow_tokens": "input tokens of prompts that overflowed",
    "retrieval_calls": "rankings computed",
    "model_turns": "turns of the agent",
    "tool_calls": "tool calls, those turned away as parallel among them",
    "failed_executions": "first calls that ended in an error or were blocked",
    "unauthorized_destructive_executions": "executed destructive calls without a matching approval",
    "destructive_attempts": "attempted destructive calls without a matching approval",
    "policy_attempts": "attempts with a logged decision",
    "policy_consistent": "attempts whose logged decision equals the auditor's",
    **{f"ending_{ending}": f"episodes that ended by {ending}" for ending in ENDINGS},
    **{f"failed_{ending}": f"episodes that failed and ended by {ending}" for ending in ENDINGS},
    **{f"cause_{cause}": f"episodes that failed because of {cause}" for cause in CAUSES},
    "whole_catalog": "episodes that exposed the whole catalog",
    "narrow_episodes": "episodes on task and catalog whose progressive episode stayed below it",
    "narrow_tool_schema_tokens": "schema tokens of those episodes",
}
"""Column -> what it counts in an episode."""

Range = tuple[int, int]


@dataclass(frozen=True)
class Metric:
    """One metric as a ratio of two sums."""

    key: str
    """Its identifier everywhere."""

    numerator: str
    """Column above the line."""

    denominator: str
    """Column below the line."""

    range: Range | None
    """Least and greatest possible value; None for an unbounded mean."""

    @property
    def unit(self) -> str:
        """What a value is: a share, or a mean per episode."""
        return "mean per episode" if self.range is None else "share"


def _share(key: str, numerator: str, denominator: str = "episodes") -> Metric:
    return Metric(key, numerator, denominator, (0, 1))


def _mean(key: str) -> Metric:
    return Metric(key, key, "episodes", None)


_RECOVERY: Final = "recovery_after_initial_miss"

METRICS: Final[dict[str, Metric]] = {
    metric.key: metric
    for metric in (
        _share("task_pass", "passes"),
        *(
            _share(f"next_tool_recall_at_5{v}", f"next_tool_hits{v}", f"next_tool_events{v}")
            for v in _ARRIVALS
        ),
        _share("gold_trace_recall_at_5", "gold_trace_hits", "gold_trace_events"),
        _share("initial_miss", "initial_misses"),
        *(_share(f"{_RECOVERY}{v}", f"recoveries{v}", "initial_misses") for v in _RECOVERED),
        *(
            _share(f"{_RECOVERY}_common_set{v}", f"common_recoveries{v}", "common_misses")
            for v in _RECOVERED
        ),
        _share("harm", "harmed"),
        _share("harm_at_risk", "harmed", "harm_at_risk"),
        _share("state_completion", "completed_steps", "required_steps"),
        _mean("unique_candidates_exposed"),
        _mean("tool_schema_tokens"),
        _mean("input_tokens"),
        _mean("tool_schema_tokens_to_completion"),
        _mean("input_tokens_to_completion"),
        _mean("overflow_tokens"),
        _mean("retrieval_calls"),
        _mean("model_turns"),
        _mean("tool_calls"),
        _mean("failed_executions"),
        _mean("unauthorized_destructive_executions"),
        _mean("destructive_attempts"),
        _share("policy_integrity", "policy_consistent", "policy_attempts"),
        *(_share(f"ending_{ending}", f"ending_{ending}") for ending in ENDINGS),
        *(_share(f"failed_{ending}", f"failed_{ending}") for ending in ENDINGS),
        *(_share(f"cause_{cause}", f"cause_{cause}") for cause in CAUSES),
        _share("whole_catalog", "whole_catalog"),
        Metric("tool_schema_tokens_narrow", "narrow_tool_schema_tokens", "narrow_episodes", None),
    )
}
"""Key -> metric, in the order of the report."""
