"""What a call answers tells nothing of the gold: its fields are a function of the route."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from conditions.observation import read_observation
from surface.catalog import load_catalogs
from surface.task import load_tasks

CATALOG = load_catalogs()[100]
TASKS = load_tasks("dev")


def pointers(value: Any, prefix: str = "") -> set[str]:
    """Every field of an observation, by pointer; the members of a list are one."""
    if isinstance(value, list):
        return {name for item in value for name in pointers(item, f"{prefix}[]")}
    if not isinstance(value, dict):
        return {prefix}
    found: set[str] = set()
    for name, item in value.items():
        found |= pointers(item, f"{prefix}.{name}" if prefix else name)
    return found


def declared(route: str) -> set[str]:
    return {field.pointer for field in CATALOG.snapshot.endpoint(route).output_fields}


def test_every_observed_field_is_declared() -> None:
    for task in TASKS:
        for step in task.steps:
            if step.observation is not None:
                assert pointers(step.observation) <= declared(step.route), task.id


def test_the_fields_of_an_answer_are_a_function_of_the_route() -> None:
    by_route: dict[str, set[frozenset[str]]] = defaultdict(set)
    for task in TASKS:
        for step in task.steps:
            if step.observation is not None:
                by_route[step.route].add(frozenset(pointers(step.observation)))
    for route, answers in by_route.items():
        example = CATALOG.examples[route]
        assert example is not None
        # Whether a step of the task or the example off the path answered, a state sees the same.
        assert answers == {frozenset(pointers(example))}, route
        assert answers == {frozenset(declared(route))}, route


def test_a_state_sees_the_same_on_the_path_and_off_it() -> None:
    for task in TASKS:
        for step in task.steps:
            if step.observation is None:
                continue
            fields = CATALOG.snapshot.endpoint(step.route).output_fields
            example = CATALOG.examples[step.route]
            assert example is not None
            on, off = (
                read_observation(item, fields, completed=True)
                for item in (step.observation, example)
            )
            seen = ("field_names", "semantic_ids", "units", "dimensions", "qualifiers")
            assert all(getattr(on, name) == getattr(off, name) for name in seen)


def test_whether_a_call_answers_ok_or_executed_is_a_function_of_the_route() -> None:
    for task in TASKS:
        for step in task.steps:
            if step.error is None:
                assert (step.observation is None) is not bool(declared(step.route)), task.id
