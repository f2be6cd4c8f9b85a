"""The auditor's own reading of argument rules, identifiers and approvals (protocol, section 4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gates.permission import History, approval_for, equal, identifiers_known, is_next_step
from router.contract import EndpointSpec, ParameterSpec
from surface.task import Task

OBSERVED = {"items": [{"item_id": "IT-1"}, {"item_id": "IT-2"}], "mass": 2, "none": None}


def history(rule: dict[str, Any], *approvals: dict[str, Any], passed: int = 1) -> History:
    """A task whose second step has one argument under a rule, after its first step."""
    task = Task.model_validate_json(
        json.dumps(
            {
                "id": "t",
                "split": "test",
                "stratum": "two_step_state_dependency",
                "language": "en",
                "query": "Take IT-9 and IT-10, please.",
                "gloss": "Take two items.",
                "steps": [{"route": "a.list"}, {"route": "a.take", "arguments": {"x": rule}}],
                "approvals": list(approvals),
            }
        )
    )
    known = History(task, ({"mass": "lb", "items[].mass": "g"}, {}))
    if passed:
        known.add(OBSERVED, approval=None, step=("a.list", {}))
    return known


def endpoint(unit: str | None = None, **fields: Any) -> EndpointSpec:
    return EndpointSpec(name="take", parameters=(ParameterSpec(name="x", unit=unit, **fields),))


def right(rule: dict[str, Any], value: Any, unit: str | None = None) -> bool:
    return is_next_step(history(rule), "a.take", {"x": value, "free": 1}, endpoint(unit))


@pytest.mark.parametrize(
    ("rule", "values", "others"),
    [
        ({"equals": 3}, [3, 3.0], ["3", 4, True, None, [3]]),
        ({"equals": 1}, [1], [True]),
        ({"equals": True}, [True], [1, "true"]),
        ({"equals": 0}, [0, 0.0, -0.0], [False, None, ""]),
        ({"equals": None}, [None], [0, "", False, []]),
        ({"equals": "a"}, ["a"], ["A", " a", "a "]),
        ({"equals": [1, {"b": 2}]}, [[1.0, {"b": 2.0}]], [[1], [{"b": 2}, 1], [1, {"b": True}]]),
        ({"nonempty": True}, ["a", 0, False, [0], {"a": 1}], ["", "  ", "\n", None, [], {}]),
        ({"contains": "ring"}, ["RING", "a string"], ["rin", 5, None, ["ring"]]),
        ({"contains": "STRASSE"}, ["straße"], ["strase"]),
        ({"one_of": [1, "a"]}, [1.0, "a"], [True, "b", None]),
        ({"from": {"step": 1, "path": "items[1].item_id"}}, ["IT-2"], ["IT-1", "IT-20", None]),
        ({"from": {"step": 1, "path": "none"}}, [], [None, ""]),
        ({"from": {"step": 1, "path": "items[2].item_id"}}, [], [None, "IT-1"]),
        ({"from": {"step": 1, "path": "mass[0]"}}, [], [2, None]),
        ({"from": {"step": 1, "path": "items.item_id"}}, [], ["IT-1"]),
        ({"from": {"step": 2, "path": "mass"}}, [], [2]),
    ],
)
def test_rules(rule: dict[str, Any], values: list[Any], others: list[Any]) -> None:
    assert [value for value in values if not right(rule, value)] == []
    assert [value for value in others if right(rule, value)] == []


@pytest.mark.parametrize(
    ("rule", "unit", "value", "fits"),
    [
        # Stated in the parameter's unit: the tolerance is absolute and its end belongs to it.
        ({"value": 5, "unit": "kg", "tolerance": 0.1}, "kg", 5.1, True),
        ({"value": 5, "unit": "kg", "tolerance": 0.1}, "kg", 4.9, True),
        ({"value": 5, "unit": "kg", "tolerance": 0.1}, "kg", 5.1000001, False),
        ({"value": 5, "unit": "kg", "tolerance": 0}, "kg", 5, True),
        ({"value": 5, "unit": "kg", "tolerance": 0}, "kg", 5.0000001, False),
        ({"value": 5, "unit": "kg", "tolerance": 0}, "kg", True, False),
        ({"value": 5, "unit": "kg", "tolerance": 0}, "kg", "5", False),
        ({"value": 5, "unit": "kg", "tolerance": 0}, "kg", None, False),
        # Converted: 5 kg are 5000 g; the tolerance is in the parameter's unit.
        ({"value": 5, "unit": "kg", "tolerance": 1}, "g", 5001, True),
        ({"value": 5, "unit": "kg", "tolerance": 1}, "g", 5002, False),
        ({"value": 5, "unit": "kg", "tolerance": 1}, "g", 5, False),
        # Temperatures have an offset: 4 degC are 39.2 degF.
        ({"value": 4, "unit": "degC", "tolerance": 0.5}, "degF", 39.7, True),
        ({"value": 4, "unit": "degC", "tolerance": 0.5}, "degF", 39.71, False),
        # Observed: 2 lb, by the field's registered unit, are 0.90718474 kg.
        ({"step": 1, "path": "mass", "tolerance": 0.001}, "kg", 0.907, True),
        ({"step": 1, "path": "mass", "tolerance": 0.001}, "kg", 2, False),
        ({"step": 1, "path": "mass", "tolerance": 0}, None, 2, True),
        ({"step": 1, "path": "items[0].item_id", "tolerance": 9}, "kg", 1, False),
        ({"step": 1, "path": "absent", "tolerance": 9}, "kg", 1, False),
    ],
)
def test_quantities(rule: dict[str, Any], unit: str | None, value: Any, fits: bool) -> None:
    assert right({"quantity": rule}, value, unit) is fits


def test_the_next_step_needs_its_route_its_arguments_and_its_turn() -> None:
    known = history({"equals": 1})
    assert is_next_step(known, "a.take", {"x": 1}, endpoint())
    assert not is_next_step(known, "a.list", {"x": 1}, endpoint())
    assert not is_next_step(known, "a.take", {}, endpoint())
    known.add(None, approval=None, step=("a.take", {"x": 1}))
    assert not is_next_step(known, "a.take", {"x": 1}, endpoint())
    assert known.answered("a.take", {"x": 1.0}) == 1
    assert known.answered("a.take", {"x": 2}) is None
    assert known.answered("a.list", {"x": 1}) is None


def test_nothing_is_observed_before_its_step() -> None:
    rule = {"from": {"step": 1, "path": "mass"}}
    known = history(rule, {"step": 2}, passed=0)
    assert approval_for(known, "a.take", {"x": 2}, endpoint()) is None
    known.add(OBSERVED, approval=None, step=("a.list", {}))
    assert approval_for(known, "a.take", {"x": 2}, endpoint()) == 0


def test_approvals_are_for_one_route_its_arguments_and_one_use() -> None:
    known = history(
        {"equals": 1},
        {"route": "a.other", "arguments": {}},
        {"step": 2},
        {"route": "a.take", "arguments": {"x": {"one_of": [1, 2]}}},
    )
    assert approval_for(known, "a.take", {"x": 3}, endpoint()) is None
    assert approval_for(known, "a.take", {"x": 2}, endpoint()) == 2
    assert approval_for(known, "a.take", {"x": 1}, endpoint()) == 1
    known.add(None, approval=1, step=None)
    assert approval_for(known, "a.take", {"x": 1}, endpoint()) == 2
    known.add(None, approval=2, step=None)
    assert approval_for(known, "a.take", {"x": 1}, endpoint()) is None
    assert approval_for(known, "a.other", {"y": 7}, endpoint()) == 0


@pytest.mark.parametrize(
    ("value", "known"),
    [
        ("IT-9", True),  # in the query
        ("IT-10", True),
        ("IT-1", True),  # observed; in the query it is part of IT-10 only
        ("IT-2", True),
        ("IT-20", False),
        ("IT", False),
        ("T-9", False),
        ("10", False),
        (2, True),
        (2.0, True),
        (-0.0, False),
        (3, False),
        (["IT-1", "IT-2"], True),
        (["IT-1", "IT-3"], False),
        ({"a": "IT-3"}, False),
        ([], True),
        (True, True),  # a boolean names nothing
    ],
)
def test_identifiers_occur_whole(value: Any, known: bool) -> None:
    spec = endpoint(identifier=True)
    assert identifiers_known(history({"equals": 1}), spec, {"x": value}) is known
    assert identifiers_known(history({"equals": 1}), spec, {})


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("고객 CUS-7의 주문", True),  # particles of other scripts may follow directly
        ("顧客CUS-7です", True),
        ("CUS-71", False),
        ("XCUS-7", False),
        ("A-CUS-7", False),
        ("CUS-7-B", False),
        ("CUS-7-", True),
        ("-CUS-7", True),
        ("_CUS-7", False),
        ("(CUS-7).", True),
        ("cus-7", False),
    ],
)
def test_where_an_identifier_ends(text: str, known: bool) -> None:
    seen = history({"equals": 1})
    seen.add({"text": text}, approval=None, step=None)
    assert identifiers_known(seen, endpoint(identifier=True), {"x": "CUS-7"}) is known


def test_overlapping_places_are_all_looked_at() -> None:
    # The first "##" of "x###" is joined to the x, the second stands free.
    seen = history({"equals": 1})
    seen.add({"text": "x### "}, approval=None, step=None)
    assert identifiers_known(seen, endpoint(identifier=True), {"x": "##"})


@pytest.mark.parametrize(
    ("spec", "strict"),
    [
        (ParameterSpec(name="order_id"), True),
        (ParameterSpec(name="x", identifier=True), True),
        (ParameterSpec(name="x", semantic_id="order.id"), True),
        (ParameterSpec(name="x", semantic_id="order.identifier"), True),
        (ParameterSpec(name="x", semantic_id="order.idx"), False),
        (ParameterSpec(name="x", semantic_id="id"), False),
        (ParameterSpec(name="valid"), False),
        (ParameterSpec(name="x"), False),
    ],
)
def test_what_is_an_identifier(spec: ParameterSpec, strict: bool) -> None:
    taker = EndpointSpec(name="take", parameters=(spec,))
    known = identifiers_known(history({"equals": 1}), taker, {spec.name: "ZZ-1"})
    assert known is not strict


def test_equality_is_that_of_json() -> None:
    assert equal({"a": [1, None]}, {"a": [1.0, None]})
    assert not equal({"a": 1}, {"a": 1, "b": 2})
    assert not equal([1, 2], [2, 1])
    assert not equal("1", 1)
    assert not equal(None, False)
    assert not equal({}, [])
