"""The twelve fields and their updates, worked out by hand from section 3 of the protocol."""

from __future__ import annotations

import hashlib
from typing import Any

import pydantic
import pytest

from conditions.error import StateError
from conditions.state import (
    STATE_FIELDS,
    State,
    empty_state,
    render_query,
    state_digest,
    state_json,
    update_state,
)
from router.contract import EndpointSpec, FieldSpec
from surface.error import StudyError
from surface.failure import ERROR_CLASSES, TURNED_AWAY

FIND = EndpointSpec(
    name="find",
    output_fields=(
        FieldSpec(
            name="order_id", path=("items[]", "order_id"), semantic_id="order.id", identifier=True
        ),
        FieldSpec(
            name="weight",
            path=("items[]", "weight"),
            semantic_id="order.weight",
            unit="kg",
            dimension="mass",
            qualifiers={"source": "declared"},
        ),
    ),
)
HOLD = EndpointSpec(name="hold")

GOLDEN_JSON = (
    '{"executed_registered_route_ids":["shop.find","shop.hold"],'
    '"last_error_class":"rate_limited",'
    '"last_execution_status":"error",'
    '"observation_dimensions":["mass"],'
    '"observation_field_names":["items","order_id","weight"],'
    '"observation_qualifiers":["source=declared"],'
    '"observation_semantic_ids":["order.id","order.weight"],'
    '"observation_units":["kg"],'
    '"observation_value_types":["array","number","object","string"],'
    '"original_query":"Gib die Bestellung „Ä-1“ frei.\\nBitte 오늘.",'
    '"stable_observed_identifiers":["A-10","A-9"],'
    '"task_incomplete_boolean":true}'
)
GOLDEN_SHA256 = "eb0ef303835132be87fc1c6bae19f5a4ff7d3d42404055dbff5738a73df68a0d"


def turn(state: State, **changes: Any) -> State:
    """Update with a completed call of shop.find unless told otherwise."""
    arguments: dict[str, Any] = {
        "endpoint": FIND,
        "route_id": "shop.find",
        "observation": {"items": [{"order_id": "A-9", "weight": 2.5}]},
        "status": "ok",
        "error": None,
        "reached": True,
        "task_incomplete": True,
    }
    return update_state(state, **(arguments | changes))


def failed(state: State, error: str = "rate_limited: wait", **changes: Any) -> State:
    return turn(state, **({"observation": None, "status": "error", "error": error} | changes))


@pytest.fixture
def golden() -> State:
    state = empty_state("Gib die Bestellung „Ä-1“ frei.\nBitte 오늘.")
    items = [{"order_id": "A-9", "weight": 2.5}, {"order_id": "A-10", "weight": 0.5}]
    state = turn(state, observation={"items": items})
    return failed(state, endpoint=HOLD, route_id="shop.hold")


def test_there_are_exactly_the_twelve_fields_of_the_protocol() -> None:
    assert STATE_FIELDS == (
        "original_query",
        "executed_registered_route_ids",
        "observation_field_names",
        "observation_semantic_ids",
        "observation_value_types",
        "observation_units",
        "observation_dimensions",
        "observation_qualifiers",
        "stable_observed_identifiers",
        "last_execution_status",
        "last_error_class",
        "task_incomplete_boolean",
    )


def test_the_empty_state() -> None:
    assert state_json(empty_state("Q")) == (
        '{"executed_registered_route_ids":[],"last_error_class":null,'
        '"last_execution_status":"not_run","observation_dimensions":[],'
        '"observation_field_names":[],"observation_qualifiers":[],'
        '"observation_semantic_ids":[],"observation_units":[],"observation_value_types":[],'
        '"original_query":"Q","stable_observed_identifiers":[],"task_incomplete_boolean":true}'
    )


def test_golden_canonical_json(golden: State) -> None:
    assert state_json(golden) == GOLDEN_JSON


def test_golden_digest(golden: State) -> None:
    assert state_digest(golden) == hashlib.sha256(GOLDEN_JSON.encode()).hexdigest()
    assert state_digest(golden) == GOLDEN_SHA256


