"""Opaque renaming: identifiers of the same pattern are as good as any, for retriever and states.

Every identifier of a task is renamed in its query, its rules, its observations and its approvals.
The log of the renamed episode is the log of the original, renamed; all that is retrieved and
exposed stays the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from harness.grid import EpisodeKey
from harness.record import EpisodeRecord, TurnRecord
from harness.study import Study
from surface.task import Task
from tests.integration.leakage.listening import Played, play


def identifiers(study: Study, task: Task) -> set[str]:
    """Every identifier that stands in a task: in what its steps take and answer."""
    snapshot = study.catalogs[100].snapshot
    found: set[str] = set()
    for step in task.steps:
        endpoint = snapshot.endpoint(step.route)
        for name, rule in step.arguments.items():
            [parameter] = [item for item in endpoint.parameters if item.name == name]
            if parameter.identifier and isinstance(rule.equals, str):
                found.add(rule.equals)
        for field in endpoint.output_fields:
            if field.identifier:
                found |= set(values(step.observation, field.pointer.split(".")))
    return found


def values(node: Any, path: list[str]) -> list[str]:
    if not path:
        return [node] if isinstance(node, str) else []
    name, *rest = path
    key = name.removesuffix("[]")
    if not isinstance(node, dict) or key not in node:
        return []
    items = node[key] if name.endswith("[]") else [node[key]]
    return [text for item in items for text in values(item, rest)]


def other(name: str) -> str:
    """An identifier of the same pattern: every digit behind another one is another digit."""
    return re.sub(r"(?<=[0-9])[0-9]", lambda found: str(9 - int(found[0])), name)


def rename(text: str, names: dict[str, str]) -> str:
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<![0-9A-Za-z])(?:{pattern})(?![0-9A-Za-z])", lambda m: names[m[0]], text)


def renamed_task(task: Task, names: dict[str, str]) -> Task:
    text = json.dumps(task.model_dump(mode="json", by_alias=True, exclude_none=True))
    return Task.model_validate_json(rename(text, names))


def decisions(turn: TurnRecord) -> list[tuple[str, str]]:
    return [(call.route, call.decision) for call in turn.calls]


def shown(record: EpisodeRecord) -> list[Any]:
    """Everything about retrieval and exposure, and what was decided."""
    return [
        [
            (row.ranking_head, row.ranking_sha256, row.exposure, row.gold_next_rank)
            for row in (*record.transitions, *record.traces)
        ],
        [(turn.exposure, decisions(turn)) for turn in record.turns],
        (record.task_pass, record.ending, record.completed_at_turn, record.refreshes),
    ]


@pytest.mark.parametrize("condition", ["SR-5-STATE-AWARE", "SR-PROGRESSIVE-STATIC", "ORACLE"])
def test_renamed_identifiers(study: Study, batch: dict[EpisodeKey, Played], condition: str) -> None:
    tasks = {}
    for name, task in study.tasks.items():
        names = {text: other(text) for text in identifiers(study, task)}
        assert names
        tasks[name] = (renamed_task(task, names), names)
    copy = Study(study.config, study.task_folder)
    copy.__dict__["catalogs"] = study.catalogs
    copy.__dict__["tasks"] = {name: task for name, (task, _) in tasks.items()}
    changed = 0
    for key in (item for item in batch if item.condition == condition):
        names = tasks[key.task_id][1]
        record, original = play(copy, key).record, batch[key].record
        assert shown(record) == shown(original)
        for row, before in zip(record.transitions, original.transitions, strict=True):
            state, expected = json.loads(row.state), json.loads(rename(before.state, names))
            for fields in (state, expected):
                fields["stable_observed_identifiers"].sort()
            assert state == expected
        changed += asdict(record) != asdict(original)
    assert changed
