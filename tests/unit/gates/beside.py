"""A small record of the analyses beside the gate, as `gates.sensitivity` writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gates.figure import FIGURES
from gates.metric_table import PROGRESSIVE, STATE_AWARE


def rules() -> list[dict[str, Any]]:
    """Rules 1 to 4 as far as the tables look at them."""
    return [
        {"id": rule_id, "value": 0.5, "interval": [0.0, 1.0], "companion_interval": None}
        for rule_id in FIGURES
    ]


def contrasts() -> list[dict[str, Any]]:
    """Differences out of order, one without a value, one metric and one contrast of no interest."""
    rows: list[tuple[str, str, str, float | None, Any, Any]] = [
        (
            "tool_schema_tokens",
            "FULL",
            "difference",
            -271646.0,
            [-300000.0, -250000.0],
            [-300001.0, -249999.0],
        ),
        ("task_pass", PROGRESSIVE, "difference", -0.01, [-0.03, 0.012], None),
        ("task_pass", "SR-5-STATIC", "difference", 0.2, [0.1, 0.3], [0.09, 0.31]),
        ("next_tool_recall_at_5", "FULL", "difference", None, None, None),
        ("tool_schema_tokens", "FULL", "ratio", 0.1, [0.0, 0.2], None),
        ("model_turns", "FULL", "difference", 0.1, [0.0, 0.2], None),
    ]
    names = ("metric", "comparator", "contrast", "value", "interval", "companion_interval")
    return [{"condition": STATE_AWARE, **dict(zip(names, row, strict=True))} for row in rows]


def beside(strata: Sequence[str] = ("b", "a")) -> dict[str, Any]:
    """The analyses; t and a seed flip rule 1, leaving out the first stratum flips all rules."""
    found: dict[str, Any] = {}
    for place, rule_id in enumerate(FIGURES):
        last = place == len(FIGURES) - 1
        found[rule_id] = {
            "stratified_t": {"interval": None if last else [0.25, 0.75]},
            "unstratified": {"interval": [-0.5, 0.5]},
            "without_stratum": {name: {"value": 0.25} for name in strata},
            "without_language": {"ko": {"value": None}},
            # Canonical JSON sorts keys as texts.
            "catalog": {size: {"value": int(size) / 2000} for size in ("100", "1000", "250")},
            "seeds": {
                "lower": None if last else [-0.1, 0.0],
                "upper": None if last else [0.1, 0.2],
                "flips": [] if place else [20260931],
            },
            "flips": [
                *([] if place else ["stratified_t", "seeds"]),
                f"without_stratum.{strata[0]}",
            ],
        }
    return {
        "rules": found,
        "sign_flip": {
            "tasks_better": 11,
            "tasks_worse": 5,
            "tasks_equal": 164,
            "iterations": 10_000,
            "p_value": 0.28237,
        },
        "catalog_correlation": 0.6293,
        "bound_size": {"true": 0.0, "power": 0.8, "tasks": 4921},
        "paired": {
            "ORACLE": {"overall": _pairs(56, 0, 28, 6, 0.311)},
            PROGRESSIVE: {"overall": _pairs(1300, 20, 10, 24, 0.0222)},
        },
        "instrument": {
            "no_unauthorized_destructive": {
                "tasks": 180,
                "tasks_with_event": 0,
                "upper_bound": 0.0165052,
            },
            "policy_integrity": {"tasks": 180, "tasks_with_event": 2, "upper_bound": 0.0346},
        },
        "services": {
            "seen": _services(60, 0.9, 0.99),
            "unseen": _services(120, 0.5, None),
        },
        "oracle_ceiling": {
            "a": {"en": {"value": 1.0}},
            "b": {"en": {"value": 0.5}, "ko": {"value": 0.0}},
        },
    }


def _services(tasks: int, passed: float, recall: float | None) -> dict[str, Any]:
    figures = {"task_pass": passed, "next_tool_recall_at_5": recall}
    return {"tasks": tasks, "metrics": {"ORACLE": figures, STATE_AWARE: figures}}


def _pairs(both: int, first: int, second: int, neither: int, discordance: float) -> dict[str, Any]:
    return {
        "both": both,
        "state_aware_only": first,
        "comparator_only": second,
        "neither": neither,
        "discordance": discordance,
    }
