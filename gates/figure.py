"""What the four rules of evidence decide on and demand, for analyses that look at these alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from gates.estimand import Estimand
from gates.metric_table import METRICS, PROGRESSIVE, STATE_AWARE
from gates.rule import Comparison
from gates.threshold import Thresholds

__all__ = ["FIGURES", "demands"]


def _difference(metric: str) -> Estimand:
    return Estimand(METRICS[metric], STATE_AWARE, PROGRESSIVE, "difference")


FIGURES: Final = {
    "task_pass_non_inferiority": _difference("task_pass"),
    "next_tool_recall": Estimand(METRICS["next_tool_recall_at_5"], STATE_AWARE),
    "recovery_superiority": _difference("recovery_after_initial_miss"),
    "schema_token_economy": _difference("tool_schema_tokens"),
}
"""Rules 1 to 4 by their identifiers."""


def demands(thresholds: Thresholds) -> dict[str, tuple[Comparison, Fraction]]:
    """Give how each figure must stand to what, by rule."""
    return {
        "task_pass_non_inferiority": (">=", thresholds.task_pass_margin),
        "next_tool_recall": (">=", thresholds.recall_threshold),
        "recovery_superiority": (">", Fraction(0)),
        "schema_token_economy": ("<", Fraction(0)),
    }
