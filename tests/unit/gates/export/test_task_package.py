"""The task set's package is valid by Frictionless's own validator, and tells nothing hidden."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from frictionless import Package

from gates.export.task_package import write_task_package
from harness.error import IntegrityError
from surface.task import CANARY, Task
from tests.support.finished import shop


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tasks")
    write_task_package(shop(), path)
    return path


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def values(node: Any) -> Iterator[str]:
    """Every text of a tree."""
    if isinstance(node, dict):
        for item in node.values():
            yield from values(item)
    elif isinstance(node, list):
        for item in node:
            yield from values(item)
    elif isinstance(node, str):
        yield node


def hidden(task: Task) -> Iterator[str]:
    """What a task keeps from agents: expected arguments, answers, scripted errors, approvals."""
    for step in task.steps:
        yield from values(step.model_dump(mode="json", exclude={"route"}))
    for approval in task.approvals:
        yield from values(approval.model_dump(mode="json", exclude={"route"}))


def test_it_is_valid_and_whole(folder: Path) -> None:
    assert Package(str(folder / "datapackage.json")).validate().valid
    tasks = shop().tasks
    assert {row["task_id"]: row["query"] for row in rows(folder, "tasks")} == {
        name: task.query for name, task in tasks.items()
    }
    assert [
        (row["task_id"], int(row["step"]), row["route_id"]) for row in rows(folder, "steps")
    ] == [
        (name, number, step.route)
        for name in sorted(tasks)
        for number, step in enumerate(tasks[name].steps, start=1)
    ]
    endpoints = {row["route_id"]: row for row in rows(folder, "endpoints")}
    assert set(endpoints) == set(shop().catalogs[5].snapshot.routes)
    assert {route for route, row in endpoints.items() if row["catalog_size"] == "4"} == set(
        shop().catalogs[4].snapshot.routes
    )
    schema = shop().catalogs[4].snapshot.endpoint("shop.cancel_order").input_schema
    assert json.loads(endpoints["shop.cancel_order"]["input_schema"]) == schema
    assert endpoints["shop.cancel_order"]["destructive"] == "true"


def test_the_canary_stands_in_every_row_about_a_task(folder: Path) -> None:
    assert CANARY in (folder / "datapackage.json").read_text(encoding="utf-8")
    for name in ("tasks", "steps"):
        assert {row["canary"] for row in rows(folder, name)} == {CANARY}


def test_it_tells_nothing_that_the_study_hides(folder: Path) -> None:
    told = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))
    secrets = {text for task in shop().tasks.values() for text in hidden(task)}
    queries = "".join(task.query + task.gloss for task in shop().tasks.values())
    found = {text for text in secrets if len(text) > 5 and text not in queries and text in told}
    assert len(secrets) > 3
    assert found == set()


def test_what_the_validator_finds_is_refused(tmp_path: Path) -> None:
    tasks = dict(shop().tasks)
    first = tasks["shop-1"]
    strange = first.steps[0].model_copy(update={"route": "shop.gone"})
    tasks["shop-1"] = first.model_copy(update={"steps": (strange, *first.steps[1:])})
    with pytest.raises(IntegrityError, match="not valid"):
        write_task_package(replace(shop(), tasks=tasks), tmp_path)
