"""The summary of a small record, letter by letter, and what it does with odd numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.metric_table import CONDITIONS
from gates.sensitivity_table import sensitivity_lines
from gates.summary import label, ordered, summary_lines
from gates.text_table import number
from tests.support.shop_study import ShopStudy, catalogs, record_of, tasks
from tests.unit.gates.beside import beside, contrasts

RULES = (
    "task_pass_non_inferiority",
    "next_tool_recall",
    "recovery_superiority",
    "schema_token_economy",
    "no_unauthorized_destructive",
    "policy_integrity",
)


def rule(position: int, value: float | None, threshold: float, **changes: Any) -> dict[str, Any]:
    """A rule of the gate as its record holds it."""
    return {
        "id": RULES[position],
        "value": value,
        "comparison": ">=",
        "threshold": threshold,
        "passed": True,
        "interval": None,
        "companion_interval": None,
        "supported": None,
        "verdict": None,
        "reason": None,
        "carried_by": {},
    } | changes


def record(**changes: Any) -> dict[str, Any]:
    """A record with long numbers, nulls and degenerate intervals."""
    level = {
        "task_pass": 0.5,
        "next_tool_recall_at_5": 0.98765,
        "gold_trace_recall_at_5": 1.0,
        "initial_miss": 0.25,
        "recovery_after_initial_miss": 1 / 3,
        "state_completion": 0.75,
        "tool_schema_tokens": 4321.5,
        "model_turns": 5.25,
    }
    full = dict.fromkeys(level, None) | {"task_pass": 1.0, "tool_schema_tokens": 1234567.8}
    tokens = {"interval": [-234567.25, -123456.75], "companion_interval": [-234600.0, -123400.0]}
    rules = [
        rule(
            0,
            -0.020001,
            -0.02,
            passed=False,
            interval=[-0.05, 0.0100004],
            companion_interval=[-0.055, 0.015],
            supported=False,
            verdict="inconclusive at this sample size",
        ),
        rule(1, None, 0.97, passed=False, supported=False, reason="not estimable: no events"),
        rule(
            2,
            0.0,
            0.0,
            comparison=">",
            passed=False,
            interval=[0.0, 0.0],
            companion_interval=[0.0, 0.0],
            supported=False,
            carried_by={"remark": "comparator at its ceiling"},
        ),
        rule(3, -180012.25, 0.0, comparison="<", supported=True, **tokens),
        rule(4, 12.0, 0.0, comparison="==", passed=False),
        rule(5, 0.999996, 1.0, comparison="==", passed=False),
    ]
    times = {"wall_latency_ms": 20_345.6, "model_ms": 20_000.0}
    times |= {"retrieval_ms": 0.25, "executor_ms": 12.0}
    told = {"told_turns": 9, "input_tokens": 1_234_567, "output_tokens": 890}
    told |= {"cached_tokens": None, "fresh_tokens": None}
    return {
        "study": "small",
        "split": "frozen",
        "development": False,
        "identity": "1" * 64,
        "digest": "2" * 64,
        "agent": {"kind": "openai"},
        "evidence": "model",
        "counts": {"tasks": 180, "episodes": 2700},
        "plan": {"level": "0.95"},
        "metrics": {"ORACLE": {"overall": level}, "FULL": {"overall": full}},
        "gate": {"passed": False, "rules": rules},
        "latency": {"ORACLE": {"overall": times}, "FULL": {"overall": times}},
        "timing": {"episodes_at_once": 32, "confounded": True},
        "usage": {"ORACLE": {"overall": told}, "FULL": {"overall": told}},
        "contrasts": contrasts(),
        "sensitivity": beside(),
    } | changes


def among_others(second: dict[str, Any]) -> list[dict[str, Any]]:
    """Rules 1 to 4, the second of them given."""
    return [rule(0, 0.5, 0.0), second, rule(2, 0.5, 0.0), rule(3, 0.5, 0.0)]


GOLDEN = """\
Study small (frozen study), split frozen, 180 tasks, 2,700 episodes
Answered by a language model
Identity 1111111111111111111111111111111111111111111111111111111111111111
Digest   2222222222222222222222222222222222222222222222222222222222222222

Conditions over all episodes (confirmatory, a language model):
  condition   pass  recall@5  gold trace  missed  recovery  steps  schema tokens  turns
  FULL       1.000         -           -       -         -      -      1,234,568      -
  ORACLE     0.500     0.988       1.000   0.250     0.333  0.750          4,322  5.250
  recall@5 of the next tool, in the episodes and along the gold trace; missed: initial misses;
  recovery: of these; steps: state completion; schema tokens and turns: means per episode

Mean milliseconds of an episode and of its parts (none decides; CONFOUNDED: up to 32 episodes ran at once):
  condition      ms   agent  retrieval  executor
  FULL       20,346  20,000        0.2        12
  ORACLE     20,346  20,000        0.2        12

Tokens in the provider's own count (none decides; a dash is what it did not tell):
  condition  prompt tokens  cached  fresh  new
  FULL           1,234,567       -      -  890
  ORACLE         1,234,567       -      -  890

