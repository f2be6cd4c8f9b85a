"""What an agent that knows the gold sends satisfies the rules."""

from __future__ import annotations

from typing import Any

import pytest

from surface.argument import Rule
from surface.executor import Executor
from surface.gold import FREE_TEXT, gold_arguments
from surface.task import Task
from tests.support.small_surface import CUSTOMER, SHIPMENT, sound

CATALOGS, TASKS = sound()


def gold(task: Task, position: int) -> dict[str, Any]:
    executor = Executor(task, CATALOGS[100])
    progress = executor.start()
    for step in task.steps[:position]:
        progress, _ = executor.execute(
            progress,
            route=step.route,
            arguments=gold_arguments(executor, progress),
            exposed=task.required_routes,
        )
    return gold_arguments(executor, progress)


@pytest.mark.parametrize(
    ("name", "position", "expected"),
    [
        ("en-two", 0, {"customer_id": CUSTOMER}),
        ("en-two", 1, {"shipment_id": "SHP-100234"}),
        ("en-three", 1, {"shipment_id": "SHP-100233", "weight": pytest.approx(5.669904625)}),
        ("en-three", 2, {"quote_id": "QT-551830", "insured": True}),
        ("en-typed", 1, {"shipment_id": SHIPMENT, "temperature": pytest.approx(45.5)}),
        ("en-typed", 2, {"shipment_id": SHIPMENT, "reason": FREE_TEXT}),
    ],
)
def test_gold_arguments(name: str, position: int, expected: dict[str, Any]) -> None:
    assert gold(TASKS[name], position) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"contains": "broken"}, "broken"),
        ({"one_of": ["b", "a"]}, "b"),
        ({"equals": "x", "says": "ex"}, "x"),
        ({"nonempty": True}, FREE_TEXT),
    ],
)
def test_gold_of_each_kind_of_rule(rule: dict[str, Any], expected: Any) -> None:
    task = TASKS["en-typed"]
    step = task.steps[2].model_copy(
        update={
            "arguments": {
                **task.steps[2].arguments,
                "reason": Rule.model_validate(rule, strict=True),
            }
        }
    )
    changed = task.model_copy(update={"steps": (*task.steps[:2], step)})
    assert gold(changed, 2)["reason"] == expected


def test_gold_of_an_integer_is_an_integer() -> None:
    task = TASKS["en-two"]
    rule = Rule.model_validate(
        {"quantity": {"value": 2.0, "unit": "dimensionless", "tolerance": 0}}
    )
    step = task.steps[0].model_copy(
        update={"arguments": {**task.steps[0].arguments, "max_count": rule}}
    )
    sent = gold(task.model_copy(update={"steps": (step, task.steps[1])}), 0)
    assert sent["max_count"] == 2
    assert type(sent["max_count"]) is int
