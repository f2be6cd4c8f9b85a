"""The executor is a pure, total state machine that never shows a step before its time."""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from router.canonical import canonical_json
from router.contract import ParameterSpec
from surface.executor import Execution, Executor, Progress
from surface.failure import error_class
from surface.gold import gold_arguments
from surface.identifier import texts_in
from surface.task import Task
from tests.support.small_surface import CUSTOMER, SESSION, SHIPMENT, sound

CATALOGS, TASKS = sound()
CATALOG: Final = CATALOGS[500]
ROUTES: Final = CATALOG.snapshot.routes

# Values that calls of the small tasks are made of, right and wrong ones.
KNOWN: Final[tuple[Any, ...]] = (
    CUSTOMER,
    SHIPMENT,
    SESSION,
    "CUS-5560",
    "SHP-100233",
    "SHP-100234",
    "SHP-900001",
    "QT-551830",
    "QT-900001",
    "ses_0a1b2c3d",
    "9c41e07a-5d2f",
    "3fb8a610-c74e",
    "5d20c1aa-0b3e",
    "2025.03",
    "2025.04",
    "sensor",
    "held",
    True,
    5.67,
    12.5,
    45.5,
    7.5,
    3,
)
known = st.sampled_from(KNOWN)


def fitting(parameter: ParameterSpec) -> st.SearchStrategy[Any]:
    """Known values that the parameter's schema accepts."""
    validator = Draft202012Validator(parameter.json_schema)
    return st.sampled_from([value for value in KNOWN if validator.is_valid(value)] or [["held"]])


# Whatever a JSON parser can hand over, NaN, lone surrogates and huge numbers included.
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | known,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=())), inner, max_size=3)
    ),
    max_leaves=8,
)
arguments_of = {
    route: st.fixed_dictionaries(
        {},
        optional={item.name: known | json_values for item in endpoint.parameters},
    )
    | st.dictionaries(st.text(), json_values, max_size=3)
    for route, endpoint in zip(ROUTES, CATALOG.snapshot.endpoints, strict=True)
}
routes = st.sampled_from(ROUTES)
wild = routes.flatmap(lambda route: st.tuples(st.just(route), arguments_of[route])) | st.tuples(
    st.text(), st.dictionaries(st.text(), json_values, max_size=3)
)
likely = routes.flatmap(
    lambda route: st.tuples(
        st.just(route),
        st.fixed_dictionaries(
            {
                item.name: fitting(item)
                for item in CATALOG.snapshot.endpoint(route).parameters
                if item.required
            }
        ),
    )
)
exposures = st.just(ROUTES) | st.just(ROUTES) | st.lists(routes, max_size=8).map(tuple)
names = st.sampled_from(sorted(TASKS))

GOLD: Final = "gold"
calls = st.lists(st.tuples(wild | likely | st.just(GOLD), exposures), min_size=1, max_size=12)


def run(
    task: Task, listed: list[tuple[Any, Collection[str]]]
) -> list[tuple[Progress, Progress, Execution, tuple[str, dict[str, Any]]]]:
    """Make the calls; a gold one is the next step's, the first one's after completion."""
    executor = Executor(task, CATALOG)
    progress = executor.start()
    history = []
    for call, exposed in listed:
        if call == GOLD:
            position = 0 if executor.complete(progress) else len(progress.passed)
            base = executor.start() if executor.complete(progress) else progress
            call = (task.steps[position].route, gold_arguments(executor, base))
            exposed = ROUTES
        route, arguments = call
        after, execution = executor.execute(
            progress, route=route, arguments=arguments, exposed=exposed
        )
        history.append((progress, after, execution, (route, arguments)))
        progress = after
    return history


@given(names, calls)
@settings(max_examples=300)
def test_every_call_gets_a_well_formed_answer(
    name: str, listed: list[tuple[Any, Collection[str]]]
) -> None:
    for _, _, execution, (route, _) in run(TASKS[name], listed):
        if execution.status in {"ok", "executed"}:
            assert execution.error is None
            outputs = bool(CATALOG.snapshot.endpoint(route).output_fields)
            assert execution.status == ("ok" if outputs else "executed")
            assert (execution.observation is not None) == outputs
        else:
            assert execution.observation is None
            assert error_class(str(execution.error)) in str(execution.error)
            # An answer can always be written down.
            canonical_json(execution.error)
        assert execution.reached == (
            execution.decision not in {"unavailable", "schema_invalid", "blocked"}
        )