def test_golden_rendered_query(golden: State) -> None:
    query = golden.original_query
    suffix = GOLDEN_JSON.replace(
        '"original_query":"Gib die Bestellung „Ä-1“ frei.\\nBitte 오늘.",', ""
    )
    assert render_query(golden) == f"{query}\n\n[EXECUTION_STATE]\n{suffix}"


class TestRoutes:
    def test_they_keep_the_order_of_first_attempts(self) -> None:
        state = empty_state("Q")
        for name in ("z", "a", "z"):
            state = turn(
                state, endpoint=EndpointSpec(name=name), route_id=f"s.{name}", status="executed"
            )
        assert state.executed_registered_route_ids == ("s.z", "s.a")

    def test_an_error_of_the_endpoint_is_an_execution(self) -> None:
        state = failed(empty_state("Q"))
        assert state.executed_registered_route_ids == ("shop.find",)

    @pytest.mark.parametrize(
        ("status", "error"),
        [
            ("error", "unavailable_tool"),
            ("error", "schema_invalid: weight: 'x' is not a number"),
            ("error", "parallel_tool_call_requires_observation"),
            ("blocked", "destructive_policy_block: not approved"),
        ],
    )
    def test_attempts_turned_away_are_not(self, status: str, error: str) -> None:
        state = failed(empty_state("Q"), error, status=status, reached=False)
        assert state.executed_registered_route_ids == ()
        assert state.last_execution_status == status
        assert state.last_error_class == error.split(":", maxsplit=1)[0]

    def test_unregistered_routes_are_not(self) -> None:
        state = failed(
            empty_state("Q"), "unavailable_tool", endpoint=None, route_id="no.such", reached=False
        )
        assert state.executed_registered_route_ids == ()
        assert turn(state, endpoint=None).executed_registered_route_ids == ()


class TestLastTurn:
    def test_status_error_and_flag_are_those_of_the_last_tool_turn(self) -> None:
        state = failed(empty_state("Q"), task_incomplete=True)
        assert (state.last_execution_status, state.last_error_class) == ("error", "rate_limited")
        state = turn(state, task_incomplete=False)
        assert (state.last_execution_status, state.last_error_class) == ("ok", None)
        assert state.task_incomplete_boolean is False

    @pytest.mark.parametrize("name", sorted(ERROR_CLASSES))
    @pytest.mark.parametrize("suffix", ["", ":", ": a: b"])
    def test_every_class_is_the_text_before_the_first_colon(self, name: str, suffix: str) -> None:
        state = failed(empty_state("Q"), name + suffix, reached=name not in TURNED_AWAY)
        assert state.last_error_class == name

    @pytest.mark.parametrize(
        ("status", "error"),
        [
            ("ok", "rate_limited"),
            ("executed", "rate_limited"),
            ("error", None),
            ("blocked", None),
            ("not_run", None),
            ("OK", None),
            ("error", "no_such_class: x"),
            ("error", ""),
            ("error", "Rate_limited"),
        ],
    )
    def test_contradictions_are_refused(self, status: str, error: str | None) -> None:
        with pytest.raises(StateError):
            turn(empty_state("Q"), status=status, error=error, observation=None)

    @pytest.mark.parametrize(
        ("status", "error", "reached"),
        [
            ("ok", None, False),
            ("executed", None, False),
            ("blocked", "destructive_policy_block", True),
            ("error", "unavailable_tool", True),
            ("error", "schema_invalid", True),
        ],
    )
    def test_an_impossible_reach_is_refused(
        self, status: str, error: str | None, reached: bool
    ) -> None:
        with pytest.raises(StateError, match="its endpoint"):
            turn(empty_state("Q"), status=status, error=error, reached=reached, observation=None)


