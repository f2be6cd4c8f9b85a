from __future__ import annotations

import json
from itertools import product

from gates.familiarity import DEVELOPMENT_SERVICES, familiarity
from gates.metric_table import COLUMNS
from gates.terminal import Tally
from harness.grid import EpisodeKey
from surface.task import load_tasks
from tests.support.shop_study import tasks as shop_tasks


def test_the_services_are_those_of_the_development_tasks() -> None:
    required = {route for task in load_tasks("dev") for route in task.required_routes}
    assert {route.partition(".")[0] for route in required} == DEVELOPMENT_SERVICES


def test_every_development_task_is_seen() -> None:
    tasks = {task.id: task for task in load_tasks("dev")}
    found = json.loads(json.dumps(familiarity(Tally((), {}), tasks)))
    assert (found["seen"]["tasks"], found["unseen"]["tasks"]) == (30, 0)


def test_a_task_is_unseen_by_one_service_that_no_development_task_uses() -> None:
    dev = {task.id: task for task in load_tasks("dev")}
    strange = dict(shop_tasks())
    known = dict(list(dev.items())[:2])
    keys = [EpisodeKey(*key) for key in product([*known, *strange], (100,), ("FULL", "ORACLE"))]
    columns = {name: [1] * len(keys) for name in COLUMNS if name != "episodes"}
    columns["passes"] = [int(key.task_id in known and key.condition == "ORACLE") for key in keys]
    columns["next_tool_events"] = [int(key.condition == "ORACLE") for key in keys]
    columns["next_tool_hits"] = columns["next_tool_events"]
    found = json.loads(json.dumps(familiarity(Tally(keys, columns), known | strange)))
    assert found["seen"]["tasks"] == 2
    assert found["unseen"]["tasks"] == len(strange)
    assert found["seen"]["metrics"]["ORACLE"]["task_pass"] == 1
    assert found["seen"]["metrics"]["FULL"]["task_pass"] == 0
    assert found["unseen"]["metrics"]["ORACLE"]["task_pass"] == 0
    assert found["unseen"]["metrics"]["ORACLE"]["next_tool_recall_at_5"] == 1
    assert found["unseen"]["metrics"]["FULL"]["next_tool_recall_at_5"] is None
    assert found["seen"]["metrics"]["FULL"]["tool_schema_tokens"] == 1
