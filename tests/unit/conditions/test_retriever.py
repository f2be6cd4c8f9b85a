"""The research retriever on a catalog small enough to rank by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from conditions.error import ConditionError, StateError
from conditions.retriever import ResearchRetriever, RetrieverParameters
from conditions.state import State, empty_state, render_query, update_state
from router.channel import NAMED, SCALE
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.lexical import LexicalIndex
from router.ranking import Ranking, order
from router.snapshot import CatalogSnapshot
from surface.failure import PERMANENT, RETRIABLE

PATTERNS = {
    "customer.id": "^CUS-[0-9]{4}$",
    "order.id": "^ORD-[0-9]{4}$",
    "parcel.id": "^PCL-[0-9]{4}$",
}


def takes(*semantics: str) -> tuple[ParameterSpec, ...]:
    return tuple(
        ParameterSpec(
            name=semantic.replace(".", "_"),
            required=True,
            semantic_id=semantic,
            identifier=semantic in PATTERNS,
            json_schema={"pattern": PATTERNS[semantic]} if semantic in PATTERNS else {},
        )
        for semantic in semantics
    )


def gives(*semantics: str) -> tuple[FieldSpec, ...]:
    return tuple(
        FieldSpec(
            name=semantic.replace(".", "_"),
            path=("rows[]", semantic.replace(".", "_")),
            semantic_id=semantic,
            identifier=semantic in PATTERNS,
        )
        for semantic in semantics
    )


SHOP = ToolSpec(
    name="shop",
    endpoints=(
        EndpointSpec(
            name="find_orders",
            description="List the orders of a customer",
            parameters=takes("customer.id"),
            output_fields=gives("order.id", "order.total"),
        ),
        EndpointSpec(
            name="read_order",
            description="Show what an order contains",
            parameters=takes("order.id"),
            output_fields=gives("order.content"),
        ),
        EndpointSpec(
            name="cancel_order",
            description="Withdraw an order",
            parameters=takes("order.id", "order.reason"),
        ),
        EndpointSpec(
            name="trace_parcel",
            description="Where a parcel travels",
            parameters=takes("parcel.id"),
            output_fields=gives("parcel.place"),
        ),
        EndpointSpec(name="opening_hours", description="When the shop opens", output_fields=()),
    ),
)
BANK = ToolSpec(
    name="bank",
    endpoints=tuple(
        EndpointSpec(
            name=f"{verb}_payment",
            description=f"{verb} the payment of an order",
            parameters=takes("order.id"),
        )
        for verb in ("check", "delay", "ease", "file", "guard")
    ),
)
SNAPSHOT = CatalogSnapshot.of([SHOP, BANK])
QUERY = "List the orders of customer CUS-1042 and trace the parcel"


def ran(state: State, route: str, *, status: str | None = None, error: str | None = None) -> State:
    """Call a route: with every output field it registers, or with an error."""
    endpoint = SNAPSHOT.endpoint(route)
    row: dict[str, Any] = {
        item.name: f"{item.name}-1" if item.identifier else 1.5 for item in endpoint.output_fields
    }
    completed = "ok" if row else "executed"
    return update_state(
        state,
        endpoint=endpoint,
        route_id=route,
        observation={"rows": [row]} if row and error is None else None,
        status=status or ("error" if error else completed),
        error=error,
        reached=True,
        task_incomplete=True,
    )


def ranked(state: State | str, **numbers: Any) -> Ranking:
    retriever = ResearchRetriever(SNAPSHOT, RetrieverParameters(**numbers))
    return retriever.rank(state if isinstance(state, str) else render_query(state))


def scores(ranking: Ranking) -> dict[str, int]:
    return dict(zip(ranking.routes, ranking.scores, strict=True))


OFF: dict[str, Any] = {"succeeded": 1000, "unlocked": 0, "locked": 1000, "keep_failed": False}


class TestText:
    def test_a_bare_query_is_ranked_by_its_text_with_identifiers_masked(self) -> None:
        masked = QUERY.replace("CUS-1042", "CUS-")
        expected = order(SNAPSHOT, LexicalIndex(SNAPSHOT).score(masked))
        assert ranked(QUERY) == expected
        assert expected.routes[0] == "shop.find_orders"

    def test_masking_can_be_switched_off(self) -> None:
        expected = order(SNAPSHOT, LexicalIndex(SNAPSHOT).score(QUERY))
        assert ranked(QUERY, mask_identifiers=False) == expected

    @pytest.mark.parametrize("numbers", [{"typed": False}, OFF])
    def test_without_typed_channel_the_state_changes_nothing(self, numbers: dict[str, Any]) -> None:
        state = ran(ran(empty_state(QUERY), "shop.find_orders"), "shop.read_order")
        assert ranked(state, **numbers) == ranked(QUERY, **numbers)

    def test_the_suffix_is_never_text(self) -> None:
        """The words of an executed route must not lift routes that share them."""
        state = ran(empty_state("payment"), "shop.trace_parcel")
        assert ranked(state, **OFF) == ranked("payment", **OFF)
        plain = order(SNAPSHOT, LexicalIndex(SNAPSHOT).score(render_query(state)))
        assert plain != ranked("payment"), "as text it would"

    def test_nothing_matches(self) -> None:
        ranking = ranked("ﷺ")
        assert ranking.routes == SNAPSHOT.routes
        assert not any(ranking.matched)

    def test_a_marker_line_without_a_state_is_refused(self) -> None:
        with pytest.raises(StateError):
            ranked("Q\n\n[EXECUTION_STATE]\n{}")


class TestSuccess:
    def test_a_route_that_succeeded_keeps_its_share_of_the_text_score(self) -> None:
        before = scores(ranked(QUERY))["shop.find_orders"]
        state = ran(empty_state(QUERY), "shop.find_orders")
        after = scores(ranked(state, **{**OFF, "succeeded": 300}))["shop.find_orders"]
        assert after == -(-before * 300 // 1000)

    def test_success_needs_all_registered_fields(self) -> None:
        endpoint = SNAPSHOT.endpoint("shop.find_orders")
        state = update_state(
            empty_state(QUERY),
            endpoint=endpoint,
            route_id="shop.find_orders",
            observation={"rows": [{"order_id": "ORD-0001"}]},
            status="ok",
            error=None,
            reached=True,
            task_incomplete=True,
        )
        numbers = {**OFF, "succeeded": 0}
        assert scores(ranked(state, **numbers)) == scores(ranked(QUERY))

    def test_fields_that_no_state_names_are_not_waited_for(self) -> None:
        fields = (*gives("order.id"), FieldSpec(name="status", path=("rows[]", "status")))
        endpoint = EndpointSpec(name="find", description="orders", output_fields=fields)
        snapshot = CatalogSnapshot.of([ToolSpec(name="t", endpoints=(endpoint,))])
        state = update_state(
            empty_state("orders"),
            endpoint=endpoint,
            route_id="t.find",
            observation={"rows": [{"order_id": "ORD-0001", "status": "open"}]},
            status="ok",
            error=None,
            reached=True,
            task_incomplete=True,
        )
        retriever = ResearchRetriever(snapshot, RetrieverParameters(succeeded=0, unlocked=0))
        named = retriever.rank("t.find")
        assert named.matched == (True,)
        renamed = State.of(state.model_dump() | {"original_query": "t.find"})
        assert retriever.rank(render_query(renamed)).matched == (False,)

    def test_an_attempt_is_not_a_success(self) -> None:
        state = ran(empty_state(QUERY), "shop.find_orders", error="provider_suspended")
        assert scores(ranked(state, **{**OFF, "succeeded": 0})) == scores(ranked(QUERY))

    def test_a_route_without_fields_has_succeeded_only_while_it_is_the_last(self) -> None:
        query = "Withdraw an order, show what it contains"
        numbers = {**OFF, "succeeded": 0}
        state = ran(empty_state(query), "shop.cancel_order")
        assert state.last_execution_status == "executed"
        assert scores(ranked(state, **numbers))["shop.cancel_order"] == 0
        # It may as well have failed now, and be needed again.
        state = ran(state, "shop.read_order")
        assert scores(ranked(state, **numbers))["shop.cancel_order"] > 0
        assert scores(ranked(state, **numbers))["shop.read_order"] == 0

    def test_a_route_that_failed_last_is_not_demoted(self) -> None:
        """All its fields were seen before, from another route."""
        state = ran(empty_state(QUERY), "shop.find_orders")
        state = ran(state, "shop.find_orders", error="provider_suspended")
        assert scores(ranked(state, **{**OFF, "succeeded": 0})) == scores(ranked(QUERY))

    def test_turned_away_calls_say_nothing_about_the_last_route(self) -> None:
        state = ran(empty_state(QUERY), "shop.find_orders")
        after = update_state(
            state,
            endpoint=SNAPSHOT.endpoint("bank.check_payment"),
            route_id="bank.check_payment",
            observation=None,
            status="error",
            error="schema_invalid: order_id",
            reached=False,
            task_incomplete=True,
        )
        assert ranked(after) == ranked(state)

    def test_a_named_route_loses_its_name_with_its_success(self) -> None:
        query = "Run shop.find_orders and trace the parcel"
        assert scores(ranked(query))["shop.find_orders"] > NAMED
        state = ran(empty_state(query), "shop.find_orders")
        assert scores(ranked(state, **{**OFF, "succeeded": 300}))["shop.find_orders"] < SCALE

    def test_routes_of_another_catalog_are_ignored(self) -> None:
        state = State.of(
            ran(empty_state(QUERY), "shop.find_orders").model_dump()
            | {"executed_registered_route_ids": ("other.find_orders",)}
        )
        assert ranked(state, **{**OFF, "succeeded": 0}) == ranked(QUERY, **OFF)


class TestFailure:
    @pytest.mark.parametrize("error", sorted(RETRIABLE))
    def test_after_a_retriable_error_the_route_comes_first(self, error: str) -> None:
        state = ran(empty_state(QUERY), "bank.delay_payment", error=error)
        ranking = ranked(state)
        assert ranking.routes[0] == "bank.delay_payment"
        assert ranking.matched[0]
        assert ranked(state, keep_failed=False).routes[0] == "shop.find_orders"

    def test_it_comes_before_a_named_route(self) -> None:
        state = ran(
            empty_state("shop.find_orders"), "bank.delay_payment", error="rate_limited: wait"
        )
        assert ranked(state).top(2) == ("bank.delay_payment", "shop.find_orders")

    @pytest.mark.parametrize("error", [*sorted(PERMANENT), "not_found"])
    def test_after_another_error_it_does_not(self, error: str) -> None:
        state = ran(empty_state(QUERY), "bank.delay_payment", error=error)
        assert ranked(state).routes[0] == "shop.find_orders"

    def test_only_while_the_error_is_the_last_turn(self) -> None:
        state = ran(empty_state(QUERY), "bank.delay_payment", error="rate_limited")
        state = ran(state, "shop.opening_hours")
        assert ranked(state).routes[0] == "shop.find_orders"


class TestGraph:
    def test_an_observed_identifier_lifts_its_consumers(self) -> None:
        state = ran(empty_state(QUERY), "shop.find_orders")
        assert state.observation_semantic_ids == ("order.id", "order.total")
        before = scores(ranked(state, unlocked=0))
        after = scores(ranked(state, unlocked=150))
        lifted = {route for route in after if after[route] > before[route]}
        assert all(after[route] == before[route] + SCALE * 150 // 1000 for route in lifted)
        assert lifted
        assert "shop.trace_parcel" not in lifted
        assert "shop.find_orders" not in lifted

    def test_it_leaves_two_of_five_slots_to_the_text(self) -> None:
        state = ran(
            empty_state("zzz where a parcel travels, when the shop opens"), "shop.read_order"
        )
        state = ran(state, "shop.find_orders")
        base = ranked(state, **{**OFF, "succeeded": 0})
        top = ranked(state, unlocked=1000, succeeded=0, locked=1000)
        assert set(base.top(2)) == {"shop.trace_parcel", "shop.opening_hours"}
        assert set(base.top(2)) == set(top.routes[3:5]), "below the three that were lifted"
        wide = ranked(state, unlocked=1000, succeeded=0, locked=1000, graph_slots=5)
        assert not set(base.top(2)) & set(wide.top(5))

    def test_no_slots_no_lift_from_outside(self) -> None:
        state = ran(empty_state("parcel"), "shop.find_orders")
        base = ranked(state, unlocked=0)
        assert set(ranked(state, graph_slots=0).top(5)) == set(base.top(5))

    def test_a_missing_identifier_costs_a_share(self) -> None:
        state = ran(empty_state(QUERY), "shop.opening_hours")
        before = scores(ranked(QUERY))
        after = scores(ranked(state, **{**OFF, "locked": 850}))
        assert after["shop.trace_parcel"] == -(-before["shop.trace_parcel"] * 850 // 1000)
        assert after["shop.find_orders"] == before["shop.find_orders"], "CUS-1042 is in the query"

    def test_a_bare_query_is_ranked_without_the_graph(self) -> None:
        assert ranked("trace the parcel") == ranked("trace the parcel", **OFF)


class TestParameters:
    @pytest.mark.parametrize(
        "changes",
        [
            {"succeeded": -1},
            {"succeeded": 1001},
            {"locked": -1},
            {"unlocked": 1001},
            {"slots": -1},
            {"graph_slots": -1},
        ],
    )
    def test_impossible_ones_are_refused(self, changes: dict[str, Any]) -> None:
        with pytest.raises(ConditionError):
            replace(RetrieverParameters(), **changes)

    def test_the_ranking_belongs_to_a_catalog(self) -> None:
        assert ResearchRetriever(SNAPSHOT).fingerprint == SNAPSHOT.fingerprint


@pytest.mark.parametrize("tools", [[], [BANK], [ToolSpec(name="t")]])
def test_any_catalog_can_be_ranked(tools: list[ToolSpec]) -> None:
    snapshot = CatalogSnapshot.of(tools)
    state = ran(empty_state(QUERY), "shop.find_orders", error="rate_limited")
    retriever = ResearchRetriever(snapshot)
    assert sorted(retriever.rank(render_query(state)).routes) == list(snapshot.routes)
