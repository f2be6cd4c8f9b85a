"""The terminal record as a table that a person reads, at most 120 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from gates.measured_table import measured_lines
from gates.metric_table import CONDITIONS
from gates.sensitivity_table import sensitivity_lines
from gates.text_table import interval_text, number, table

_WIDTH: Final = 100
_DIGITS: Final = (3, 4, 5, 6)
"""Decimals of a rule's value: more of them where fewer would make it look like its threshold."""

_ANSWERED: Final = {
    "instrument": "the {kind} agent",
    "model": "a language model",
    "simulation": "a simulated agent",
}
"""By evidence; `kind` is the agent's."""

_SHOWS: Final = {
    "instrument": ": a check of the instrument, not a test of the hypothesis",
    "model": "",
    "simulation": ": never evidence",
}

CONDITION_COLUMNS: Final = (
    ("task_pass", "pass"),
    ("next_tool_recall_at_5", "recall@5"),
    ("gold_trace_recall_at_5", "gold trace"),
    ("initial_miss", "missed"),
    ("recovery_after_initial_miss", "recovery"),
    ("state_completion", "steps"),
    ("tool_schema_tokens", "schema tokens"),
    ("model_turns", "turns"),
)

_LEGEND: Final = (
    "recall@5 of the next tool, in the episodes and along the gold trace; missed: initial misses;",
    "recovery: of these; steps: state completion; schema tokens and turns: means per episode",
)


def summary_lines(terminal: Mapping[str, Any]) -> list[str]:
    """Return the lines: what was run, the conditions, what stands beside the gate, the verdict."""
    counts, gate = terminal["counts"], terminal["gate"]
    kind = "development split: never evidence" if terminal["development"] else "frozen study"
    level = f"{100 * float(terminal['plan']['level']):.4g}%"
    head = ["", "rule", "value", "threshold", f"primary {level}", f"companion {level}", "supported"]
    passed = sum(rule["passed"] for rule in gate["rules"])
    return [
        f"Study {terminal['study']} ({kind}), split {terminal['split']}, "
        f"{counts['tasks']} tasks, {counts['episodes']:,} episodes",
        answered(terminal),
        f"Identity {terminal['identity']}",
        f"Digest   {terminal['digest']}",
        "",
        *condition_lines(terminal, label(terminal)),
        "",
        *sensitivity_lines(terminal),
        "",
        *measured_lines(terminal, ordered(terminal["metrics"])),
        "",
        f"Gate ({label(terminal)}; point estimates decide, intervals stand beside):",
        *table([head, *map(rule_cells, gate["rules"])], left=2),
        *_notes(gate["rules"]),
        "",
        f"Gate {'PASSED' if gate['passed'] else 'NOT PASSED'}:"
        f" {passed} of {len(gate['rules'])} rules hold.",
    ]


def condition_lines(record: Mapping[str, Any], about: str) -> list[str]:
    """Return the table of conditions, with what every table says."""
    return [
        f"Conditions over all episodes ({about}):",
        *table(
            [["condition", *(title for _, title in CONDITION_COLUMNS)], *condition_cells(record)],
            left=1,
        ),
        *(f"  {line}" for line in _LEGEND),
    ]


def label(terminal: Mapping[str, Any]) -> str:
    """Return what every table says: confirmatory or exploratory, and what answered.

    What was built on its tasks, or what no model answered, confirms nothing (`gates.choice`).
    """
    confirms = not terminal["development"] and terminal["evidence"] == "model"
    kind = "confirmatory" if confirms else "exploratory"
    return f"{kind}, {_answered(terminal)}"


def answered(terminal: Mapping[str, Any]) -> str:
    """Return what answered and what its results can show, as a sentence without its full stop."""
    return f"Answered by {_answered(terminal)}{_SHOWS[terminal['evidence']]}"


def _answered(terminal: Mapping[str, Any]) -> str:
    return _ANSWERED[terminal["evidence"]].format(kind=terminal["agent"]["kind"])


def ordered(conditions: Iterable[str]) -> list[str]:
    """Return conditions in the protocol's order, others behind them by name."""
    found = sorted(conditions)
    known = [name for name in CONDITIONS if name in found]
    return known + [name for name in found if name not in known]


def condition_cells(terminal: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the cells of every condition: its name, then `CONDITION_COLUMNS`."""
    for condition in ordered(terminal["metrics"]):
        figures = terminal["metrics"][condition]["overall"]
        yield [condition, *(number(figures[key]) for key, _ in CONDITION_COLUMNS)]


def rule_cells(rule: Mapping[str, Any]) -> list[str]:
    """Return a rule's cells: decision, name, value, threshold, both intervals, support."""
    value, threshold = rule["value"], rule["threshold"]
    texts = [(number(value, digits), number(threshold, digits)) for digits in _DIGITS]
    differing = [pair for pair in texts if pair[0] != pair[1]] if value != threshold else []
    shown = (differing or texts)[0]
    return [
        "pass" if rule["passed"] else "FAIL",
        rule["id"],
        shown[0],
        f"{rule['comparison']} {shown[1]}",
        interval_text(rule["interval"]),
        interval_text(rule["companion_interval"]),
        {True: "yes", False: "no", None: "-"}[rule["supported"]],
    ]


def _notes(rules: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield verdicts, remarks and reasons, each once with the rules that it is about."""
    notes: dict[str, list[str]] = {}
    for rule in rules:
        for note in (rule["verdict"], rule["carried_by"].get("remark"), rule["reason"]):
            if note:
                notes.setdefault(note, []).append(rule["id"])
    for note, about in notes.items():
        yield from textwrap.wrap(
            f"{', '.join(about)}: {note}", _WIDTH, initial_indent="  ", subsequent_indent="    "
        )
