"""The tables of the report, each with the words that a reader needs beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gates.measured_table import confounding
from gates.metric_table import CAUSES, ENDINGS
from gates.report.words import LANGUAGE_WORDS, MASKED, MINUS, STRATUM_WORDS, shown
from gates.sensitivity_table import (
    RULE_HEADS,
    interval_rows,
    paired_rows,
    part_rows,
    sensitivity_notes,
    service_rows,
)
from gates.summary import CONDITION_COLUMNS, ordered

_CAUSE_WORDS: Final = {
    "not_exposed": "tool not shown",
    "not_called": "shown, not called",
    "wrong_arguments": "wrong arguments",
    "stopped_early": "stopped early",
}
_ENDING_WORDS: Final = {
    "clean_stop": "said it was done",
    "third_text": "third turn without a call",
    "malformed": "malformed turn",
    "turn_limit": "turns used up",
    "overflow": "context overflow",
}
_TIMES: Final = (
    ("wall_latency_ms", "episode"),
    ("model_ms", "agent"),
    ("retrieval_ms", "retrieval"),
    ("executor_ms", "executor"),
)
_TOKENS: Final = (
    ("tool_schema_tokens", "tool schemas"),
    ("input_tokens", "prompts"),
    ("overflow_tokens", "prompts that overflowed"),
)
_PROVIDER: Final = (
    ("input_tokens", "prompt"),
    ("cached_tokens", "of these cached"),
    ("fresh_tokens", "of these fresh"),
    ("output_tokens", "new"),
)


@dataclass(frozen=True)
class Table:
    """A table whose first column says what a row is about."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def condition_table(terminal: Mapping[str, Any]) -> Table:
    """Return the main figures of every condition."""
    return Table(
        "Every condition over all episodes",
        ("condition", *(title for _, title in CONDITION_COLUMNS)),
        tuple(
            (name, *(shown(_overall(terminal, name)[key]) for key, _ in CONDITION_COLUMNS))
            for name in ordered(terminal["metrics"])
        ),
        "Shares from 0 to 1, but for schema tokens and turns, which are means per episode."
        " Recall@5 of the next tool is counted in the episodes, and along the gold trace; recovery"
        " is a share of the initial misses. An empty cell has no such figure.",
    )


def failure_table(terminal: Mapping[str, Any]) -> Table:
    """Return why episodes failed, as shares of all episodes."""
    return Table(
        "Why episodes failed: shares of all episodes of a condition",
        ("condition", "failed", *(_CAUSE_WORDS[cause] for cause in CAUSES)),
        tuple(
            (
                name,
                shown(1 - _overall(terminal, name)["task_pass"]),
                *(shown(_overall(terminal, name)[f"cause_{cause}"]) for cause in CAUSES),
            )
            for name in ordered(terminal["metrics"])
        ),
        "By what happened to the first step that was never done.",
    )


def ending_table(terminal: Mapping[str, Any]) -> Table:
    """Return how episodes ended, as shares of all episodes."""
    return Table(
        "How episodes ended: shares of all episodes of a condition",
        ("condition", *(_ENDING_WORDS[ending] for ending in ENDINGS)),
        tuple(
            (name, *(shown(_overall(terminal, name)[f"ending_{ending}"]) for ending in ENDINGS))
            for name in ordered(terminal["metrics"])
        ),
    )


def cost_tables(terminal: Mapping[str, Any]) -> tuple[Table, ...]:
    """Return tokens and times; times say whether they are confounded."""
    names = ordered(terminal["metrics"])
    tables = [
        Table(
            "Tokens, mean per episode, by the pinned tokenizer",
            ("condition", *(title for _, title in _TOKENS)),
            tuple(
                (name, *(shown(_overall(terminal, name)[key], 0) for key, _ in _TOKENS))
                for name in names
            ),
        ),
        Table(
            "Times in milliseconds, mean per episode",
            ("condition", *(title for _, title in _TIMES)),
            tuple(
                (
                    name,
                    *(shown(terminal["latency"][name]["overall"][key], 1) for key, _ in _TIMES),
                )
                for name in names
            ),
            f"{confounding(terminal['timing']).capitalize()}.",
        ),
    ]
    usage = terminal["usage"]
    if any(usage[name]["overall"]["told_turns"] for name in names):
        tables.append(
            Table(
                "Tokens in the provider's own count, summed over all episodes",
                ("condition", *(title for _, title in _PROVIDER)),
                tuple(
                    (name, *(shown(usage[name]["overall"][key]) for key, _ in _PROVIDER))
                    for name in names
                ),
                "An empty cell is what the provider did not tell.",
            )
        )
    return tuple(tables)


