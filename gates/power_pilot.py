"""Rates for a simulation, taken from a study that was run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gates.metric_table import PROGRESSIVE, STATE_AWARE
from harness.power import RateSection

__all__ = ["pilot_rates"]


def pilot_rates(terminal: Mapping[str, Any], stated: RateSection) -> RateSection:
    """Take the rates of a terminal record; a rate that it cannot give stays as stated.

    Parameters
    ----------
    terminal
        The terminal record of the pilot.
    stated
        Rates to keep where the pilot has none: a recovery without a miss, a correlation of one
        catalog.

    Returns
    -------
    RateSection
        The per-step success is the one at which tasks of the pilot's steps pass as often as they
        did; steps are the rounded mean of each stratum.
    """
    first, second = (terminal["metrics"][arm]["overall"] for arm in (STATE_AWARE, PROGRESSIVE))
    counts = terminal["denominators"][PROGRESSIVE]
    steps = tuple(
        max(1, round(part["state_completion"] / part["task_pass"]))
        for part in counts["stratum"].values()
    )
    beside = terminal["sensitivity"]
    widened = second["whole_catalog"]
    narrow = second["tool_schema_tokens_narrow"] or 0.0
    whole = (second["tool_schema_tokens"] - (1 - widened) * narrow) / widened if widened else 0.0
    found: dict[str, float | None] = {
        "step_success": _per_step(second["task_pass"], steps),
        "discordance": beside["paired"][PROGRESSIVE]["overall"]["discordance"],
        "catalog_correlation": _share(beside["catalog_correlation"]),
        "recall": first["next_tool_recall_at_5"],
        "retry": _retry(terminal["denominators"][STATE_AWARE]["overall"]),
        "initial_miss": first["initial_miss"],
        "progressive_initial_miss": second["initial_miss"],
        "recovery": first["recovery_after_initial_miss"],
        "progressive_recovery": second["recovery_after_initial_miss"],
        "whole_catalog": widened,
        "tokens": round(first["tool_schema_tokens"]),
        "progressive_tokens": round(narrow),
        "whole_catalog_tokens": max(0, round(whole)),
    }
    known = {name: value for name, value in found.items() if value is not None}
    return RateSection.model_validate({**stated.model_dump(), **known, "steps": steps})


def _per_step(passed: float, steps: tuple[int, ...]) -> float:
    """Solve for the per-step success at which tasks of these steps pass so often."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = sum(middle**number for number in steps) / len(steps)
        low, high = (middle, high) if mean < passed else (low, middle)
    return high


def _retry(counts: Mapping[str, int]) -> float | None:
    """Give how many recall events a step makes beyond its first arrival."""
    steps, episodes = counts["state_completion"], counts["task_pass"]
    arrivals = steps - episodes
    return _share((counts["next_tool_recall_at_5"] - arrivals) / steps)


def _share(value: float | None) -> float | None:
    return None if value is None else min(1.0, max(0.0, value))
