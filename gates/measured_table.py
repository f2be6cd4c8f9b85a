"""What was measured beside the metrics, as a table that a person reads: time, provider's tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gates.text_table import number, table

__all__ = ["confounding", "measured_lines"]

_TIMES: Final = (
    ("wall_latency_ms", "ms"),
    ("model_ms", "agent"),
    ("retrieval_ms", "retrieval"),
    ("executor_ms", "executor"),
)
_TOKENS: Final = (
    ("input_tokens", "prompt tokens"),
    ("cached_tokens", "cached"),
    ("fresh_tokens", "fresh"),
    ("output_tokens", "new"),
)


def measured_lines(terminal: Mapping[str, Any], conditions: Sequence[str]) -> list[str]:
    """Return the lines: mean times, marked where confounded, and tokens where a provider told.

    Parameters
    ----------
    terminal
        The terminal record.
    conditions
        Its conditions, in the order of the lines.
    """
    times = [["condition", *(title for _, title in _TIMES)], *_times(terminal, conditions)]
    beside = confounding(terminal["timing"])
    lines = [
        f"Mean milliseconds of an episode and of its parts (none decides; {beside}):",
        *table(times, left=1),
    ]
    if any(terminal["usage"][name]["overall"]["told_turns"] for name in conditions):
        tokens = [["condition", *(title for _, title in _TOKENS)], *_usage(terminal, conditions)]
        lines += [
            "",
            "Tokens in the provider's own count (none decides; a dash is what it did not tell):",
            *table(tokens, left=1),
        ]
    return lines


def confounding(timing: Mapping[str, Any]) -> str:
    """Return what is said of times beside them, never left out."""
    if not timing["confounded"]:
        return "one episode at a time"
    count = timing["episodes_at_once"]
    if count is None:
        return "CONFOUNDED: how many episodes ran at once is not recorded"
    return f"CONFOUNDED: up to {count} episodes ran at once"


def _times(terminal: Mapping[str, Any], conditions: Sequence[str]) -> Iterator[list[str]]:
    for condition in conditions:
        means = terminal["latency"][condition]["overall"]
        yield [condition, *(number(means[key], 1) for key, _ in _TIMES)]


def _usage(terminal: Mapping[str, Any], conditions: Sequence[str]) -> Iterator[list[str]]:
    for condition in conditions:
        sums = terminal["usage"][condition]["overall"]
        yield [condition, *("-" if sums[key] is None else f"{sums[key]:,}" for key, _ in _TOKENS)]
