"""What a state demonstrates about calls."""

from __future__ import annotations

from typing import Any

import pytest

from conditions.outcome import OutcomeReader
from conditions.state import State, empty_state, update_state
from router.contract import EndpointSpec, FieldSpec, ToolSpec
from router.snapshot import CatalogSnapshot
from surface.failure import TURNED_AWAY


def endpoint(name: str, *fields: str) -> EndpointSpec:
    return EndpointSpec(name=name, output_fields=tuple(FieldSpec(name=field) for field in fields))


SNAPSHOT = CatalogSnapshot.of(
    [
        ToolSpec(
            name="t",
            endpoints=(
                endpoint("find", "order", "total"),
                endpoint("read", "order", "content"),
                endpoint("same", "order", "total"),
                endpoint("send"),
                endpoint("odd", "order", "status"),
            ),
        )
    ]
)
READER = OutcomeReader(SNAPSHOT)


def ran(state: State, route: str, *fields: str, error: str | None = None) -> State:
    observation: dict[str, Any] | None = dict.fromkeys(fields, 1) or None
    return update_state(
        state,
        endpoint=SNAPSHOT.endpoint(route),
        route_id=route,
        observation=observation,
        status="error" if error else "ok" if fields else "executed",
        error=error,
        reached=error not in TURNED_AWAY,
        task_incomplete=True,
    )


def names(positions: tuple[int, ...]) -> list[str]:
    return [SNAPSHOT.routes[position] for position in positions]


START = empty_state("q")
FOUND = ran(START, "t.find", "order", "total")


def test_nothing_ran() -> None:
    assert READER.executed(START) == READER.succeeded(START) == ()
    assert READER.failed(START) is None


def test_success_needs_all_registered_fields() -> None:
    assert names(READER.succeeded(FOUND)) == ["t.find"]
    assert READER.succeeded(ran(START, "t.find", "order")) == ()


def test_fields_that_no_state_names_are_not_waited_for() -> None:
    assert names(READER.succeeded(ran(START, "t.odd", "order"))) == ["t.odd"]


def test_successes_stand_in_the_order_of_execution() -> None:
    state = ran(ran(START, "t.read", "order", "content"), "t.find", "order", "total")
    assert names(READER.succeeded(state)) == ["t.read", "t.find"]
    assert names(READER.executed(state)) == ["t.read", "t.find"]


def test_a_route_without_fields_has_succeeded_only_while_it_is_the_last() -> None:
    state = ran(FOUND, "t.send")
    assert names(READER.succeeded(state)) == ["t.find", "t.send"]
    # It may as well have failed, and be needed again.
    assert names(READER.succeeded(ran(state, "t.read", "order", "content"))) == ["t.find", "t.read"]


def test_what_was_dealt_with_is_what_nothing_shows_to_have_failed() -> None:
    state = ran(ran(FOUND, "t.send"), "t.read", error="expired_session")
    assert names(READER.settled(state)) == ["t.find", "t.send"]
    state = ran(FOUND, "t.send", error="lock_conflict")
    assert names(READER.settled(state)) == ["t.find"]
    assert READER.settled(ran(START, "t.read", error="not_found")) == READER.settled(START) == ()
    assert names(READER.settled(ran(state, "t.read", "order", "content"))) == [
        *("t.find", "t.send", "t.read")
    ]


def test_an_attempt_is_not_a_success() -> None:
    state = ran(START, "t.find", error="provider_suspended")
    assert READER.succeeded(state) == ()
    assert READER.failed(state) == SNAPSHOT.position("t.find")


def test_the_route_that_failed_is_the_last_one_without_an_answer() -> None:
    state = ran(FOUND, "t.read", error="expired_session")
    assert READER.failed(state) == SNAPSHOT.position("t.read")
    restored = ran(state, "t.send")
    assert READER.failed(restored) is None
    again = ran(restored, "t.read", error="expired_session")
    assert READER.failed(again) == SNAPSHOT.position("t.read"), "not the one that restored"


def test_a_route_that_failed_last_has_not_succeeded_although_its_fields_are_known() -> None:
    state = ran(FOUND, "t.same", error="rate_limited")
    assert READER.failed(state) == SNAPSHOT.position("t.same")
    assert names(READER.succeeded(state)) == ["t.find"]


@pytest.mark.parametrize("error", sorted(TURNED_AWAY - {"destructive_policy_block"}))
def test_a_call_that_was_turned_away_failed_nowhere(error: str) -> None:
    state = ran(FOUND, "t.read", error=error)
    assert READER.failed(state) is None
    assert names(READER.succeeded(state)) == ["t.find"]


def test_routes_of_another_catalog_are_ignored() -> None:
    foreign = {"executed_registered_route_ids": ("other.find",)}
    state = State.of(FOUND.model_dump() | foreign)
    assert READER.executed(state) == READER.succeeded(state) == ()
    failed = ran(START, "t.find", error="rate_limited").model_dump() | foreign
    assert READER.failed(State.of(failed)) is None
