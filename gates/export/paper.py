"""The tables of a paper: the gate and the main results, as cells that no markup has touched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gates.metric_table import STATE_AWARE
from gates.summary import (
    CONDITION_COLUMNS,
    answered,
    condition_cells,
    label,
    ordered,
    rule_cells,
)
from gates.text_table import interval_text, number

Row = tuple[str, ...]

_CONTRASTED: Final = (
    "task_pass",
    "next_tool_recall_at_5",
    "gold_trace_recall_at_5",
    "recovery_after_initial_miss",
    "tool_schema_tokens",
    "input_tokens",
)
"""The metrics whose differences are shown."""


@dataclass(frozen=True)
class PaperTable:
    """One table."""

    name: str
    caption: str
    head: Row
    rows: tuple[Row, ...]
    left: int
    """How many columns hold texts; the others hold numbers."""
    source: str
    """The identity and digest of the results that it shows."""
    notes: tuple[str, ...] = ()


def paper_tables(terminal: Mapping[str, Any]) -> tuple[PaperTable, ...]:
    """Return the tables of a terminal record.

    Parameters
    ----------
    terminal
        The record.
    """
    counts, kind = terminal["counts"], label(terminal)
    about = f"Study {terminal['study']}, split {terminal['split']} ({kind})"
    size = f"{counts['tasks']} tasks, {counts['episodes']:,} episodes"
    said = f"{answered(terminal)}."
    source = f"identity {terminal['identity']}, digest {terminal['digest']}"
    level = f"{100 * float(terminal['plan']['level']):.4g}%"
    return (
        PaperTable(
            "gate",
            f"{about}: the six rules of the success gate over {size}. Point estimates decide;"
            f" intervals stand beside. {said}",
            (
                "decision",
                "rule",
                "value",
                "threshold",
                f"primary {level}",
                f"companion {level}",
                "supported",
            ),
            tuple(tuple(rule_cells(rule)) for rule in terminal["gate"]["rules"]),
            left=2,
            source=source,
            notes=tuple(_notes(terminal["gate"]["rules"])),
        ),
        PaperTable(
            "conditions",
            f"{about}: the conditions over {size}; tokens and turns are means per episode. {said}",
            ("condition", *(title for _, title in CONDITION_COLUMNS)),
            tuple(tuple(cells) for cells in condition_cells(terminal)),
            left=1,
            source=source,
        ),
        PaperTable(
            "contrasts",
            f"{about}: {STATE_AWARE} minus each other condition over {size}. {said}",
            ("metric", "minus", "difference", f"primary {level}", f"companion {level}"),
            tuple(_contrasts(terminal)),
            left=2,
            source=source,
        ),
    )


def _contrasts(terminal: Mapping[str, Any]) -> Iterator[Row]:
    found = {
        (item["metric"], item["comparator"]): item
        for item in terminal["contrasts"]
        if item["contrast"] == "difference"
    }
    for metric in _CONTRASTED:
        for condition in ordered(terminal["metrics"]):
            item = found.get((metric, condition))
            if item is not None:
                yield (
                    metric,
                    condition,
                    number(item["value"]),
                    interval_text(item["interval"]),
                    interval_text(item["companion_interval"]),
                )


def _notes(rules: list[Mapping[str, Any]]) -> Iterator[str]:
    for rule in rules:
        for note in (rule["verdict"], rule["carried_by"].get("remark"), rule["reason"]):
            if note:
                yield f"{rule['id']}: {note}"