@given(names, calls)
def test_the_executor_is_a_function(name: str, listed: list[tuple[Any, Collection[str]]]) -> None:
    task = TASKS[name]
    before = copy.deepcopy((task.model_dump(mode="json"), dict(CATALOG.examples)))
    first, second = run(task, copy.deepcopy(listed)), run(task, copy.deepcopy(listed))
    assert [item[1:3] for item in first] == [item[1:3] for item in second]
    assert before == (task.model_dump(mode="json"), dict(CATALOG.examples))


@given(names, calls)
def test_progress_only_grows(name: str, listed: list[tuple[Any, Collection[str]]]) -> None:
    for before, after, execution, _ in run(TASKS[name], listed):
        assert after.passed[: len(before.passed)] == before.passed
        assert len(after.passed) - len(before.passed) == execution.advanced
        assert before.used_approvals <= after.used_approvals
        assert after.used_approvals - before.used_approvals == (
            set() if execution.approval is None else {execution.approval}
        )
        assert after.texts[: len(before.texts)] == before.texts
        if not execution.reached:
            assert after is before


@given(names, calls)
def test_a_task_is_complete_exactly_when_every_step_has_been_passed(
    name: str, listed: list[tuple[Any, Collection[str]]]
) -> None:
    task = TASKS[name]
    executor = Executor(task, CATALOG)
    advanced = 0
    for before, after, execution, (route, _) in run(task, listed):
        if execution.advanced:
            assert task.steps[len(before.passed)].route == route
        advanced += execution.advanced
        assert executor.complete(after) == (advanced == len(task.steps))


@given(names, calls)
def test_no_observation_of_a_step_that_was_not_reached_is_ever_answered(
    name: str, listed: list[tuple[Any, Collection[str]]]
) -> None:
    task = TASKS[name]
    for _, after, execution, (route, _) in run(task, listed):
        passed = task.steps[: len(after.passed)]
        allowed: list[Any] = [step.observation for step in passed]
        if route in CATALOG.examples:
            allowed.append(CATALOG.examples[route])
        assert execution.observation is None or execution.observation in allowed
        scripted = {step.error for step in task.steps if step.error} - {
            step.error for step in passed
        }
        assert execution.error not in scripted


@given(names, calls)
def test_what_lies_ahead_changes_no_answer(
    name: str, listed: list[tuple[Any, Collection[str]]]
) -> None:
    """Another gold beyond the steps that were passed is not noticed (non-interference)."""
    task = TASKS[name]
    history = run(task, listed)
    reached = len(history[-1][1].passed)
    if reached == len(task.steps):
        return
    # The observation of the step that comes next, and everything behind it, is something else.
    changed = tuple(
        step
        if position < reached
        else step.model_copy(
            update={"observation": None if step.observation is None else {"other": "SHP-000000"}}
        )
        for position, step in enumerate(task.steps)
    )
    other = task.model_copy(update={"steps": changed, "id": "other", "gloss": "Something else."})
    without_gold = [
        ((call, exposed) if call != GOLD else (history[index][3], ROUTES))
        for index, (call, exposed) in enumerate(listed)
    ]
    assert [item[1:3] for item in run(task, without_gold)] == [
        item[1:3] for item in run(other, without_gold)
    ]


@given(names, calls)
def test_identifiers_are_accepted_only_after_they_were_shown(
    name: str, listed: list[tuple[Any, Collection[str]]]
) -> None:
    task = TASKS[name]
    shown = [task.query]
    for _, _, execution, (route, arguments) in run(task, listed):
        if execution.decision in {"step", "repeat", "example"}:
            for parameter in CATALOG.snapshot.endpoint(route).parameters:
                if parameter.identifier:
                    for text in texts_in(arguments.get(parameter.name)):
                        assert any(text in known for known in shown)
        shown.extend(texts_in(execution.observation))


@given(names, st.sampled_from([100, 250, 500]), st.sets(routes))
def test_only_exposed_routes_can_be_called(name: str, tier: int, exposed: set[str]) -> None:
    task = TASKS[name]
    catalog = CATALOGS[tier]
    executor = Executor(task, catalog)
    progress = executor.start()
    for route in ROUTES:
        _, execution = executor.execute(progress, route=route, arguments={}, exposed=exposed)
        available = route in exposed and route in catalog.snapshot
        assert (execution.decision != "unavailable") == available
