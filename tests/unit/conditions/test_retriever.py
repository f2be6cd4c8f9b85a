"""The research retriever on a catalog small enough to rank by hand."""

from __future__ import annotations

from typing import Any

import pytest

from conditions.error import StateError
from conditions.retriever import ResearchRetriever, RetrieverParameters
from conditions.state import State, empty_state, render_query, update_state
from conditions.text import TextChannel
from router.channel import NAMED
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.ranking import Ranking, order
from router.snapshot import CatalogSnapshot
from router.store import MissingVectorError, VectorSource
from surface.failure import PERMANENT, PRECONDITION, TRANSIENT
from tests.support.encoder import CharacterEncoder

PATTERNS = {
    "customer.id": "^CUS-[0-9]{4}$",
    "order.id": "^ORD-[0-9]{4}$",
    "parcel.id": "^PCL-[0-9]{4}$",
}


def takes(*semantics: str, required: bool = True) -> tuple[ParameterSpec, ...]:
    return tuple(
        ParameterSpec(
            name=semantic.replace(".", "_"),
            required=required,
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
            output_fields=gives("order.content", "parcel.id"),
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
        EndpointSpec(name="opening_hours", description="When the shop opens"),
        EndpointSpec(
            name="weigh_parcel",
            description="Note what a parcel weighs",
            parameters=(
                ParameterSpec(name="weight", required=True, unit="lb", dimension="mass"),
                ParameterSpec(name="within", unit="minute", dimension="time"),
            ),
        ),
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
VECTORS = VectorSource(encoder=CharacterEncoder())
OFF: dict[str, Any] = {
    "residual": 0,
    "succeeded": 0,
    "inherited": 0,
    "observed": 0,
    "spelled": 0,
    "measured": 0,
    "locked": 0,
    "keep_failed": False,
}


def ran(state: State, route: str, *, error: str | None = None) -> State:
    """Call a route: with every output field it registers, or with an error."""
    endpoint = SNAPSHOT.endpoint(route)
    row: dict[str, Any] = {
        item.name: f"{item.name}-1" if item.identifier else 1.5 for item in endpoint.output_fields
    }
    return update_state(
        state,
        endpoint=endpoint,
        route_id=route,
        observation={"rows": [row]} if row and error is None else None,
        status="error" if error else "ok" if row else "executed",
        error=error,
        reached=True,
        task_incomplete=True,
    )


def ranked(state: State | str, **numbers: Any) -> Ranking:
    retriever = ResearchRetriever(SNAPSHOT, RetrieverParameters(**numbers), VECTORS)
    return retriever.rank(state if isinstance(state, str) else render_query(state))


def scores(ranking: Ranking) -> dict[str, int]:
    return dict(zip(ranking.routes, ranking.scores, strict=True))


def text(query: str, **numbers: Any) -> dict[str, int]:
    channel = TextChannel(SNAPSHOT, RetrieverParameters(**numbers), VECTORS)
    found = channel.score(channel.read(query)).tolist()
    return dict(zip(SNAPSHOT.routes, found, strict=True))


def gained(state: State | str, **numbers: Any) -> dict[str, int]:
    """What some numbers add to each route's score, against the route that needs nothing."""
    before, after = scores(ranked(state, **OFF)), scores(ranked(state, **{**OFF, **numbers}))
    level = "shop.opening_hours"
    return {
        route: (after[route] - after[level]) - (before[route] - before[level])
        for route in SNAPSHOT.routes
    }


FOUND = ran(empty_state(QUERY), "shop.find_orders")


class TestText:
    @pytest.mark.parametrize("numbers", [{"typed": False}, OFF])
    def test_without_the_typed_channel_the_text_decides(self, numbers: dict[str, Any]) -> None:
        channel = TextChannel(SNAPSHOT, RetrieverParameters(), VECTORS)
        expected = order(SNAPSHOT, channel.score(channel.read(QUERY)))
        assert ranked(QUERY, **numbers).routes == expected.routes
        assert ranked(FOUND, **numbers).routes == expected.routes

    def test_the_suffix_is_never_text(self) -> None:
        """The words of an executed route must not lift routes that share them."""
        state = ran(empty_state("payment"), "shop.trace_parcel")
        assert ranked(state, **OFF) == ranked("payment", **OFF)

    def test_a_bare_query_is_a_state_in_which_nothing_ran(self) -> None:
        assert ranked(empty_state(QUERY)) == ranked(QUERY)

    def test_nothing_matches(self) -> None:
        ranking = ranked("ﷺ", sentence_weight=0, term_weight=0)
        assert ranking.routes == SNAPSHOT.routes
        assert not any(ranking.matched)

    def test_what_matches_nothing_is_the_tail(self) -> None:
        ranking = ranked("opens", sentence_weight=0, term_weight=0)
        assert ranking.routes[0] == "shop.opening_hours"
        assert ranking.matched[0]
        assert not ranking.matched[-1]
        assert ranking.scores[-1] == 0

    def test_a_marker_line_without_a_state_is_refused(self) -> None:
        with pytest.raises(StateError):
            ranked("Q\n\n[EXECUTION_STATE]\n{}")

    def test_a_text_without_a_vector_is_an_error(self) -> None:
        """The committed vectors know the study's texts, and there is no encoder behind them."""
        with pytest.raises(MissingVectorError):
            ResearchRetriever(SNAPSHOT)

    def test_a_named_route_is_first(self) -> None:
        assert ranked("trace the parcel with bank.ease_payment").routes[0] == "bank.ease_payment"


class TestSuccess:
    def test_a_route_that_succeeded_loses_a_share_of_the_best_text(self) -> None:
        lost = gained(FOUND, succeeded=150)
        best = max(text(QUERY).values())
        assert lost["shop.find_orders"] == -(best * 150 // 1000)
        assert not any(lost[route] for route in lost if route != "shop.find_orders")

    def test_a_named_route_loses_its_name_with_its_success(self) -> None:
        query = "Run shop.find_orders and trace the parcel"
        state = ran(empty_state(query), "shop.find_orders")
        before, after = ranked(query, **OFF), ranked(state, **{**OFF, "succeeded": 150})
        assert before.scores[0] - before.scores[1] > NAMED // 2
        assert after.scores[0] < NAMED

    def test_residual_intent_follows_the_last_success(self) -> None:
        state = ran(empty_state(QUERY), "shop.find_orders")
        assert ranked(state, **OFF).routes[0] == "shop.find_orders"
        assert ranked(state, **{**OFF, "residual": 1000}).routes[0] == "shop.trace_parcel"

    def test_what_shows_no_success_is_dealt_with_once_something_else_was_done(self) -> None:
        query = "Withdraw an order, list the orders of a customer, trace the parcel"
        state = ran(ran(empty_state(query), "shop.find_orders"), "shop.trace_parcel")
        cancelled = ran(empty_state(query), "shop.cancel_order")
        numbers = {**OFF, "residual": 1000}
        assert ranked(cancelled, **numbers).routes[0] != "shop.cancel_order"
        moved_on = ran(cancelled, "bank.ease_payment")
        assert ranked(moved_on, **numbers).routes[0] != "shop.cancel_order"
        assert ranked(state, **numbers) == ranked(ran(state, "shop.cancel_order"), **numbers)

    def test_an_attempt_is_not_a_success(self) -> None:
        state = ran(empty_state(QUERY), "shop.find_orders", error="rate_limited")
        numbers = {**OFF, "succeeded": 500, "residual": 1000}
        assert ranked(state, **numbers) == ranked(QUERY, **OFF)


class TestFailure:
    @pytest.mark.parametrize("error", sorted(TRANSIENT))
    def test_what_may_work_at_once_comes_first(self, error: str) -> None:
        state = ran(empty_state(QUERY), "bank.delay_payment", error=error)
        ranking = ranked(state)
        assert ranking.routes[0] == "bank.delay_payment"
        assert ranking.matched[0]
        assert ranked(state, keep_failed=False).routes[0] == "shop.find_orders"

    @pytest.mark.parametrize("error", sorted(PRECONDITION))
    def test_what_needs_something_restored_keeps_the_last_slot(self, error: str) -> None:
        state = ran(empty_state(QUERY), "bank.delay_payment", error=error)
        ranking = ranked(state)
        assert ranking.routes[4] == "bank.delay_payment"
        assert ranking.routes[:4] == ranked(state, keep_failed=False).top(4)
        assert "bank.delay_payment" not in ranked(state, keep_failed=False).top(5)

    def test_it_keeps_a_better_place(self) -> None:
        state = ran(empty_state(QUERY), "shop.find_orders", error="lock_conflict")
        assert ranked(state).routes[0] == "shop.find_orders"

    def test_it_comes_before_a_named_route(self) -> None:
        state = ran(
            empty_state("shop.find_orders"), "bank.delay_payment", error="rate_limited: wait"
        )
        assert ranked(state).top(2) == ("bank.delay_payment", "shop.find_orders")

    @pytest.mark.parametrize("error", [*sorted(PERMANENT), "not_found"])
    def test_what_will_not_work_counts_as_done(self, error: str) -> None:
        state = ran(empty_state(QUERY), "shop.find_orders", error=error)
        best = max(text(QUERY).values())
        assert gained(state, succeeded=150)["shop.find_orders"] == -(best * 150 // 1000)

    def test_only_while_the_error_is_the_last_turn(self) -> None:
        state = ran(empty_state(QUERY), "bank.delay_payment", error="rate_limited")
        assert ranked(ran(state, "shop.opening_hours")).routes[0] == "shop.find_orders"


class TestGraph:
    def test_a_missing_identifier_costs_a_share_of_the_best_text(self) -> None:
        malus = max(text(QUERY).values()) * 500 // 1000
        lost = gained(QUERY, locked=500)
        assert lost["shop.find_orders"] == 0, "CUS-1042 is in the query"
        assert lost["shop.trace_parcel"] == lost["bank.check_payment"] == -malus
        lost = gained(FOUND, locked=500)
        assert lost["shop.trace_parcel"] == -malus
        assert lost["bank.check_payment"] == 0, "an order was observed"

    def test_producers_inherit_from_consumers_of_what_is_missing(self) -> None:
        wanted = text(QUERY)
        won = gained(QUERY, inherited=200)
        orders = [route for route in SNAPSHOT.routes if "order.id" in needs(route)]
        assert won["shop.find_orders"] == max(wanted[route] for route in orders) * 200 // 1000
        assert won["shop.read_order"] == wanted["shop.trace_parcel"] * 200 // 1000
        assert {route for route in won if won[route]} == {"shop.find_orders", "shop.read_order"}
        # Nothing lacks an order any more.
        assert gained(FOUND, inherited=200)["shop.find_orders"] == 0

    def test_an_observed_type_lifts_its_consumers_the_more_the_fewer_there_are(self) -> None:
        won = gained(FOUND, observed=100)
        assert won["bank.check_payment"] == won["shop.read_order"] > 0
        assert won["shop.find_orders"] == won["shop.trace_parcel"] == 0
        both = gained(ran(FOUND, "shop.read_order"), observed=100)
        assert both["shop.trace_parcel"] > both["bank.check_payment"] > 0

    def test_identifiers_in_the_query_lift_what_takes_them_until_something_did(self) -> None:
        won = gained(QUERY, spelled=50)
        assert {route for route in won if won[route]} == {"shop.find_orders"}
        assert won["shop.find_orders"] == max(text(QUERY).values()) * 50 // 1000
        assert not any(gained(FOUND, spelled=50).values())

    def test_quantities_in_the_query_lift_what_requires_them_until_something_did(self) -> None:
        query = "Note that the parcel weighs 12 kg within 5 minutes"
        won = gained(query, measured=150)
        assert {route for route in won if won[route]} == {"shop.weigh_parcel"}
        assert won["shop.weigh_parcel"] == max(text(query).values()) * 150 // 1000
        state = ran(empty_state(query), "shop.find_orders")
        assert gained(state, measured=150) == won
        assert not any(gained(ran(state, "shop.weigh_parcel"), measured=150).values())

    def test_bonuses_leave_some_slots_to_the_rest(self) -> None:
        state = ran(empty_state("when the shop opens, where a parcel travels"), "shop.find_orders")
        numbers = {**OFF, "observed": 10_000}
        base = ranked(state, **OFF)
        assert set(base.top(2)) == {"shop.opening_hours", "shop.trace_parcel"}
        wide = ranked(state, **numbers, graph_slots=5)
        assert not set(base.top(2)) & set(wide.top(5))
        capped = ranked(state, **numbers, graph_slots=3)
        assert set(base.top(2)) <= set(capped.top(5))
        assert len(set(capped.top(5)) & set(wide.top(5))) == 3
        assert set(ranked(state, **numbers, graph_slots=0).top(5)) == set(base.top(5))


def needs(route: str) -> set[str | None]:
    return {item.semantic_id for item in SNAPSHOT.endpoint(route).parameters if item.required}


def test_the_ranking_belongs_to_a_catalog() -> None:
    retriever = ResearchRetriever(SNAPSHOT, RetrieverParameters(), VECTORS)
    assert retriever.fingerprint == SNAPSHOT.fingerprint


def test_forgetting_changes_no_ranking() -> None:
    retriever = ResearchRetriever(SNAPSHOT, RetrieverParameters(), VECTORS)
    before = retriever.rank(QUERY)
    retriever.forget()
    assert retriever.rank(QUERY) == before


def test_white_space_changes_no_ranking() -> None:
    assert ranked(f"  {QUERY}\n ") == ranked(QUERY)


@pytest.mark.parametrize("tools", [[], [BANK], [ToolSpec(name="t")]])
def test_any_catalog_can_be_ranked(tools: list[ToolSpec]) -> None:
    snapshot = CatalogSnapshot.of(tools)
    retriever = ResearchRetriever(snapshot, RetrieverParameters(), VECTORS)
    for state in (FOUND, ran(empty_state(QUERY), "shop.find_orders", error="lock_conflict")):
        assert sorted(retriever.rank(render_query(state)).routes) == list(snapshot.routes)
