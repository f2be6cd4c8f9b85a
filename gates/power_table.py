"""A power analysis as tables that a person reads."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from gates.text_table import number, table

__all__ = ["power_lines"]

_WIDTH: Final = 100

_RULES: Final = (
    "task_pass_non_inferiority",
    "next_tool_recall",
    "recovery_superiority",
    "schema_token_economy",
)

_OTHERS: Final = {
    "next_tool_recall": ("recall", "Rule 2 by true recall"),
    "recovery_superiority": (
        "recovery",
        "Rule 3 by true difference of recovery, the state-aware arm's recovery beside",
    ),
    "schema_token_economy": (
        "whole_catalog",
        "Rule 4 by true difference of schema tokens, the share that reaches the whole catalog"
        " beside",
    ),
}


def power_lines(record: Mapping[str, Any]) -> list[str]:
    """Return the lines: what was simulated, a table a kind of effect, sample sizes, assumptions."""
    design, how, tables = record["design"], record["simulation"], record["tables"]
    margin = float(Fraction(record["thresholds"]["task_pass_margin"]))
    pilot = record["pilot"]
    source = "stated rates" if pilot is None else f"rates of {pilot['study']} ({pilot['evidence']})"
    lines = [
        f"Power of the design of study {record['study']} ({record['label']}), {source}",
        f"{design['strata']} x {design['languages']} cells of {design['tasks_per_cell']} tasks,"
        f" {design['tasks']} tasks on {design['catalogs']} catalogs; {how['studies']:,} simulated"
        f" studies a row, {how['iterations']:,} replicates",
        "",
        "Shares of studies in which each rule and the whole gate pass, by true difference of task"
        " pass:",
        *table(list(_passing(tables["task_pass"])), left=0),
        "",
        f"Rule 1 beyond its point estimate (margin {margin:g}):",
        *table(list(_verdicts(tables["task_pass"])), left=0),
        "",
        f"Coverage of the {100 * float(how['level']):.4g}% intervals of the task-pass difference:",
        *table(list(_coverage(tables["task_pass"])), left=0),
    ]
    for name, (rate, title) in _OTHERS.items():
        if tables[name]:
            lines += ["", f"{title}:", *table(list(_rule(tables[name], rate)), left=0)]
    if tables["size"]:
        lines += [
            "",
            f"Tasks until the lower bound clears the margin with {how['power']:.0%} power:",
            *table(list(_sizes(tables["size"])), left=0),
        ]
    lines.append("")
    for note in (
        *_notes(record),
        *(f"Taken for granted: {item}." for item in record["assumptions"]),
    ):
        lines += textwrap.wrap(note, _WIDTH, subsequent_indent="  ")
    return lines


def _passing(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    yield ["true", "task pass", "recall@5", "recovery", "tokens", "gate"]
    for row in rows:
        passed = row.get("passed", {})
        yield [
            number(row["true"]),
            *(number(passed.get(rule_id)) for rule_id in (*_RULES, "gate")),
        ]


def _verdicts(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    words = ("non-inferiority demonstrated", "inconclusive at this sample size", "inferior")
    yield ["true", "passes", "supported", "demonstrated", "inconclusive", "inferior", "t bound"]
    for row in rows:
        verdicts = row.get("verdicts", {})
        yield [
            number(row["true"]),
            number(row.get("passed", {}).get(_RULES[0])),
            number(row.get("supported")),
            *(number(verdicts.get(word)) for word in words),
            number(row.get("demonstrated_by_t")),
        ]


def _coverage(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    names = ("primary", "companion", "stratified_t")
    yield [
        "true",
        "primary",
        "companion",
        "stratified t",
        *(f"{name} width" for name in ("primary", "companion", "t")),
    ]
    for row in rows:
        yield [
            number(row["true"]),
            *(number(row.get("coverage", {}).get(name)) for name in names),
            *(number(row.get("mean_width", {}).get(name)) for name in names),
        ]
    known = [row["coverage"] for row in rows if row["reason"] is None]
    if known:
        means = (sum(item[name] for item in known) / len(known) for name in names)
        yield ["mean", *map(number, means), "", "", ""]


def _rule(rows: Sequence[Mapping[str, Any]], rate: str) -> Iterator[list[str]]:
    yield ["true", rate, "passes", "supported", "primary", "companion", "stratified t"]
    for row in rows:
        covered = row.get("coverage", {})
        yield [
            number(row["true"]),
            number(row[rate]),
            number(row.get("passed")),
            number(row.get("supported")),
            *(number(covered.get(name)) for name in ("primary", "companion", "stratified_t")),
        ]


def _sizes(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    yield ["true", "discordance", "catalog correlation", "tasks", "a cell", "power", "normal"]
    for row in rows:
        yield [
            *(number(row[name]) for name in ("true", "discordance", "catalog_correlation")),
            *(
                "-" if row.get(name) is None else f"{row[name]:,}"
                for name in ("tasks", "tasks_per_cell")
            ),
            number(row.get("power")),
            "-" if row.get("approximate_tasks") is None else f"{row['approximate_tasks']:,}",
        ]


def _notes(record: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "A share p of n simulated studies has a standard error of sqrt(p (1 - p) / n): at most"
        f" {0.5 / record['simulation']['studies'] ** 0.5:.4f} here."
    )
    reasons = [
        (name, row["reason"])
        for name, rows in record["tables"].items()
        for row in rows
        if row["reason"] is not None
    ]
    for name, reason in dict.fromkeys(reasons):
        yield f"Not simulated ({name}): {reason}"
