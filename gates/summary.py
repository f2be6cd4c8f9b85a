"""The terminal record as a table that a person reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_EVIDENCE = {
    "instrument": "the reference agent: a check of the instrument, not a test of the hypothesis",
    "model": "a language model",
    "simulation": "a simulated agent: never evidence",
}

_COLUMNS = (
    ("task_pass", "pass"),
    ("next_tool_recall_at_5", "recall@5"),
    ("gold_trace_recall_at_5", "gold-trace recall@5"),
    ("initial_miss", "initial miss"),
    ("recovery_after_initial_miss", "recovery"),
    ("state_completion", "steps done"),
    ("tool_schema_tokens", "schema tokens"),
    ("model_turns", "turns"),
)


def summary_lines(terminal: Mapping[str, Any]) -> list[str]:
    """Return the lines: what was run, the five conditions, the six rules and the verdict."""
    counts, gate = terminal["counts"], terminal["gate"]
    kind = "development split: never evidence" if terminal["development"] else "frozen study"
    lines = [
        f"Study {terminal['study']} ({kind}), split {terminal['split']}, "
        f"{counts['tasks']} tasks, {counts['episodes']} episodes",
        f"Answered by {_EVIDENCE[terminal['evidence']]}",
        f"Identity {terminal['identity']}",
        f"Digest   {terminal['digest']}",
        "",
    ]
    header = ["condition", *(title for _, title in _COLUMNS)]
    rows = [
        [condition, *(number(part["overall"][key]) for key, _ in _COLUMNS)]
        for condition, part in terminal["metrics"].items()
    ]
    lines += _table([header, *rows])
    lines += ["", "Gate (point estimates decide; intervals stand beside):"]
    lines += _table(
        [
            ["", "rule", "value", "threshold", "primary 95%", "companion 95%", "supported"],
            *(_rule(rule) for rule in gate["rules"]),
        ]
    )
    lines += [f"  {rule['id']}: {rule['reason']}" for rule in gate["rules"] if rule["reason"]]
    passed = sum(rule["passed"] for rule in gate["rules"])
    word = "PASSED" if gate["passed"] else "NOT PASSED"
    lines += ["", f"Gate {word}: {passed} of {len(gate['rules'])} rules hold."]
    return lines


def number(value: float | None) -> str:
    """Return a number as text: three decimals below ten, one above, a dash for none."""
    if value is None:
        return "-"
    if float(value).is_integer() and abs(value) >= 10:
        return f"{value:,.0f}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}"


def _rule(rule: Mapping[str, Any]) -> list[str]:
    supported = {True: "yes", False: "no", None: "-"}[rule["supported"]]
    return [
        "pass" if rule["passed"] else "FAIL",
        rule["id"],
        number(rule["value"]),
        f"{rule['comparison']} {number(rule['threshold'])}",
        _interval(rule["interval"]),
        _interval(rule["companion_interval"]),
        supported,
    ]


def _interval(ends: Sequence[float] | None) -> str:
    return "-" if ends is None else f"[{number(ends[0])}, {number(ends[1])}]"


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as aligned columns: the first texts to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    left = 2 if not rows[0][0] else 1
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
