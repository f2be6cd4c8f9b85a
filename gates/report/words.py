"""Numbers and names as the report's reader sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gates.text_table import number

MASKED: Final = "masked"
"""What stands for every outcome before unblinding."""

MINUS: Final = "\u2212"

COLOURS: Final = 5
"""Of conditions: the next one has the first colour again, and another mark and dash."""

METRIC_WORDS: Final = {
    "task_pass": "Task pass",
    "next_tool_recall_at_5": "Next-tool Recall@5",
    "gold_trace_recall_at_5": "Recall@5 along the gold trace",
    "recovery_after_initial_miss": "Recovery after an initial miss",
    "recovery_after_initial_miss_common_set": "Recovery on the common misses",
    "state_completion": "Completed steps",
    "initial_miss": "Initial misses",
    "tool_schema_tokens": "Tool-schema tokens",
    "model_turns": "Turns",
}

RULE_WORDS: Final = {
    "task_pass_non_inferiority": "It passes tasks about as often",
    "next_tool_recall": "It shows the next tool",
    "recovery_superiority": "It recovers more first misses",
    "schema_token_economy": "It shows fewer tokens of tools",
    "no_unauthorized_destructive": "Nothing destructive ran without approval",
    "policy_integrity": "Every decision was the right one",
}

STRATUM_WORDS: Final = {
    "two_step_state_dependency": "Two steps",
    "three_step_state_dependency": "Three steps",
    "recoverable_execution_failure": "Recoverable failure",
    "identifier_provenance_propagation": "Identifier and provenance",
    "typed_unit_state_transition": "Typed units",
}

LANGUAGE_WORDS: Final = {
    "en": "English",
    "ko": "Korean",
    "es": "Spanish",
    "ja": "Japanese",
    "de": "German",
    "mixed": "Mixed",
}


def shown(value: float | None, digits: int = 3) -> str:
    """Return a number with a minus sign, empty where there is none."""
    return "" if value is None else number(value, digits).replace("-", MINUS)


def tick_shown(value: float) -> str:
    """Return the number beside a tick: as few digits as say it."""
    return f"{value:,.10g}".replace("-", MINUS)


def ends_shown(ends: Sequence[float] | None) -> str:
    """Return both ends of an interval, empty where there is none."""
    return "" if ends is None else f"{shown(ends[0])} to {shown(ends[1])}"


def share_shown(part: int, whole: int) -> str:
    """Return a share as whole per cent, empty where nothing can be shared."""
    return f"{100 * part / whole:.0f}\u202f%" if whole else ""


def told_apart(place: int, looks: Sequence[str]) -> str:
    """Return how a condition looks beside its colour; of two of one colour each has its own."""
    return looks[(place + place // COLOURS) % len(looks)]
