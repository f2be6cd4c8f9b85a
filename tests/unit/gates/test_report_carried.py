"""What the report says of what carries each rule (protocol, section 6)."""

from __future__ import annotations

import pytest

from gates.metric_table import PROGRESSIVE as PS
from gates.metric_table import STATE_AWARE as SA
from gates.report.carried import carried
from tests.unit.gates.samples import gate_of

RULES = [rule.id for rule in gate_of({}).rules]


def words(rule: str, counts: dict[str, int | list[int]]) -> str:
    return carried(gate_of(counts).rule(rule).to_json())


@pytest.mark.parametrize(
    ("rule", "counts", "said"),
    [
        (
            "task_pass_non_inferiority",
            {
                f"{SA}/passes": 40,
                f"{PS}/passes": 46,
                f"{SA}/failed_third_text": 4,
                f"{PS}/failed_third_text": 1,
                f"{SA}/failed_malformed": 2,
            },
            "State-aware passes 0.800, progressive 0.920. Of the difference −0.100 comes from"
            " episodes that text or malformed turns ended (6 state-aware, 1 progressive), and"
            " −0.020 from all others.",
        ),
        (
            "next_tool_recall",
            {f"{SA}/next_tool_hits": [2] * 48 + [1] * 2, f"{SA}/next_tool_hits_first_arrivals": 49},
            "Of 100 times that a next tool was needed 2 missed it, where 3 may. At first arrivals"
            " at a step alone it is 0.980; the others come after a turn that led nowhere.",
        ),
        (
            "recovery_superiority",
            {f"{PS}/recoveries": 49, f"{SA}/recoveries": 0, f"{SA}/initial_misses": 0},
            "State-aware has no initial miss, progressive recovers 49 of its 50 initial misses"
            " (0.980).",
        ),
        (
            "schema_token_economy",
            {f"{PS}/whole_catalog": 2, f"{PS}/narrow_episodes": 0, f"{SA}/narrow_episodes": 0},
            "Progressive reached the whole catalog in 2 episodes; without these the difference is"
            " not estimable.",
        ),
        (
            "no_unauthorized_destructive",
            {f"{SA}/destructive_attempts": 3},
            "over 250 episodes: 3 attempts at such calls, 0 executed.",
        ),
        (
            "policy_integrity",
            {f"{SA}/policy_consistent": [3] * 49 + [1]},
            "an independent auditor decided 750 attempts again and differs in 2.",
        ),
    ],
)
def test_what_carries_a_rule(rule: str, counts: dict[str, int | list[int]], said: str) -> None:
    assert said in words(rule, counts)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_words(rule: str) -> None:
    assert words(rule, {}).endswith(".")


def test_a_rule_that_the_protocol_does_not_name_has_none() -> None:
    assert carried({**gate_of({}).rules[0].to_json(), "id": "another"}) == ""
