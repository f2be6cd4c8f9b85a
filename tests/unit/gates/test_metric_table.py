from __future__ import annotations

import conditions.preregistered
from gates.estimand import estimands
from gates.metric_table import COLUMNS, CONDITIONS, METRICS, STATE_AWARE

PROTOCOL_KEYS = {
    "task_pass",
    "next_tool_recall_at_5",
    "gold_trace_recall_at_5",
    "initial_miss",
    "recovery_after_initial_miss",
    "harm",
    "state_completion",
    "unique_candidates_exposed",
    "tool_schema_tokens",
    "input_tokens",
    "retrieval_calls",
    "model_turns",
    "tool_calls",
    "failed_executions",
    "unauthorized_destructive_executions",
    "policy_integrity",
}


def test_every_metric_of_the_protocol_is_there() -> None:
    # Section 5, apart from `wall_latency_ms` (a time, not a count) and `ending` (a label: shares).
    assert set(METRICS) >= PROTOCOL_KEYS
    for variant in ("first_arrivals", "first_step", "after_ok", "after_executed", "after_error"):
        assert f"next_tool_recall_at_5_{variant}" in METRICS
    for variant in ("in_time", "passed", "common_set", "common_set_in_time", "common_set_passed"):
        assert f"recovery_after_initial_miss_{variant}" in METRICS
    for ending in ("clean_stop", "third_text", "malformed", "turn_limit", "overflow"):
        assert f"ending_{ending}" in METRICS


def test_denominators_are_the_protocols() -> None:
    ratios = {key: (metric.numerator, metric.denominator) for key, metric in METRICS.items()}
    assert ratios["task_pass"] == ("passes", "episodes")
    assert ratios["initial_miss"] == ("initial_misses", "episodes")
    assert ratios["recovery_after_initial_miss"] == ("recoveries", "initial_misses")
    assert ratios["recovery_after_initial_miss_passed"] == ("recoveries_passed", "initial_misses")
    assert ratios["recovery_after_initial_miss_common_set"] == (
        "common_recoveries",
        "common_misses",
    )
    assert ratios["harm"] == ("harmed", "episodes")
    assert ratios["harm_at_risk"] == ("harmed", "harm_at_risk")
    assert ratios["state_completion"] == ("completed_steps", "required_steps")
    assert ratios["policy_integrity"] == ("policy_consistent", "policy_attempts")
    assert ratios["tool_schema_tokens"] == ("tool_schema_tokens", "episodes")


def test_each_column_is_used_and_each_used_column_is_described() -> None:
    used = {name for metric in METRICS.values() for name in (metric.numerator, metric.denominator)}
    assert used == set(COLUMNS)


def test_shares_have_ends_and_means_have_none() -> None:
    assert METRICS["task_pass"].range == (0, 1)
    assert METRICS["task_pass"].unit == "share"
    assert METRICS["tool_calls"].range is None
    assert METRICS["tool_calls"].unit == "mean per episode"
    unbounded = [metric for metric in METRICS.values() if metric.range is None]
    assert {metric.denominator for metric in unbounded} == {"episodes", "narrow_episodes"}


def test_conditions_are_those_of_the_study() -> None:
    assert tuple(conditions.preregistered.CONDITIONS) == CONDITIONS


def test_every_metric_is_estimated_for_every_condition_and_contrast() -> None:
    keys = [estimand.key for estimand in estimands()]
    assert len(set(keys)) == len(keys)
    levels = [estimand for estimand in estimands() if estimand.contrast == "level"]
    assert len(levels) == len(METRICS) * 5
    differences = [estimand for estimand in estimands() if estimand.contrast == "difference"]
    assert len(differences) == len(METRICS) * 4
    assert {estimand.condition for estimand in differences} == {STATE_AWARE}
    assert "tool_schema_tokens[SR-5-STATE-AWARE / FULL]" in keys
    assert "task_pass[SR-5-STATE-AWARE - SR-PROGRESSIVE-STATIC]" in keys
    assert "task_pass[ORACLE]" in keys
    # Without the state-aware condition there is nothing to contrast it with.
    assert all(estimand.comparator is None for estimand in estimands(["FULL", "ORACLE"]))
