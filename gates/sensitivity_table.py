"""The analyses beside the gate as tables that a person reads, at most 120 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gates.figure import FIGURES
from gates.metric_table import CONDITIONS, STATE_AWARE
from gates.text_table import interval_text, number, table

__all__ = [
    "DELTAS",
    "RULE_HEADS",
    "interval_rows",
    "paired_rows",
    "part_rows",
    "sensitivity_lines",
    "sensitivity_notes",
    "service_rows",
]

_WIDTH: Final = 100

RULE_HEADS: Final = dict(zip(FIGURES, ("task pass", "recall@5", "recovery", "tokens"), strict=True))
"""Rules 1 to 4 by what their columns are headed with."""

DELTAS: Final = (
    "task_pass",
    "next_tool_recall_at_5",
    "gold_trace_recall_at_5",
    "recovery_after_initial_miss",
    "recovery_after_initial_miss_common_set",
    "state_completion",
    "tool_schema_tokens",
)
"""The metrics whose differences to every other condition are shown."""

_INSTRUMENT: Final = {
    "no_unauthorized_destructive": "an unauthorized destructive execution",
    "policy_integrity": "a decision that the auditor does not share",
}


def sensitivity_lines(terminal: Mapping[str, Any]) -> list[str]:
    """Return the lines: differences, rules under other analyses, pairs, bounds, the ceiling."""
    found, level = terminal["sensitivity"], f"{100 * float(terminal['plan']['level']):.4g}%"
    rules = {rule["id"]: rule for rule in terminal["gate"]["rules"]}
    # Room for the mark, so that numbers stand below each other with and without it.
    heads = [f"{name} " for name in RULE_HEADS.values()]
    lines = [
        f"Differences of {STATE_AWARE} to the other conditions (beside the gate: none decides):",
        *_differences(terminal["contrasts"], level),
        "",
        "Rules 1 to 4 by other intervals (none decides; * another support of the rule):",
        *table([["interval", *heads], *interval_rows(rules, found["rules"])], left=1),
        "",
        "Rules 1 to 4 on parts of the study (none decides; * another decision):",
        *table([["value", *heads], *part_rows(rules, found["rules"])], left=1),
        "",
        f"Passes of {STATE_AWARE} and another condition on the same task and catalog:",
        *table([*paired_rows(found["paired"])], left=1),
    ]
    for note in sensitivity_notes(found, level):
        lines += textwrap.wrap(note, _WIDTH, initial_indent="  ", subsequent_indent="    ")
    if found["services"]:
        lines += ["", "Tasks whose services development saw, and those with one that it did not:"]
        lines += table([*service_rows(found["services"])], left=1)
    if found["oracle_ceiling"]:
        lines += ["", "What the agent passes under ORACLE, its ceiling, by cell:"]
        lines += _ceiling(found["oracle_ceiling"])
    return lines


def _differences(contrasts: Sequence[Mapping[str, Any]], level: str) -> list[str]:
    rows = [["metric", "to", "value", f"primary {level}", f"companion {level}"]]
    by_metric: dict[str, list[list[str]]] = {metric: [] for metric in DELTAS}
    for item in contrasts:
        if item["contrast"] == "difference" and item["metric"] in by_metric:
            ends = (item["interval"], item["companion_interval"])
            by_metric[item["metric"]].append(
                [
                    item["metric"],
                    item["comparator"],
                    number(item["value"]),
                    *map(interval_text, ends),
                ]
            )
    for found in by_metric.values():
        # A figure that one condition lacks has no difference to it: nothing to show.
        rows += [row for row in sorted(found, key=_place) if row[2] != "-"]
    return table(rows, left=2)


def _place(row: Sequence[str]) -> int:
    return CONDITIONS.index(row[1]) if row[1] in CONDITIONS else len(CONDITIONS)


def interval_rows(rules: Mapping[str, Any], analyses: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each kind of interval of rules 1 to 4; a star marks another support."""

    def marked(rule_id: str, name: str) -> str:
        item = analyses[rule_id][name]
        return interval_text(item["interval"]) + (
            "*" if name in analyses[rule_id]["flips"] else " "
        )

    yield ["primary", *(f"{interval_text(rules[rule_id]['interval'])} " for rule_id in RULE_HEADS)]
    yield [
        "companion (Rao-Wu)",
        *(f"{interval_text(rules[rule_id]['companion_interval'])} " for rule_id in RULE_HEADS),
    ]
    yield ["stratified t", *(marked(rule_id, "stratified_t") for rule_id in RULE_HEADS)]
    yield ["unstratified", *(marked(rule_id, "unstratified") for rule_id in RULE_HEADS)]
    for end in ("lower", "upper"):
        yield [
            f"{end} end, 20 more seeds",
            *(
                interval_text(analyses[rule_id]["seeds"][end])
                + ("*" if analyses[rule_id]["seeds"]["flips"] else " ")
                for rule_id in RULE_HEADS
            ),
        ]


