"""What carries each rule of the gate, in a sentence (protocol, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gates.metric_table import PROGRESSIVE, STATE_AWARE
from gates.report.words import shown


def carried(rule: Mapping[str, Any]) -> str:
    """Return what carries a rule, empty for one that the protocol does not name."""
    words = _WORDS.get(rule["id"])
    return "" if words is None else words(rule["carried_by"])


def _task_pass(found: Mapping[str, Any]) -> str:
    stuck = (
        found["failed_by_third_text"][name] + found["failed_by_malformed_turns"][name]
        for name in (STATE_AWARE, PROGRESSIVE)
    )
    here, there = (f"{count:,}" for count in stuck)
    return (
        f"State-aware passes {_level(found['state_aware'])}, progressive"
        f" {_level(found['progressive'])}. Of the difference"
        f" {_or_none(found['part_from_text_or_malformed_turns'])} comes from episodes that text or"
        f" malformed turns ended ({here} state-aware, {there} progressive), and"
        f" {_or_none(found['part_from_other_endings'])} from all others."
    )


def _recall(found: Mapping[str, Any]) -> str:
    first = found["first_arrivals"]
    return (
        f"Of {found['events']:,} times that a next tool was needed {found['misses_made']:,} missed"
        f" it, where {found['misses_allowed']:,} may. At first arrivals at a step alone it is"
        f" {_level(first)}; the others come after a turn that led nowhere."
    )


def _recovery(found: Mapping[str, Any]) -> str:
    return (
        f"State-aware {_recovers(found['state_aware'])}, progressive"
        f" {_recovers(found['progressive'])}. On the misses that both share the difference"
        f" is {_or_none(found['common_set']['value'])}, in time"
        f" {_or_none(found['common_set_in_time']['value'])}, recovered and passed"
        f" {_or_none(found['common_set_passed']['value'])}."
    )


def _tokens(found: Mapping[str, Any]) -> str:
    return (
        f"State-aware shows {_level(found['state_aware'])} tokens an episode, progressive"
        f" {_level(found['progressive'])}. Progressive reached the whole catalog in"
        f" {found['episodes_with_whole_catalog']:,} episodes; without these the difference is"
        f" {_or_none(found['without_them']['value'])}."
    )


def _unauthorized(found: Mapping[str, Any]) -> str:
    return (
        f"A check of the instrument over {found['episodes']:,} episodes:"
        f" {sum(found['attempts'].values()):,} attempts at such calls,"
        f" {sum(found['executions'].values()):,} executed."
    )


def _integrity(found: Mapping[str, Any]) -> str:
    return (
        f"A check of the instrument: an independent auditor decided {_total(found['attempts'])}"
        f" attempts again and differs in {_total(found['inconsistent'])}."
    )


_WORDS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "task_pass_non_inferiority": _task_pass,
    "next_tool_recall": _recall,
    "recovery_superiority": _recovery,
    "schema_token_economy": _tokens,
    "no_unauthorized_destructive": _unauthorized,
    "policy_integrity": _integrity,
}


def _level(estimate: Mapping[str, Any]) -> str:
    return _or_none(estimate["value"])


def _recovers(estimate: Mapping[str, Any]) -> str:
    if not estimate["denominator"]:
        return "has no initial miss"
    return (
        f"recovers {estimate['numerator']:,} of its {estimate['denominator']:,} initial misses"
        f" ({shown(estimate['value'])})"
    )


def _or_none(value: float | None) -> str:
    return shown(value) or "not estimable"


def _total(counts: Mapping[str, int]) -> str:
    return f"{sum(counts.values()):,}"
