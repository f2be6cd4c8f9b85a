from __future__ import annotations

import json
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from gates.estimate import Plan
from gates.estimator import estimate
from gates.gate import decide, gate_estimands
from tests.unit.gates.samples import grid

SA = "SR-5-STATE-AWARE"
PS = "SR-PROGRESSIVE-STATIC"
PLAN = Plan(iterations=60)

Counts = st.lists(st.integers(0, 1), min_size=12, max_size=12)


@settings(max_examples=60)
@given(st.data())
def test_rules_agree_with_whole_number_arithmetic(data: st.DataObject) -> None:
    column = {
        f"{arm}/{name}": data.draw(Counts)
        for arm in (SA, PS)
        for name in ("passes", "initial_misses", "tool_schema_tokens")
    }
    for arm in (SA, PS):
        found = data.draw(Counts)
        column[f"{arm}/recoveries"] = [
            a * b for a, b in zip(found, column[f"{arm}/initial_misses"], strict=True)
        ]
    column[f"{SA}/next_tool_hits"] = data.draw(
        st.lists(st.integers(1, 2), min_size=12, max_size=12)
    )
    sample = grid(column, tasks=12, cells=3)
    gate = decide(estimate(sample, gate_estimands(), PLAN))
    total = {name: sum(values) for name, values in column.items()}
    misses = {arm: total[f"{arm}/initial_misses"] for arm in (SA, PS)}
    hits = total[f"{SA}/next_tool_hits"]
    expected = [
        # 100 * (a - b) >= -2 * n
        100 * (total[f"{SA}/passes"] - total[f"{PS}/passes"]) >= -2 * 12,
        100 * hits >= 97 * 24,
        # a / m > b / k, both defined
        bool(misses[SA] and misses[PS])
        and total[f"{SA}/recoveries"] * misses[PS] > total[f"{PS}/recoveries"] * misses[SA],
        total[f"{SA}/tool_schema_tokens"] < total[f"{PS}/tool_schema_tokens"],
        True,
        True,
    ]
    assert [rule.passed for rule in gate.rules] == expected
    assert gate.passed is all(expected)
    recall = gate.rule("next_tool_recall").carried_by
    assert (recall["misses_made"] <= recall["misses_allowed"]) is expected[1]  # type: ignore[operator]
    json.dumps(gate.to_json(), allow_nan=False)
    for rule in gate.rules:
        assert (rule.value is None) is (rule.reason is not None and not rule.passed)
        if rule.supported and rule.interval is not None and not rule.interval.degenerate:
            assert rule.interval.lower < rule.interval.upper
        assert isinstance(rule.threshold, Fraction)
