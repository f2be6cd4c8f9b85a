"""The six rules of the gate as the report states them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gates.report.carried import carried
from gates.report.words import MASKED, MINUS, RULE_WORDS, ends_shown, shown
from gates.summary import rule_cells

_COUNT: Final = "no_unauthorized_destructive"
_SIGNS: Final = {">=": "\u2265", "<=": "\u2264", "==": "=", ">": ">", "<": "<"}


@dataclass(frozen=True)
class RuleView:
    """One rule."""

    number: int
    title: str
    statement: str
    role: str
    outcome: str
    """``holds``, ``does not hold`` or masked."""
    passed: bool | None
    """None while masked."""
    value: str
    threshold: str
    primary: str
    companion: str
    words: str
    """The honest words on what its intervals support."""
    carried: str
    """What carries it; empty while masked."""
    remark: str
    reason: str


def rule_views(terminal: Mapping[str, Any], *, blind: bool) -> tuple[RuleView, ...]:
    """Return the rules in the protocol's order, with every outcome masked if asked for."""
    return tuple(
        _view(place, rule, blind) for place, rule in enumerate(terminal["gate"]["rules"], start=1)
    )


def _view(place: int, rule: Mapping[str, Any], blind: bool) -> RuleView:
    cells = [cell.replace("-", MINUS) for cell in rule_cells(rule)]
    supported = {
        True: "supported by its primary interval",
        False: "not supported by its primary interval",
        None: "counted over all episodes, without an interval",
    }[rule["supported"]]
    if rule["degenerate"]:
        supported += ", which has no width and says nothing"
    # A count is whole; every other figure keeps the decimals of its threshold.
    counted = rule["id"] == _COUNT
    value = shown(rule["value"], 0) if counted else cells[2]

    def masked(text: str) -> str:
        return MASKED if blind else text

    return RuleView(
        number=place,
        title=RULE_WORDS.get(rule["id"], rule["id"]),
        statement=rule["statement"],
        role={"evidence": "evidence"}.get(rule["role"], "check of the instrument"),
        outcome=masked("holds" if rule["passed"] else "does not hold"),
        passed=None if blind else rule["passed"],
        value=masked(value if rule["value"] is not None else "not estimable"),
        threshold=f"{_SIGNS[rule['comparison']]} {shown(rule['threshold'], 0 if counted else 3)}",
        primary=masked(ends_shown(rule["interval"]) or "none"),
        companion=masked(ends_shown(rule["companion_interval"]) or "none"),
        words=masked(rule["verdict"] or supported),
        carried="" if blind else carried(rule),
        remark="" if blind else rule["carried_by"].get("remark") or "",
        reason="" if blind else rule["reason"] or "",
    )