def sensitivity_tables(terminal: Mapping[str, Any]) -> tuple[Table, ...]:
    """Return the analyses that were fixed beside the gate."""
    found = terminal["sensitivity"]
    rules = {rule["id"]: rule for rule in terminal["gate"]["rules"]}
    heads = tuple(RULE_HEADS.values())
    pairs = list(paired_rows(found["paired"]))
    tables = [
        Table(
            "Rules 1 to 4 by other intervals",
            ("interval", *heads),
            _clean(interval_rows(rules, found["rules"])),
            "A star marks another support of the rule than its primary interval's. Where there is"
            " none, the verdict says why.",
        ),
        Table(
            "Rules 1 to 4 on parts of the study",
            ("value on", *heads),
            tuple((_part(row[0]), *row[1:]) for row in _clean(part_rows(rules, found["rules"]))),
            "A star marks another decision than the whole study's.",
        ),
        Table(
            "State-aware and another condition on the same task and catalog",
            ("the other", *pairs[0][1:]),
            _clean(pairs[1:]),
            "Episodes that both passed, that one of them passed, and that neither did.",
        ),
    ]
    if found["services"]:
        rows = list(service_rows(found["services"]))
        tables.append(
            Table(
                "Tasks whose services development saw, and those with one that it did not",
                tuple(rows[0]),
                _clean(rows[1:]),
                "In brackets the number of tasks. Retriever and reference agent were built on the"
                " development tasks.",
            )
        )
    if found["oracle_ceiling"]:
        tables.append(_ceiling(found["oracle_ceiling"]))
    return tuple(tables)


def sensitivity_remarks(terminal: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what else was found beside the gate, in sentences."""
    level = f"{100 * float(terminal['plan']['level']):.4g}%"
    return tuple(f"{note}." for note in sensitivity_notes(terminal["sensitivity"], level))


def masked(table: Table) -> Table:
    """Return a table with every figure masked; its rows and columns are the design's."""
    return Table(
        table.caption,
        table.heads,
        tuple((row[0], *(MASKED for _ in row[1:])) for row in table.rows),
        table.note,
    )


def _ceiling(cells: Mapping[str, Mapping[str, Any]]) -> Table:
    languages = tuple(dict.fromkeys(name for row in cells.values() for name in row))
    return Table(
        "What the agent passes under ORACLE: its ceiling, by cell",
        ("stratum", *(LANGUAGE_WORDS.get(name, name) for name in languages)),
        tuple(
            (
                STRATUM_WORDS.get(stratum, stratum),
                *(shown(row[name]["value"]) if name in row else "" for name in languages),
            )
            for stratum, row in cells.items()
        ),
    )


def _clean(rows: Iterator[list[str]] | Sequence[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple((row[0], *(_figure(cell.strip()) for cell in row[1:])) for row in rows)


def _part(name: str) -> str:
    """Return ``without de`` in words."""
    about, _, part = name.rpartition(" ")
    words = STRATUM_WORDS.get(part) or LANGUAGE_WORDS.get(part)
    return name if words is None else f"{about} “{words}”"


def _figure(text: str) -> str:
    return "" if text == "-" else text.replace("-", MINUS)


def _overall(terminal: Mapping[str, Any], condition: str) -> Mapping[str, Any]:
    overall: Mapping[str, Any] = terminal["metrics"][condition]["overall"]
    return overall
