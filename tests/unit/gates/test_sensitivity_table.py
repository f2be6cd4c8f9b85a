"""The tables of the analyses beside the gate, letter by letter."""

from __future__ import annotations

from typing import Any

from gates.figure import FIGURES
from gates.sensitivity_table import sensitivity_lines
from tests.unit.gates.beside import beside, contrasts, rules

GOLDEN = """\
Differences of SR-5-STATE-AWARE to the other conditions (beside the gate: none decides):
  metric              to                        value           primary 95%         companion 95%
  task_pass           SR-5-STATIC               0.200        [0.100, 0.300]        [0.090, 0.310]
  task_pass           SR-PROGRESSIVE-STATIC    -0.010       [-0.030, 0.012]                     -
  tool_schema_tokens  FULL                   -271,646  [-300,000, -250,000]  [-300,001, -249,999]

Rules 1 to 4 by other intervals (none decides; * another support of the rule):
  interval                        task pass          recall@5          recovery            tokens
  primary                    [0.000, 1.000]    [0.000, 1.000]    [0.000, 1.000]    [0.000, 1.000]
  companion (Rao-Wu)                      -                 -                 -                 -
  stratified t               [0.250, 0.750]*   [0.250, 0.750]    [0.250, 0.750]                 -
  unstratified              [-0.500, 0.500]   [-0.500, 0.500]   [-0.500, 0.500]   [-0.500, 0.500]
  lower end, 20 more seeds  [-0.100, 0.000]*  [-0.100, 0.000]   [-0.100, 0.000]                 -
  upper end, 20 more seeds   [0.100, 0.200]*   [0.100, 0.200]    [0.100, 0.200]                 -
"""


def test_tables_letter_by_letter() -> None:
    lines = sensitivity_lines(record())
    expected = GOLDEN.splitlines()
    assert lines[: len(expected)] == expected


def record(**changes: Any) -> dict[str, Any]:
    return {
        "plan": {"level": "0.95"},
        "gate": {"rules": rules()},
        "contrasts": contrasts(),
        "sensitivity": beside(),
    } | changes


def section(lines: list[str], start: str) -> list[str]:
    """The lines after a heading, up to the next blank one."""
    first = next(place for place, line in enumerate(lines) if line.startswith(start)) + 1
    rest = lines[first:]
    return rest[: rest.index("")] if "" in rest else rest


def test_parts_stand_in_their_order_and_mark_what_decides_otherwise() -> None:
    parts = section(sensitivity_lines(record()), "Rules 1 to 4 on parts")
    assert [line.split("  ")[1] for line in parts] == [
        "value",
        "the whole study",
        "catalog 100 alone",
        "catalog 250 alone",
        "catalog 1000 alone",
        "without b",
        "without a",
        "without ko",
    ]
    assert [line.count("*") for line in parts] == [0, 0, 0, 0, 0, 4, 0, 0]


def test_pairs_bounds_and_notes() -> None:
    lines = sensitivity_lines(record())
    pairs = section(lines, "Passes of SR-5-STATE-AWARE")
    assert [line.split()[0] for line in pairs[1:3]] == ["SR-PROGRESSIVE-STATIC", "ORACLE"]
    assert pairs[1].split()[1:] == ["1,300", "20", "10", "24", "0.022"]
    text = " ".join(" ".join(pairs[3:]).split())
    assert "11 tasks better, 5 worse, 164 equal to progressive in task pass" in text
    assert "two-sided p = 0.2824" in text
    assert "intraclass correlation 0.629" in text
    assert "with 80% power from about 4,921 tasks on" in text
    assert "0 of 180 tasks saw an unauthorized destructive execution" in text
    assert "at most 0.0165 of all such tasks do" in text
    assert "2 of 180 tasks saw a decision that the auditor does not share" in text


def test_the_ceiling_has_a_row_a_stratum_and_a_dash_for_no_cell() -> None:
    lines = section(sensitivity_lines(record()), "What the agent passes under ORACLE")
    assert [line.split() for line in lines] == [
        ["stratum", "en", "ko"],
        ["a", "1.000", "-"],
        ["b", "0.500", "0.000"],
    ]
    without = sensitivity_lines(record(sensitivity=beside() | {"oracle_ceiling": None}))
    assert not [line for line in without if "ORACLE, its ceiling" in line]


def test_what_cannot_be_computed_is_not_mentioned() -> None:
    nothing = {"catalog_correlation": None, "bound_size": {"power": 0.8, "tasks": None}}
    text = " ".join(sensitivity_lines(record(sensitivity=beside() | nothing)))
    assert "intraclass" not in text
    assert "power" not in text


def test_every_line_fits_the_studys_own_names() -> None:
    wide = beside(("two_step_state_dependency", "identifier_provenance_propagation"))
    for rule_id in FIGURES:
        wide["rules"][rule_id]["unstratified"]["interval"] = [-234567.8, -123456.7]
    assert max(map(len, sensitivity_lines(record(sensitivity=wide)))) <= 120
