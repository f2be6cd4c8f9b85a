"""Nouns beside literals, answers that speak of something else, care before destruction."""

from __future__ import annotations

import pytest

from harness.agents.reference import ReferenceAgent
from harness.agents.reference.pattern import tells_kind
from harness.agents.reference.query import read_query
from tests.unit.harness.agents.reference.tools import (
    called,
    choose,
    conversation,
    enum,
    error,
    identifiers,
    ok,
    text,
    tool,
)

DIGITS = {"type": "string", "pattern": "^[0-9]{8}$"}
ORDER = tool("shop__get_order", "Read a record.", {"order_id": {**DIGITS, "description": "Order"}})
CASE = tool("desk__get_case", "Read a record.", {"ticket_id": {**DIGITS, "description": "Case"}})


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Read case 48120577.", "desk__get_case"),
        ("Read order 48120577.", "shop__get_order"),
        ("Consulta el pedido 48120577.", "shop__get_order"),
        ("Consulta el caso 48120577.", "desk__get_case"),
        ("Zeig mir den Auftrag 48120577.", "shop__get_order"),
        ("Zeig mir den Vorgang 48120577.", "desk__get_case"),
        ("주문 48120577을 조회해줘.", "shop__get_order"),
        ("注文48120577を確認して。", "shop__get_order"),
    ],
)
def test_the_noun_before_a_number_says_what_it_numbers(query: str, name: str) -> None:
    assert called(ReferenceAgent().act(conversation(query), (ORDER, CASE)))[0] == name


def test_only_the_nearest_noun_names_a_literal() -> None:
    query = read_query("For the order of batch 4711 there is a note.")
    (literal,) = query.literals
    assert query.head(literal) == {"batch"}


@pytest.mark.parametrize(
    ("pattern", "tells"),
    [
        ("^INV-[0-9]{5}$", True),
        ("^E[0-9]{5}$", True),
        ("^[0-9]{8}$", False),
        ("^[A-Z]{2}1$", False),
    ],
)
def test_a_pattern_tells_the_kind_when_it_begins_with_a_letter(pattern: str, tells: bool) -> None:
    assert tells_kind(pattern) is tells


def test_an_answer_about_another_thing_is_no_evidence_and_covers_nothing() -> None:
    query = "Get shipment SHP-100001 and release the hold on it."
    tools = choose("freight__get_shipment", "freight__release_hold", "freight__book_container")
    foreign = ok({"shipment_id": "SHP-999999", "weight": 5.5}, {"weight": "kg"})
    first = ("freight__get_shipment", {"shipment_id": "SHP-100001"}, foreign)
    arguments = called(ReferenceAgent().act(conversation(query, first), tools))[1]
    assert "SHP-999999" not in arguments.values()
    booking = conversation("Book a container for shipment SHP-100001 by its weight.", first)
    assert ReferenceAgent().act(booking, choose("freight__book_container")).calls == ()


def test_destruction_takes_what_the_query_names() -> None:
    query = (
        "Invoice INV-2025-00001 is wrong. Create a new invoice for CUS-1042 and void the wrong one."
    )
    create = tool("billing__create_invoice", "Create an invoice.", identifiers("customer_id"))
    void = choose("billing__void_invoice")[0]
    first = (create.name, {"customer_id": "CUS-1042"}, ok({"invoice_id": "INV-2025-00002"}))
    turn = ReferenceAgent().act(conversation(query, first), (create, void))
    assert called(turn) == ("billing__void_invoice", {"invoice_id": "INV-2025-00001"})


def test_what_is_destroyed_is_not_what_asks_for_destruction() -> None:
    # "Reservation" is a word of booking; to book is not to cancel.
    cancel = tool(
        "inn__cancel_reservation", "Destructive: Call it off.", identifiers("reservation_id")
    )
    query = "Confirm the booking RSV-100001."
    for nudges in range(3):
        turn = ReferenceAgent().act(conversation(query, *[None] * nudges), (cancel,))
        assert turn.calls == ()


def test_the_verb_of_the_description_asks_for_destruction_too() -> None:
    retire = tool(
        "plant__decommission_sensor", "Destructive: Remove a sensor.", identifiers("sensor_id")
    )
    turn = ReferenceAgent().act(conversation("Delete sensor SNS-0042."), (retire,))
    assert called(turn) == ("plant__decommission_sensor", {"sensor_id": "SNS-0042"})


def test_a_member_that_repeats_what_the_tool_is_about_says_little() -> None:
    listed = tool(
        "road__list_loads",
        "List the loads booked for a customer.",
        identifiers("customer_id"),
        {"stage": enum("Stage", "booked", "held", "delivered")},
    )
    query = "고객 CUS-1042 앞으로 예약된 것 가운데 보류된 것을 조회해줘."
    arguments = called(ReferenceAgent().act(conversation(query), (listed,)))[1]
    assert arguments == {"customer_id": "CUS-1042", "stage": "held"}


def test_a_recovery_call_takes_over_identifiers_and_no_plain_numbers() -> None:
    reserve = tool(
        "store__reserve_stock",
        "Reserve pieces of a shipment.",
        {**identifiers("shipment_id"), "quantity": {"type": "integer", "description": "Quantity"}},
    )
    free = tool(
        "store__release_lock",
        "Release a locked reservation.",
        {
            **identifiers("reservation_id"),
            "revision": {"type": "integer", "description": "Revision"},
        },
    )
    query = (
        "Reserve 24 pieces of shipment SHP-100001; if it is locked, "
        "release RSV-100001 (revision 4) and reserve again."
    )
    failed = (
        reserve.name,
        {"shipment_id": "SHP-100001", "quantity": 24},
        error("lock_conflict: held by an unfinished operation"),
    )
    turn = ReferenceAgent().act(conversation(query, failed), (reserve, free))
    assert called(turn) == (free.name, {"reservation_id": "RSV-100001", "revision": 4})


@pytest.mark.parametrize(
    ("query", "city"),
    [
        ("2025-09-08に福岡でホテルを探して。", "福岡"),
        ("2025-09-08에 부산에서 호텔을 찾아줘.", "부산"),
        ("Find a hotel in Lisbon on 2025-09-08.", "Lisbon"),
    ],
)
def test_a_place_is_what_a_particle_of_place_follows(query: str, city: str) -> None:
    search = tool("inn__find_hotels", "Find hotels in a city.", {"city": text("City")})
    assert called(ReferenceAgent().act(conversation(query), (search,)))[1] == {"city": city}
