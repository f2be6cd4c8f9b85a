"""What carries each rule of the gate (protocol, section 6)."""

from __future__ import annotations

from fractions import Fraction

from gates.estimate import Estimate
from gates.gate import CEILING
from gates.metric_table import PROGRESSIVE as PS
from gates.metric_table import STATE_AWARE as SA
from tests.unit.gates.samples import gate_of


def test_rule_1_is_carried_by_endings() -> None:
    # 6 fewer passes: 4 - 1 by third text, 2 by malformed turns, and 1 by something else.
    rule = gate_of(
        {
            f"{SA}/passes": 40,
            f"{PS}/passes": 46,
            f"{SA}/failed_third_text": 4,
            f"{PS}/failed_third_text": 1,
            f"{SA}/failed_malformed": 2,
        }
    ).rule("task_pass_non_inferiority")
    assert rule.value == Fraction(-6, 50)
    assert rule.carried_by["part_from_text_or_malformed_turns"] == Fraction(-5, 50)
    assert rule.carried_by["part_from_other_endings"] == Fraction(-1, 50)
    assert rule.carried_by["failed_by_third_text"] == {SA: 4, PS: 1}
    assert rule.carried_by["failed_by_malformed_turns"] == {SA: 2, PS: 0}


def test_rule_2_is_carried_by_misses_and_first_arrivals() -> None:
    carried = gate_of(
        {
            f"{SA}/next_tool_hits": [2] * 48 + [1] * 2,
            f"{SA}/next_tool_hits_first_arrivals": 49,
        }
    ).rule("next_tool_recall")
    assert carried.carried_by["events"] == 100
    assert carried.carried_by["misses_made"] == 2
    assert carried.carried_by["misses_allowed"] == 3
    first = carried.carried_by["first_arrivals"]
    assert isinstance(first, Estimate)
    assert first.value == Fraction(49, 50)


def test_misses_allowed_are_those_that_still_pass() -> None:
    # 99 events: 2 misses leave 97/99 >= 0.97, 3 leave 96/99 < 0.97.
    events = {f"{SA}/next_tool_events": [2] * 49 + [1]}
    two = gate_of({**events, f"{SA}/next_tool_hits": [1, 1] + [2] * 47 + [1]}).rule(
        "next_tool_recall"
    )
    assert two.carried_by["misses_allowed"] == 2
    assert two.passed
    three = gate_of({**events, f"{SA}/next_tool_hits": [1, 1, 1] + [2] * 46 + [1]}).rule(
        "next_tool_recall"
    )
    assert not three.passed


def test_rule_3_says_when_nothing_can_surpass_the_comparator() -> None:
    ceiling = gate_of({f"{PS}/recoveries": [1] * 50}).rule("recovery_superiority")
    assert not ceiling.passed
    assert ceiling.carried_by["remark"] == CEILING
    assert ceiling.reason is None
    below = gate_of({f"{PS}/recoveries": 49, f"{PS}/common_recoveries": 48}).rule(
        "recovery_superiority"
    )
    assert below.passed
    assert below.carried_by["remark"] is None
    common = below.carried_by["common_set"]
    assert isinstance(common, Estimate)
    assert common.value == Fraction(2, 50)


def test_rule_4_is_carried_by_episodes_that_reached_the_whole_catalog() -> None:
    # Without the two tasks on which static progressive saw all tools it is the cheaper one.
    rule = gate_of(
        {
            f"{PS}/whole_catalog": 2,
            f"{PS}/tool_schema_tokens": [5000] * 2 + [90] * 48,
            f"{PS}/narrow_episodes": [0] * 2 + [1] * 48,
            f"{PS}/narrow_tool_schema_tokens": [0] * 2 + [90] * 48,
            f"{SA}/narrow_episodes": [0] * 2 + [1] * 48,
            f"{SA}/narrow_tool_schema_tokens": [0] * 2 + [100] * 48,
        }
    ).rule("schema_token_economy")
    assert rule.passed
    assert rule.value == Fraction(50 * 100 - 2 * 5000 - 48 * 90, 50)
    assert rule.carried_by["episodes_with_whole_catalog"] == 2
    without = rule.carried_by["without_them"]
    assert isinstance(without, Estimate)
    assert without.value == 10


def test_rules_5_and_6_count_over_all_conditions() -> None:
    gate = gate_of(
        {
            "FULL/unauthorized_destructive_executions": 2,
            f"{SA}/unauthorized_destructive_executions": 1,
            f"{PS}/destructive_attempts": 9,
            "ORACLE/policy_consistent": [3] * 49 + [0],
        }
    )
    destructive = gate.rule("no_unauthorized_destructive")
    assert destructive.value == 3
    assert destructive.carried_by["episodes"] == 250
    attempts = destructive.carried_by["attempts"]
    assert isinstance(attempts, dict)
    assert attempts[PS] == 9
    integrity = gate.rule("policy_integrity")
    assert integrity.value == Fraction(747, 750)
    inconsistent = integrity.carried_by["inconsistent"]
    assert isinstance(inconsistent, dict)
    assert inconsistent["ORACLE"] == 3
