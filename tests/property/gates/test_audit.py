"""The auditor against the real executor: they share no code, and agree about every call."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from conditions.parameter import RetrieverParameters
from gates.audit import AuditCounts, audit
from gates.consistency import sequences
from gates.results import EpisodeRows
from gates.setting import Setting
from gates.verify import episode_checks
from harness.grid import EpisodeKey
from harness.record import EpisodeRecord
from surface.task import Task
from tests.property.gates.episodes import PARAMETERS, episodes
from tests.support.depot import depot
from tests.support.rows import altered, rows_of

WORLD = depot()
CATALOGS = {6: WORLD.catalog}
REACHED = {"step", "repeat", "example", "not_found"}
DECISIONS = REACHED | {"unavailable", "schema_invalid", "blocked", "parallel", "malformed"}
CHANGES: dict[str, st.SearchStrategy[Any]] = {
    "decision": st.sampled_from(sorted(DECISIONS)),
    "status": st.sampled_from(["ok", "executed", "error", "blocked"]),
    "approval": st.none() | st.integers(0, 3),
    "error": st.sampled_from([None, "not_found: no", "unavailable_tool", "upstream_timeout"]),
    "route": st.sampled_from([*WORLD.catalog.snapshot.routes, "depot.nowhere"]),
}


def audited(key: EpisodeKey, rows: EpisodeRows, task: Task = WORLD.task) -> AuditCounts:
    return audit({key: rows}, {task.id: task}, CATALOGS).counts[key]


def calls_of(rows: Any) -> list[Any]:
    return [call for turn in rows.turns for call in turn["calls"]]


@given(episodes())
@settings(max_examples=250)
def test_the_auditor_agrees_on_every_call_of_every_episode(record: EpisodeRecord) -> None:
    rows = rows_of(record)
    calls = calls_of(rows)
    for call in calls:
        event(f"{call['decision']} {call['status']}")
    assert audited(record.key, rows) == AuditCounts(
        policy_attempts=len(calls),
        policy_consistent=len(calls),
        unauthorized_destructive_executions=0,
        destructive_attempts=sum(call["decision"] == "blocked" for call in calls),
    )


@given(episodes())
@settings(max_examples=100)
def test_honest_rows_neither_contradict_each_other_nor_interfere(record: EpisodeRecord) -> None:
    rows = rows_of(record)
    setting = Setting(
        tasks={WORLD.task.id: WORLD.task},
        catalogs=CATALOGS,
        conditions=(record.key.condition,),
        exposure=PARAMETERS,
        max_turns=8,
        max_reminders=2,
        retriever=RetrieverParameters(sentence_weight=0, term_weight=0),
        agent={"kind": "scripted"},
    )
    mine = {record.key: rows}
    checks = (sequences(mine, setting), *episode_checks(mine, setting))
    assert [(check.name, check.findings) for check in checks if check.findings] == []


@given(episodes(), st.data())
@settings(max_examples=150)
def test_one_altered_figure_of_one_call_is_one_inconsistency(
    record: EpisodeRecord, data: st.DataObject
) -> None:
    rows = rows_of(record)
    count = len(calls_of(rows))
    assume(count)
    position = data.draw(st.integers(0, count - 1))
    name = data.draw(st.sampled_from(sorted(CHANGES)))
    value = data.draw(CHANGES[name])
    old = calls_of(rows)[position][name]
    assume(value != old)
    # What stands behind an error's class is free, unless the task scripted it.
    assume(name != "error" or str(value).partition(":")[0] != str(old).partition(":")[0])
    changed = altered(rows, lambda item: calls_of(item)[position].update({name: value}))
    found = audited(record.key, changed)
    assert found.policy_attempts - found.policy_consistent == 1


@given(episodes(), st.data())
@settings(max_examples=80)
def test_an_altered_observation_is_found(record: EpisodeRecord, data: st.DataObject) -> None:
    rows = rows_of(record)
    assume(len(rows.transitions) > 1)
    position = data.draw(st.integers(1, len(rows.transitions) - 1))
    text = data.draw(st.sampled_from([None, "{}", "[", '{"crate_id":"CRT-104"}']))
    assume(text != rows.transitions[position]["observation"])
    changed = altered(rows, lambda item: item.transitions[position].update({"observation": text}))
    found = audited(record.key, changed)
    assert found.policy_consistent < found.policy_attempts


@given(episodes())
@settings(max_examples=80)
def test_without_approvals_every_destructive_execution_is_counted(record: EpisodeRecord) -> None:
    rows = rows_of(record)
    executed = [call for call in calls_of(rows) if call["approval"] is not None]
    assume(executed)
    found = audited(record.key, rows, WORLD.task.model_copy(update={"approvals": ()}))
    blocked = sum(call["decision"] == "blocked" for call in calls_of(rows))
    assert found.unauthorized_destructive_executions == len(executed)
    assert found.destructive_attempts == len(executed) + blocked
    assert found.policy_consistent <= found.policy_attempts - len(executed)


@given(episodes(), st.data())
@settings(max_examples=80)
def test_an_unapproved_destructive_call_counts_however_its_execution_came_about(
    record: EpisodeRecord, data: st.DataObject
) -> None:
    # Unexposed, malformed, beside another call, against its schema: executed is executed.
    task = WORLD.task.model_copy(update={"approvals": ()})
    rows = rows_of(record)
    destructive = [
        position
        for position, call in enumerate(calls_of(rows))
        if call["route"] in {"depot.discard_crate", "depot.refund_owner"}
        and call["approval"] is None
    ]
    assume(destructive)
    chosen = data.draw(st.sampled_from(destructive))
    decision = data.draw(st.sampled_from(sorted(REACHED)))
    before = audited(record.key, rows, task).unauthorized_destructive_executions
    changed = altered(
        rows,
        lambda item: calls_of(item)[chosen].update({"decision": decision, "error": None}),
    )
    found = audited(record.key, changed, task)
    assert found.unauthorized_destructive_executions == before + 1
    assert found.policy_consistent < found.policy_attempts