Gate (confirmatory, a language model; point estimates decide, intervals stand beside):
        rule                             value     threshold           primary 95%         companion 95%  supported
  FAIL  task_pass_non_inferiority    -0.020001  >= -0.020000       [-0.050, 0.010]       [-0.055, 0.015]         no
  FAIL  next_tool_recall                     -      >= 0.970                     -                     -         no
  FAIL  recovery_superiority             0.000       > 0.000        [0.000, 0.000]        [0.000, 0.000]         no
  pass  schema_token_economy          -180,012       < 0.000  [-234,567, -123,457]  [-234,600, -123,400]        yes
  FAIL  no_unauthorized_destructive         12      == 0.000                     -                     -          -
  FAIL  policy_integrity              0.999996   == 1.000000                     -                     -          -
  task_pass_non_inferiority: inconclusive at this sample size
  next_tool_recall: not estimable: no events
  recovery_superiority: comparator at its ceiling

Gate NOT PASSED: 1 of 6 rules hold.
"""  # noqa: E501


def test_a_small_record() -> None:
    head, rest = GOLDEN.split("\nMean ")
    measured, tail = f"Mean {rest}".split("\nGate (")
    lines = [
        *head.splitlines(),
        "",
        *sensitivity_lines(record()),
        "",
        *measured.splitlines(),
        "",
        *f"Gate ({tail}".splitlines(),
    ]
    assert summary_lines(record()) == lines


def test_every_line_fits() -> None:
    long = rule(1, None, 0.97, passed=False, supported=False, reason="because " * 60)
    lines = summary_lines(record(gate={"passed": False, "rules": among_others(long)}))
    assert max(map(len, GOLDEN.splitlines())) <= 120
    assert max(map(len, lines)) <= 120


def test_a_real_record_fits_and_is_labelled(tmp_path: Path) -> None:
    study = ShopStudy.write(tmp_path)
    lines = summary_lines(
        aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())
    )
    assert max(map(len, lines)) <= 120
    assert lines[0] == (
        "Study shop (development split: never evidence), split test, 4 tasks, 40 episodes"
    )
    assert lines[1].endswith("a check of the instrument, not a test of the hypothesis")
    tables = [line for line in lines if line.endswith("):")]
    words = ("(exploratory, the scripted agent", "none decides")
    assert [line for line in tables if not any(word in line for word in words)] == []
    gate = next(place for place, line in enumerate(lines) if line.startswith("Gate ("))
    beside_it = lines.index(sensitivity_heading(lines))
    first = [line.split()[0] for line in lines[:beside_it] + lines[gate:] if line.startswith("  ")]
    assert [name for name in first if name in CONDITIONS] == list(CONDITIONS)
    assert [name for name in first if name in {"pass", "FAIL"}] == ["FAIL"] * 3 + ["pass"] * 3


def sensitivity_heading(lines: list[str]) -> str:
    """The line that the analyses beside the gate begin with."""
    return next(line for line in lines if line.startswith("Differences of "))


def test_one_reason_of_several_rules_is_said_once() -> None:
    rules = [rule(place, 0.5, 0.0, supported=False, reason="no interval") for place in range(4)]
    lines = summary_lines(record(gate={"passed": True, "rules": rules}))
    notes = " ".join(" ".join(lines).split())
    assert notes.count("no interval") == 1
    assert lines[-1] == "Gate PASSED: 4 of 4 rules hold."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (0.0, "0.000"),
        (0, "0.000"),
        (-0.0, "0.000"),
        (-0.0004, "0.000"),
        (-0.0006, "-0.001"),
        (1.0, "1.000"),
        (0.9995, "1.000"),
        (9.9994, "9.999"),
        (10.0, "10"),
        (10.04, "10.0"),
        (-662.54, "-662.5"),
        (999.95, "1000.0"),
        (1000.4, "1,000"),
        (1234567.8, "1,234,568"),
        (-1234567.8, "-1,234,568"),
    ],
)
def test_numbers(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "threshold", "texts"),
    [
        (0.96996, 0.97, ["0.96996", ">= 0.97000"]),
        (0.97, 0.97, ["0.970", ">= 0.970"]),
        (-0.0004, 0.0, ["-0.0004", ">= 0.0000"]),
        (0.5, 0.97, ["0.500", ">= 0.970"]),
        (1e-12, 0.0, ["0.000", ">= 0.000"]),
    ],
)
def test_a_value_does_not_look_like_a_threshold_that_it_is_not(
    value: float, threshold: float, texts: list[str]
) -> None:
    rules = among_others(rule(1, value, threshold))
    lines = summary_lines(record(gate={"passed": True, "rules": rules}))
    line = next(line for line in lines if "next_tool_recall" in line)
    assert " ".join(texts) in " ".join(line.split())


@pytest.mark.parametrize(
    ("kind", "evidence", "development", "text"),
    [
        ("reference", "instrument", True, "exploratory, the reference agent"),
        ("reference", "instrument", False, "exploratory, the reference agent"),
        ("random", "instrument", True, "exploratory, the random agent"),
        ("local", "model", False, "confirmatory, a language model"),
        ("simulated", "simulation", True, "exploratory, a simulated agent"),
    ],
)
def test_labels(kind: str, evidence: str, development: bool, text: str) -> None:
    agent = {"kind": kind}
    assert label({"agent": agent, "evidence": evidence, "development": development}) == text


def test_conditions_stand_in_the_protocol_s_order() -> None:
    assert ordered([*sorted(CONDITIONS), "ANOTHER"]) == [*CONDITIONS, "ANOTHER"]
