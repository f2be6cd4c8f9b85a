"""Every count of an episode, worked out by hand from the protocol's section 5.

Routes are letters; an upper-case letter is no route of the task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gates.audit import AuditCounts
from gates.consistency import contradictions
from gates.counts import count_episodes, failure_cause
from gates.metric_table import CAUSES, COLUMNS, CONDITIONS, ENDINGS, PROGRESSIVE, STATE_AWARE
from gates.results import EpisodeRows
from harness.grid import EpisodeKey
from tests.support.rows import rows_by_key
from tests.unit.gates.acts import MALFORMED, OVERFLOW, TEXT, Act, fails, passes, rows
from tests.unit.harness.world import GOLD, ScriptedAgent, World

STATIC, _, _, FULL, ORACLE = CONDITIONS
CLEAN = AuditCounts(0, 0, 0, 0)
STEPS = ("a", "b", "b", "c")

# A plain episode: everything is exposed, nothing is called, the agent says three times no.
IDLE = rows(("a", "b"), ("a", "b"), [TEXT] * 3, "third_text")


def count(
    condition: str,
    item: EpisodeRows,
    *,
    size: int = 100,
    audit: AuditCounts = CLEAN,
    **others: EpisodeRows,
) -> dict[str, int]:
    """The counts of one episode; `others` are the episodes that it is paired with."""
    assert list(contradictions(item, 8, 2)) == []
    key = EpisodeKey("t", size, condition)
    state_aware = others.get("state_aware", IDLE)
    progressive = others.get("progressive", IDLE)
    episodes = {
        key._replace(condition=STATE_AWARE): state_aware,
        key._replace(condition=PROGRESSIVE): progressive,
        key: item,
    }
    audits = dict.fromkeys(episodes, CLEAN) | {key: audit}
    columns = count_episodes(episodes, audits)
    position = list(episodes).index(key)
    return {name: values[position] for name, values in columns.items()}


def picked(counts: Mapping[str, int], *names: str) -> list[int]:
    return [counts[name] for name in names]


def recall(counts: Mapping[str, int], variant: str = "") -> tuple[int, int]:
    """Hits and events."""
    return counts[f"next_tool_hits{variant}"], counts[f"next_tool_events{variant}"]


def test_each_column_is_counted_for_each_episode() -> None:
    counts = count(STATIC, IDLE)
    assert set(counts) | {"episodes"} == set(COLUMNS)
    assert all(type(value) is int for value in counts.values())


# A state-aware episode with everything in it. Steps: a, b (fails as scripted), b again, c.
#
# turn  exposed    calls                     next before  after
#  1    a b D E F  a ok                      a            b   exposed then: b c D E F
#  2    b c D E F  b error, as scripted      b            b   exposed then: a D E F G   b absent
#  3    a D E F G  b error, unavailable      b            b   exposed then: b D E F G
#  4    b D E F G  b executed, and another   b            c   exposed then: b D E F G   c absent
#  5    b D E F G  c blocked                 c            c   exposed then: c D E F G
#  6    c D E F G  malformed, two calls      c            -   nothing changes
#  7    c D E F G  c ok                      c            -   complete; exposed then: c D E F H
#  8    c D E F H  text                      -            -   clean stop
WHOLE = rows(
    STEPS,
    ("D", "E", "F", "a", "b"),
    [
        passes("a", ("D", "E", "F", "b", "c"), schema_tokens=50, input_tokens=500),
        passes("b", ("D", "E", "F", "G", "a"), status="error", schema_tokens=51, input_tokens=510),
        fails("b", ("D", "E", "F", "G", "b"), schema_tokens=52, input_tokens=520),
        passes("b", status="executed", others=1, schema_tokens=53, input_tokens=530),
        Act("c", "blocked", then=("D", "E", "F", "G", "c"), schema_tokens=54, input_tokens=540),
        Act("c", malformed=True, others=1, schema_tokens=55, input_tokens=550),
        passes("c", ("D", "E", "F", "H", "c"), schema_tokens=56, input_tokens=560),
        Act(schema_tokens=57, input_tokens=570),
    ],
    "clean_stop",
    traces=[
        (("D", "E", "F", "a", "b"), ("a", "b", "D", "E", "F")),
        (("D", "E", "F", "b", "c"), ()),
        (("D", "E", "F", "G", "H"), ()),
        (("D", "E", "F", "G", "c"), ()),
    ],
    retrieval_calls=6,
)


def test_a_whole_episode() -> None:
    counts = count(STATE_AWARE, WHOLE, audit=AuditCounts(9, 8, 1, 2), state_aware=WHOLE)
    assert counts == {
        "passes": 1,
        # Tool turns 1 to 5 leave the task incomplete; turn 7 completes it, turn 6 is no tool turn.
        "next_tool_events": 5,
        "next_tool_hits": 3,  # after turns 1, 3 and 5
        # A step is arrived at after turns 1, 2 and 4 (the last one completes).
        "next_tool_events_first_arrivals": 3,
        "next_tool_hits_first_arrivals": 1,
        "next_tool_events_first_step": 1,
        "next_tool_hits_first_step": 1,
        "next_tool_events_after_ok": 1,
        "next_tool_hits_after_ok": 1,
        "next_tool_events_after_executed": 1,
        "next_tool_hits_after_executed": 0,
        "next_tool_events_after_error": 2,
        "next_tool_hits_after_error": 1,  # and the blocked turn is in none of the three
        "gold_trace_events": 4,
        "gold_trace_hits": 3,
        "initial_misses": 1,  # c
        "recoveries": 1,
        "recoveries_in_time": 1,  # in turn 6, when c was required
        "recoveries_passed": 1,
        "common_misses": 1,
        "common_recoveries": 1,
        "common_recoveries_in_time": 1,
        "common_recoveries_passed": 1,
        "harmed": 1,  # b was there at first and absent in turn 3, when it was required
        "harm_at_risk": 1,
        "completed_steps": 4,
        "required_steps": 4,
        "unique_candidates_exposed": 8,  # a b c D E F G H
        "tool_schema_tokens": 428,  # 50 + ... + 57
        "input_tokens": 4280,
        "tool_schema_tokens_to_completion": 371,  # without turn 8
        "input_tokens_to_completion": 3710,
        "overflow_tokens": 0,
        "retrieval_calls": 6,
        "model_turns": 8,
        "tool_calls": 7,  # six first calls and the one beside turn 4's
        "failed_executions": 3,  # turns 2, 3 and 5
        "unauthorized_destructive_executions": 1,
        "destructive_attempts": 2,
        "policy_attempts": 9,
        "policy_consistent": 8,
        **{f"ending_{name}": int(name == "clean_stop") for name in ENDINGS},
        **{f"failed_{name}": 0 for name in ENDINGS},
        **{f"cause_{name}": 0 for name in CAUSES},
        "whole_catalog": 0,
        "narrow_episodes": 1,
        "narrow_tool_schema_tokens": 428,
    }


# Recall.


def test_a_transition_without_a_turn_left_is_no_event() -> None:
    item = rows(("a", "b"), ("a", "b"), [passes("a"), *[fails("a")] * 7], "turn_limit")
    assert recall(count(STATIC, item)) == (7, 7)  # after turns 1 to 7, not after turn 8


def test_progressive_recall_reads_the_first_five_of_its_ranking() -> None:
    # Exposed are three routes, then ten: neither is what counts.
    ranking = ("A", "B", "C", "D", "b", "c", "E", "F", "G", "a")
    item = rows(
        ("a", "b", "c"),
        ("A", "B", "C"),
        [fails("a", tuple(sorted(ranking))), passes("a"), passes("b"), TEXT, TEXT, TEXT],
        "third_text",
        head=ranking,
        traces=[(("A", "B", "C"), ranking)] + [(tuple(sorted(ranking)), ranking)] * 2,
    )
    counts = count(PROGRESSIVE, item)
    # Next are a (tenth), then b (fifth), then c (sixth).
    assert recall(counts) == (1, 3)
    assert recall(counts, "_first_step") == (0, 1)
    assert recall(counts, "_after_error") == (0, 1)
    assert recall(counts, "_after_ok") == (1, 2)
    assert picked(counts, "gold_trace_hits", "gold_trace_events") == [1, 3]


def test_state_aware_recall_reads_the_exposure_not_the_ranking() -> None:
    item = rows(
        ("a", "b"),
        ("a",),
        [passes("a", ("b",), head=("X",)), TEXT, TEXT, TEXT],
        "third_text",
        head=("X",),
        traces=[(("a",), ("X",)), (("b",), ("X",))],
    )
    counts = count(STATE_AWARE, item)
    assert recall(counts) == (1, 1)
    assert recall(counts, "_first_step") == (1, 1)
    assert picked(counts, "gold_trace_hits", "gold_trace_events") == [2, 2]


def test_recall_under_full_is_undefined() -> None:
    everything = ("a", "b")
    item = rows(
        everything,
        everything,
        [passes("a"), passes("b"), TEXT],
        "clean_stop",
        traces=[(everything, ())] * 2,
        retrieval_calls=0,
    )
    counts = count(FULL, item, size=2)
    for variant in ("", "_first_step", "_first_arrivals", "_after_ok"):
        assert recall(counts, variant) == (0, 0)
    assert picked(counts, "gold_trace_hits", "gold_trace_events") == [0, 0]
    assert picked(counts, "retrieval_calls", "whole_catalog") == [0, 1]


def test_the_oracle_never_misses() -> None:
    item = rows(STEPS, ("a", "b", "c"), [passes("a"), TEXT, TEXT, TEXT], "third_text")
    counts = count(ORACLE, item)
    assert recall(counts) == (1, 1)
    assert picked(counts, "initial_misses", "recoveries", "harmed") == [0, 0, 0]


def test_a_prompt_that_overflowed_exposes_nothing() -> None:
    acts = [passes("a", ("b",)), Act(overflow=True, schema_tokens=7, input_tokens=9000)]
    counts = count(STATE_AWARE, rows(("a", "b"), ("a",), acts, "overflow"))
    assert recall(counts) == (0, 1)
    assert picked(counts, "initial_misses", "recoveries") == [1, 0]
    assert picked(counts, "unique_candidates_exposed", "model_turns") == [1, 1]
    # The prompt's tokens stand in a column of their own.
    assert picked(counts, "tool_schema_tokens", "input_tokens") == [10, 100]
    assert picked(counts, "overflow_tokens") == [9000]
    assert picked(counts, "ending_overflow", "failed_overflow", "passes") == [1, 1, 0]


def test_a_first_prompt_that_overflowed_is_a_miss_of_the_first_step_alone() -> None:
    item = rows(("a", "b"), ("a", "b"), [OVERFLOW], "overflow")
    counts = count(STATIC, item)
    assert recall(counts, "_first_step") == (0, 1)
    # The condition's own choice lacked nothing.
    assert picked(counts, "initial_misses", "harmed", "harm_at_risk") == [0, 0, 1]
    assert picked(counts, "unique_candidates_exposed", "model_turns", "tool_calls") == [0, 0, 0]


def test_an_overflow_does_not_change_a_ranking() -> None:
    item = rows(("a", "b"), ("a",), [passes("a"), OVERFLOW], "overflow", head=("a", "b"))
    assert recall(count(PROGRESSIVE, item)) == (1, 1)


# Initial misses and recovery.

REACHED_LATE = [  # b and c are missing at first; both are exposed later, c too late to be used
    passes("a", ("b", "c")),
    passes("b", ("D",)),
    TEXT,
    TEXT,
    TEXT,
]


@pytest.mark.parametrize(
    ("start", "acts", "ending", "expected"),
    [
        # Nothing is missing.
        (("a", "b", "c"), [TEXT] * 3, "third_text", [0, 0, 0, 0]),
        (
            ("a", "b", "c"),
            [passes("a"), passes("b"), passes("c"), TEXT],
            "clean_stop",
            [0, 0, 0, 0],
        ),
        # Missing and never exposed.
        (("a",), [TEXT] * 3, "third_text", [1, 0, 0, 0]),
        # One of two missing routes is exposed: not recovered.
        (("a",), [fails("a", ("a", "b")), TEXT, TEXT, TEXT], "third_text", [1, 0, 0, 0]),
        # Both are exposed, neither while it is required.
        (("a",), [fails("a", ("a", "b", "c")), TEXT, TEXT, TEXT], "third_text", [1, 1, 0, 0]),
        # b in time, c while b was required.
        (("a",), REACHED_LATE, "third_text", [1, 1, 0, 0]),
        # Both in time; the episode does not pass.
        (
            ("a",),
            [passes("a", ("b",)), passes("b", ("c",)), TEXT, TEXT, TEXT],
            "third_text",
            [1, 1, 1, 0],
        ),
        # Both in time, and it passes.
        (
            ("a",),
            [passes("a", ("b",)), passes("b", ("c",)), passes("c"), TEXT],
            "clean_stop",
            [1, 1, 1, 1],
        ),
        # Exposed after the last turn: in no prompt.
        (("a",), [*[fails("a")] * 7, fails("a", ("b", "c"))], "turn_limit", [1, 0, 0, 0]),
        # Exposed in a prompt that overflowed.
        (("a",), [passes("a", ("b", "c")), OVERFLOW], "overflow", [1, 0, 0, 0]),
    ],
)
def test_recovery(
    start: tuple[str, ...], acts: Sequence[Act], ending: str, expected: list[int]
) -> None:
    item = rows(("a", "b", "c"), start, acts, ending)
    counts = count(STATE_AWARE, item, state_aware=item)
    names = ("initial_misses", "recoveries", "recoveries_in_time", "recoveries_passed")
    assert picked(counts, *names) == expected
    # The state-aware condition's misses are the common set.
    assert picked(counts, "common_misses", *(f"common_{name}" for name in names[1:])) == expected


def test_the_common_set_is_the_state_aware_condition_s_misses() -> None:
    wide = rows(("a", "b"), ("a", "b"), [TEXT] * 3, "third_text")
    narrow = rows(("a", "b"), ("a",), [fails("a", ("a", "b")), TEXT, TEXT, TEXT], "third_text")
    names = ("initial_misses", "recoveries", "common_misses", "common_recoveries")
    # Progressive misses where state-aware does not: Top-3 is part of Top-5.
    assert picked(count(PROGRESSIVE, narrow, state_aware=wide), *names) == [1, 1, 0, 0]
    assert picked(count(PROGRESSIVE, narrow, state_aware=narrow), *names) == [1, 1, 1, 1]
    assert picked(count(STATIC, narrow, state_aware=narrow), *names) == [1, 1, 1, 1]
    assert picked(count(FULL, wide, state_aware=narrow, size=2), *names) == [0, 0, 0, 0]


# Harm.


@pytest.mark.parametrize(
    ("start", "acts", "harmed", "at_risk"),
    [
        (("a", "b"), [passes("a", ("D",)), TEXT, TEXT, TEXT], 1, 1),  # b is gone when required
        (("a", "b"), [passes("a", ("b",)), TEXT, TEXT, TEXT], 0, 1),  # a is gone, b required
        (("a", "b"), [passes("a"), TEXT, TEXT, TEXT], 0, 1),
        (("a",), [passes("a", ("D",)), TEXT, TEXT, TEXT], 0, 1),  # b was never there
        (("D",), [fails("D", ("E",)), TEXT, TEXT, TEXT], 0, 0),  # nothing to lose
        (("a", "b"), [fails("D", ("b",)), fails("D", ("a", "b")), TEXT, TEXT, TEXT], 1, 1),
    ],
)
def test_harm(start: tuple[str, ...], acts: Sequence[Act], harmed: int, at_risk: int) -> None:
    counts = count(STATE_AWARE, rows(("a", "b"), start, acts, "third_text"))
    assert picked(counts, "harmed", "harm_at_risk") == [harmed, at_risk]


def test_what_a_condition_dropped_is_harm_though_the_prompt_overflowed() -> None:
    dropped = rows(("a", "b"), ("a", "b"), [passes("a", ("D",)), OVERFLOW], "overflow")
    kept = rows(("a", "b"), ("a", "b"), [passes("a", ("b",)), OVERFLOW], "overflow")
    assert count(STATE_AWARE, dropped)["harmed"] == 1
    assert count(STATE_AWARE, kept)["harmed"] == 0


def test_an_exposure_after_the_last_turn_harms_nobody() -> None:
    item = rows(("a", "b"), ("a", "b"), [*[fails("a")] * 7, passes("a", ("D",))], "turn_limit")
    assert picked(count(STATE_AWARE, item), "harmed", "harm_at_risk") == [0, 1]


# Costs.


def test_tokens_count_in_full_where_the_task_is_never_complete() -> None:
    item = rows(("a", "b"), ("a", "b"), [passes("a"), TEXT, TEXT, TEXT], "third_text")
    counts = count(STATIC, item)
    assert picked(counts, "tool_schema_tokens", "tool_schema_tokens_to_completion") == [40, 40]
    assert picked(counts, "input_tokens", "input_tokens_to_completion") == [400, 400]


def test_malformed_turns_are_turns_without_calls() -> None:
    item = rows(("a", "b"), ("a", "b"), [MALFORMED] * 3, "malformed")
    counts = count(STATIC, item)
    assert picked(counts, "model_turns", "tool_calls", "failed_executions") == [3, 0, 0]
    assert picked(counts, "ending_malformed", "failed_malformed", "next_tool_events") == [1, 1, 0]


def test_parallel_calls_are_tool_calls_and_no_failures() -> None:
    item = rows(("a", "b"), ("a",), [passes("a", others=2), TEXT, TEXT, TEXT], "third_text")
    assert picked(count(STATIC, item), "tool_calls", "failed_executions") == [3, 0]


def test_reaching_the_whole_catalog() -> None:
    catalog = tuple("ABCDEFGHIJab")
    wide = rows(("a", "b"), ("A", "B", "C"), [fails("a", catalog), TEXT, TEXT, TEXT], "third_text")
    names = ("whole_catalog", "narrow_episodes", "narrow_tool_schema_tokens")
    assert picked(count(PROGRESSIVE, wide, size=12, progressive=wide), *names) == [1, 0, 0]
    # The pair is left out where its progressive episode reached the whole catalog.
    assert picked(count(STATE_AWARE, IDLE, size=12, progressive=wide), *names) == [0, 0, 0]
    assert picked(count(STATE_AWARE, IDLE, size=12), *names) == [0, 1, 30]
    # Widened after the last turn, or in a prompt that overflowed: not reached.
    late = rows(("a", "b"), ("A",), [*[fails("a")] * 7, fails("a", catalog)], "turn_limit")
    over = rows(("a", "b"), ("A",), [fails("a", catalog), OVERFLOW], "overflow")
    for item in (late, over):
        assert count(PROGRESSIVE, item, size=12, progressive=item)["whole_catalog"] == 0


# Endings and causes.


@pytest.mark.parametrize(
    ("start", "acts", "ending", "cause"),
    [
        # The step that was never passed is b; it stood in no accepted prompt after a.
        (("a",), [passes("a"), TEXT, TEXT, TEXT], "third_text", "not_exposed"),
        (("a",), [passes("a"), *[fails("b")] * 7], "turn_limit", "not_exposed"),
        # It stood there before a was passed, not afterwards.
        (("a", "b"), [passes("a", ("D",)), TEXT, TEXT, TEXT], "third_text", "not_exposed"),
        # It was exposed, and the agent stopped.
        (("a", "b"), [passes("a"), TEXT, TEXT, TEXT], "third_text", "stopped_early"),
        (("a", "b"), [passes("a"), *[MALFORMED] * 3], "malformed", "stopped_early"),
        # It was exposed, and the turns ran out on other calls.
        (("a", "b"), [passes("a"), *[fails("a")] * 7], "turn_limit", "not_called"),
        # It was exposed, and the context ran out: the agent did not stop.
        (("a", "b"), [passes("a"), fails("a"), OVERFLOW], "overflow", "not_called"),
        # It was called, and did not pass.
        (("a", "b"), [passes("a"), fails("b"), TEXT, TEXT, TEXT], "third_text", "wrong_arguments"),
        (("a", "b"), [passes("a"), *[Act("b")] * 7], "turn_limit", "wrong_arguments"),
        # It was called before a was passed, which does not count.
        (("a", "b"), [fails("b"), passes("a"), TEXT, TEXT, TEXT], "third_text", "stopped_early"),
        # It was exposed, but called only when it was not.
        (
            ("a", "b"),
            [passes("a"), fails("a", ("D",)), fails("b"), TEXT, TEXT, TEXT],
            "third_text",
            "stopped_early",
        ),
        # A malformed call and a parallel one are no calls of it.
        (
            ("a", "b"),
            [passes("a"), Act("b", malformed=True), TEXT, TEXT],
            "third_text",
            "stopped_early",
        ),
        # The last turn passed a: what the next prompt would have held decides.
        (("a", "b"), [*[fails("D")] * 7, passes("a")], "turn_limit", "not_called"),
        (("a",), [*[fails("D")] * 7, passes("a")], "turn_limit", "not_exposed"),
        # The first prompt overflowed, or the one after the last step: it exposed nothing.
        (("a", "b"), [OVERFLOW], "overflow", "not_exposed"),
        (("a", "b"), [passes("a"), passes("b"), OVERFLOW], "overflow", "not_exposed"),
    ],
)
def test_causes(start: tuple[str, ...], acts: Sequence[Act], ending: str, cause: str) -> None:
    item = rows(("a", "b"), start, acts, ending)
    assert failure_cause(item) == cause
    counts = count(STATE_AWARE, item)
    assert {name for name in CAUSES if counts[f"cause_{name}"]} == {cause}
    assert {name for name in ENDINGS if counts[f"ending_{name}"]} == {ending}
    assert {name for name in ENDINGS if counts[f"failed_{name}"]} == {ending}
    assert counts["passes"] == 0


@pytest.mark.parametrize(
    ("acts", "ending"),
    [
        ([passes("a"), passes("b"), TEXT], "clean_stop"),
        ([passes("a"), passes("b"), MALFORMED], "malformed"),
        ([passes("a"), passes("b"), *[fails("a")] * 6], "turn_limit"),
    ],
)
def test_what_passed_has_no_cause(acts: Sequence[Act], ending: str) -> None:
    counts = count(STATIC, rows(("a", "b"), ("a", "b"), acts, ending))
    assert counts["passes"] == counts[f"ending_{ending}"] == 1
    assert not any(counts[f"cause_{name}"] for name in CAUSES)
    assert not any(counts[f"failed_{name}"] for name in ENDINGS)


def test_an_overflow_after_the_last_step_is_a_failure() -> None:
    item = rows(("a", "b"), ("a", "b"), [passes("a"), passes("b"), OVERFLOW], "overflow")
    counts = count(STATIC, item)
    assert picked(counts, "passes", "completed_steps", "required_steps") == [0, 2, 2]


# The real loop.


def test_real_episodes_are_counted_alike(world: World) -> None:
    records = [world.run(ScriptedAgent([*GOLD, *["done"] * 8]), name) for name in CONDITIONS]
    episodes = rows_by_key(records)
    columns = count_episodes(episodes, dict.fromkeys(episodes, AuditCounts(1, 1, 0, 0)))
    by_condition = {
        key.condition: {name: values[position] for name, values in columns.items()}
        for position, key in enumerate(episodes)
    }
    full, oracle = by_condition[FULL], by_condition[ORACLE]
    # GOLD passes four steps in four turns and then stops. ORACLE exposes three of four routes.
    for counts in (full, oracle):
        assert picked(counts, "passes", "model_turns", "tool_calls") == [1, 5, 4]
        assert picked(counts, "completed_steps", "failed_executions") == [4, 1]
    assert picked(full, "unique_candidates_exposed", "whole_catalog") == [4, 1]
    assert picked(oracle, "unique_candidates_exposed", "whole_catalog") == [3, 0]
    assert recall(oracle) == (3, 3)
    assert recall(oracle, "_first_arrivals") == (3, 3)
    assert recall(oracle, "_after_ok") == (2, 2)
    assert recall(oracle, "_after_error") == (1, 1)
    assert picked(oracle, "gold_trace_hits", "gold_trace_events") == [4, 4]
    assert [counts["gold_trace_events"] for counts in by_condition.values()] == [4, 4, 4, 0, 4]