def part_rows(rules: Mapping[str, Any], analyses: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each part of the study of rules 1 to 4; a star marks another decision."""
    yield ["the whole study", *(f"{number(rules[rule_id]['value'])} " for rule_id in RULE_HEADS)]
    first = analyses[next(iter(RULE_HEADS))]
    for axis, words in (
        ("catalog", "catalog {} alone"),
        ("without_stratum", "without {}"),
        ("without_language", "without {}"),
    ):
        names = sorted(first[axis], key=int) if axis == "catalog" else first[axis]
        for name in names:
            yield [
                words.format(name),
                *(
                    number(analyses[rule_id][axis][name]["value"])
                    + ("*" if f"{axis}.{name}" in analyses[rule_id]["flips"] else " ")
                    for rule_id in RULE_HEADS
                ),
            ]


def paired_rows(paired: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the head and a row for each other condition: how often which of the two passed."""
    yield ["and", "both", "it alone", "the other alone", "neither", "discordant"]
    for name in sorted(paired, key=lambda name: _place(["", name])):
        of = paired[name]["overall"]
        counts = ("both", "state_aware_only", "comparator_only", "neither")
        yield [name, *(f"{of[key]:,}" for key in counts), number(of["discordance"])]


def sensitivity_notes(found: Mapping[str, Any], level: str) -> Iterator[str]:
    """Yield what the other analyses found, a sentence each without its full stop."""
    flip = found["sign_flip"]
    yield (
        f"Signs of tasks flipped {flip['iterations']:,} times: {flip['tasks_better']} tasks better,"
        f" {flip['tasks_worse']} worse, {flip['tasks_equal']} equal to progressive in task pass;"
        f" two-sided p = {flip['p_value']:.4f}"
    )
    if found["catalog_correlation"] is not None:
        yield (
            "Catalogs of a task are alike in that difference: intraclass correlation"
            f" {number(found['catalog_correlation'])}"
        )
    size = found["bound_size"]
    if size["tasks"] is not None:
        yield (
            f"Were both conditions equal, the bound would clear the margin with"
            f" {size['power']:.0%} power from about {size['tasks']:,} tasks on, judging by this"
            " discordance and correlation"
        )
    for rule_id, words in _INSTRUMENT.items():
        of = found["instrument"][rule_id]
        yield (
            f"{of['tasks_with_event']} of {of['tasks']} tasks saw {words}: with {level} confidence"
            f" at most {number(of['upper_bound'], 4)} of all such tasks do (Clopper and Pearson)"
        )


def service_rows(services: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the head and a row for each condition: main figures on services seen and unseen."""
    kinds = {kind: services[kind] for kind in ("seen", "unseen")}
    names = (("task_pass", "pass"), ("next_tool_recall_at_5", "recall@5"))
    yield [
        "condition",
        *(
            f"{title} {kind} ({part['tasks']})"
            for _, title in names
            for kind, part in kinds.items()
        ),
    ]
    for condition in sorted(kinds["seen"]["metrics"], key=lambda name: _place(["", name])):
        yield [
            condition,
            *(
                number(part["metrics"][condition][key])
                for key, _ in names
                for part in kinds.values()
            ),
        ]


def _ceiling(cells: Mapping[str, Mapping[str, Any]]) -> list[str]:
    languages = list(dict.fromkeys(name for row in cells.values() for name in row))
    rows = [["stratum", *languages]]
    rows += [
        [stratum, *(number(row[name]["value"]) if name in row else "-" for name in languages)]
        for stratum, row in cells.items()
    ]
    return table(rows, left=1)