class TestObservations:
    def test_fields_accumulate_over_all_observations_given(self) -> None:
        state = turn(empty_state("Q"))
        state = failed(
            state, endpoint=HOLD, route_id="shop.hold", observation={"weight": 3, "note_id": "N"}
        )
        assert state.observation_field_names == ("items", "note_id", "order_id", "weight")
        assert state.observation_value_types == (
            "array",
            "integer",
            "number",
            "object",
            "string",
        )
        assert state.stable_observed_identifiers == ("A-9",), "the call that gave N-… failed"

    def test_no_observation_changes_no_observation_field(self) -> None:
        before = turn(empty_state("Q"))
        after = turn(before, endpoint=HOLD, route_id="shop.hold", observation=None)
        for name in STATE_FIELDS:
            if name.startswith(("observation", "stable")):
                assert getattr(after, name) == getattr(before, name)

    def test_identifiers_are_sorted_as_text_by_code_point(self) -> None:
        items = [{"order_id": value} for value in (10, 9, "b", "B", "ä", "\U0001f600", "\uffee")]
        state = turn(empty_state("Q"), observation={"items": items})
        assert state.stable_observed_identifiers == (
            "10",
            "9",
            "B",
            "b",
            "ä",
            "\uffee",
            "\U0001f600",
        )

    def test_values_other_than_identifiers_are_dropped(self) -> None:
        secret = "the parcel is behind the shed"
        state = turn(empty_state("Q"), observation={"items": [{"weight": secret}], "note": secret})
        assert secret not in state_json(state)

    @pytest.mark.parametrize("observation", [{"a\udc00": 1}, {"a_id": "\ud800"}])
    def test_lone_surrogates_are_refused(self, observation: dict[str, object]) -> None:
        with pytest.raises(StateError, match="surrogate"):
            turn(empty_state("Q"), observation=observation)


class TestContract:
    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"original_query": ""}, "empty"),
            ({"original_query": "a [EXECUTION_STATE] b"}, "separates"),
            ({"original_query": "a\n\n[EXECUTION_STATE]\n{}"}, "separates"),
            ({"original_query": "\ud800"}, "surrogate"),
            ({"original_query": None}, "original_query"),
            ({"executed_registered_route_ids": ("a.b", "a.b")}, "twice"),
            ({"observation_field_names": ("b", "a")}, "not sorted"),
            ({"observation_semantic_ids": ("a", "a")}, "twice"),
            ({"observation_value_types": ("float",)}, "not a JSON type"),
            ({"observation_units": ("kg", "g")}, "not sorted"),
            ({"observation_dimensions": ("\udfff",)}, "surrogate"),
            ({"observation_qualifiers": ("declared",)}, "key=value"),
            ({"observation_qualifiers": ("=declared",)}, "key=value"),
            ({"observation_qualifiers": ("source=",)}, "key=value"),
            ({"stable_observed_identifiers": (7,)}, "stable_observed_identifiers"),
            ({"stable_observed_identifiers": ["7"]}, "stable_observed_identifiers"),
            ({"last_execution_status": "done"}, "last_execution_status"),
            ({"last_execution_status": "ok"}, "contradict"),
            ({"last_error_class": None}, "contradict"),
            ({"last_error_class": "no_such_class"}, "closed list"),
            ({"task_incomplete_boolean": 1}, "task_incomplete_boolean"),
            ({"last_execution_status": "not_run", "last_error_class": None}, "nothing ran"),
            ({"rank": 1}, "rank"),
        ],
    )
    def test_what_breaks_it_is_refused(
        self, golden: State, changes: dict[str, object], problem: str
    ) -> None:
        with pytest.raises(StateError, match=problem):
            State.of(golden.model_dump() | changes)

    @pytest.mark.parametrize("name", STATE_FIELDS)
    def test_no_field_may_be_missing(self, golden: State, name: str) -> None:
        fields = golden.model_dump()
        del fields[name]
        with pytest.raises(StateError, match=name):
            State.of(fields)

    @pytest.mark.parametrize("name", STATE_FIELDS)
    def test_no_field_can_be_assigned(self, golden: State, name: str) -> None:
        with pytest.raises(pydantic.ValidationError, match="frozen"):
            setattr(golden, name, getattr(golden, name))

    def test_lists_are_tuples(self, golden: State) -> None:
        lists = [value for value in golden.model_dump().values() if isinstance(value, tuple)]
        assert len(lists) == 8

    def test_a_qualifiers_value_may_hold_an_equals_sign(self, golden: State) -> None:
        state = State.of(golden.model_dump() | {"observation_qualifiers": ("a=b=c",)})
        assert state.observation_qualifiers == ("a=b=c",)

    def test_its_errors_are_the_studys(self) -> None:
        assert issubclass(StateError, StudyError)

    def test_updating_leaves_the_old_state_alone(self, golden: State) -> None:
        before = state_json(golden)
        turn(golden, observation={"x_id": "new"})
        assert state_json(golden) == before
