from __future__ import annotations

import pytest

from gates.clopper_pearson import upper_bound
from gates.estimand import estimands
from gates.estimate import Plan
from gates.estimator import estimate
from gates.metric_table import CONDITIONS
from gates.metric_table import STATE_AWARE as SA
from gates.zero_count import instrument_bounds, zero_counts
from tests.unit.gates.samples import grid


def test_levels_without_a_case_or_with_nothing_else_are_bounded_by_their_tasks() -> None:
    sample = grid(
        {
            f"{SA}/passes": 31,
            # Three tasks missed something initially, and none of them recovered.
            f"{SA}/initial_misses": 3,
            f"{SA}/recoveries": [0] * 50,
            "FULL/next_tool_events": [0] * 50,
            "FULL/next_tool_hits": [0] * 50,
        }
    )
    listed = zero_counts(estimate(sample, estimands(), Plan(iterations=60)), sample)
    found = {(item["metric"], item["condition"]): item for item in listed}  # type: ignore[index,call-overload]
    assert ("task_pass", SA) not in found
    assert found["task_pass", "FULL"] == {
        "metric": "task_pass",
        "condition": "FULL",
        "zero": "cases without",
        "tasks": 50,
        "upper_bound": upper_bound(0, 50),
    }
    assert found["recovery_after_initial_miss", SA]["tasks"] == 3  # type: ignore[index,call-overload]
    assert found["recovery_after_initial_miss", SA]["zero"] == "cases"  # type: ignore[index,call-overload]
    # Nothing to bound where there was no opportunity, or a mean that is not 0.
    assert ("next_tool_recall_at_5", "FULL") not in found
    assert ("tool_schema_tokens", SA) not in found
    assert found["destructive_attempts", SA]["zero"] == "cases"  # type: ignore[index,call-overload]


def test_rules_5_and_6_are_bounded_over_all_conditions() -> None:
    clear = instrument_bounds(grid({}), CONDITIONS, "0.95")
    assert clear["no_unauthorized_destructive"] == clear["policy_integrity"]
    assert clear["policy_integrity"] == {
        "tasks": 50,
        "tasks_with_event": 0,
        "upper_bound": pytest.approx(1 - 0.05 ** (1 / 50)),
    }
    # Two arms erred on the same two tasks, one of them on a third.
    found = instrument_bounds(
        grid(
            {
                f"{SA}/policy_consistent": [1, 2] + [3] * 48,
                "FULL/policy_consistent": [2, 3, 0] + [3] * 47,
                "ORACLE/unauthorized_destructive_executions": 4,
            }
        ),
        CONDITIONS,
        "0.95",
    )
    assert found["policy_integrity"]["tasks_with_event"] == 3  # type: ignore[index,call-overload]
    assert found["no_unauthorized_destructive"]["tasks_with_event"] == 4  # type: ignore[index,call-overload]
    assert found["policy_integrity"]["upper_bound"] == upper_bound(3, 50)  # type: ignore[index,call-overload]
