"""Which tool is called: by the query's words, by what can be filled, by what was observed."""

from __future__ import annotations

import pytest

from harness.agents.reference import ReferenceAgent
from tests.unit.harness.agents.reference.tools import WORLD, called, choose, conversation, ok

SHIPMENTS = ok(
    {
        "shipments": [
            {"shipment_id": "SHP-100001", "stage": "delivered", "weight": 120},
            {"shipment_id": "SHP-100002", "stage": "booked", "weight": 560.5},
            {"shipment_id": "SHP-100003", "stage": "in_transit", "weight": 80},
        ]
    },
    {"shipments[].weight": "kg"},
)
HEAVIEST = [
    "Look up the shipments of customer CUS-1042 and release the hold on the heaviest one.",
    "고객 CUS-1042의 배송을 조회해서 가장 무거운 건의 보류를 풀어줘.",
    "Busca los envíos del cliente CUS-1042 y libera la retención del más pesado.",
    "顧客CUS-1042の出荷を調べて、一番重いものの保留を解除してください。",
    "Such die Sendungen von Kunde CUS-1042 heraus und gib die schwerste davon frei.",
    "CUS-1042 고객의 shipment 중에 제일 무거운 걸 찾아서 hold 풀어 주세요",
]


@pytest.mark.parametrize("query", HEAVIEST)
def test_two_steps_in_every_language(query: str) -> None:
    agent = ReferenceAgent()
    name, arguments = called(agent.act(conversation(query), WORLD))
    assert name == "freight__find_shipments"
    assert arguments["customer_id"] == "CUS-1042"
    first = (name, arguments, SHIPMENTS)
    second = called(agent.act(conversation(query, first), WORLD))
    assert second == ("freight__release_hold", {"shipment_id": "SHP-100002"})


@pytest.mark.parametrize("query", HEAVIEST)
def test_it_stops_when_what_was_asked_has_been_done(query: str) -> None:
    first = ("freight__find_shipments", {"customer_id": "CUS-1042"}, SHIPMENTS)
    second = ("freight__release_hold", {"shipment_id": "SHP-100002"}, {"status": "executed"})
    turn = ReferenceAgent().act(conversation(query, first, second), WORLD)
    assert turn.calls == ()
    assert turn.text


def test_a_tool_that_cannot_be_filled_waits_for_one_that_supplies_what_it_lacks() -> None:
    # The invoice that the reminder needs is only known to the list.
    query = "Send a payment reminder for the overdue invoice of CUS-2201."
    tools = choose("billing__list_invoices", "billing__send_reminder", "freight__find_shipments")
    name, _ = called(ReferenceAgent().act(conversation(query), tools))
    assert name == "billing__list_invoices"


def test_the_same_call_is_not_made_twice_after_success() -> None:
    query = "Get shipment SHP-100001."
    first = ("freight__get_shipment", {"shipment_id": "SHP-100001"}, ok({"stage": "booked"}))
    tools = choose("freight__get_shipment")
    agent = ReferenceAgent()
    for nudges in range(3):
        turn = agent.act(conversation(query, first, *[None] * nudges), tools)
        assert turn.calls == ()


def test_the_same_tool_is_called_again_for_another_literal() -> None:
    query = "Get shipment SHP-100001 and get shipment SHP-100002."
    first = ("freight__get_shipment", {"shipment_id": "SHP-100001"}, ok({"stage": "booked"}))
    turn = ReferenceAgent().act(conversation(query, first), choose("freight__get_shipment"))
    assert called(turn) == ("freight__get_shipment", {"shipment_id": "SHP-100002"})


@pytest.mark.parametrize("nudges", [0, 1, 2])
def test_a_destructive_tool_is_not_called_unasked(nudges: int) -> None:
    query = "Where is shipment SHP-100001?"
    tools = choose("freight__cancel_shipment", "billing__void_invoice")
    turn = ReferenceAgent().act(conversation(query, *[None] * nudges), tools)
    assert turn.calls == ()


@pytest.mark.parametrize(
    "query",
    [
        "Cancel shipment SHP-100001.",
        "SHP-100001 배송을 취소해줘.",
        "Cancela el envío SHP-100001.",
        "出荷SHP-100001をキャンセルしてください。",
        "Bitte die Sendung SHP-100001 stornieren.",
    ],
)
def test_a_destructive_tool_is_called_when_the_query_asks(query: str) -> None:
    turn = ReferenceAgent().act(conversation(query), WORLD)
    assert called(turn) == ("freight__cancel_shipment", {"shipment_id": "SHP-100001"})


def test_what_stands_before_destruction_is_done_before_it() -> None:
    query = "Check shipment SHP-100001, then cancel it."
    name, _ = called(ReferenceAgent().act(conversation(query), WORLD))
    assert name == "freight__get_shipment"


def test_a_clause_that_says_before_that_comes_first() -> None:
    query = "出荷SHP-100001の保留を解除してください。その前に出荷SHP-100001を確認して。"
    name, _ = called(ReferenceAgent().act(conversation(query), WORLD))
    assert name == "freight__get_shipment"


def test_the_query_tells_rivals_apart() -> None:
    rail = "Quote the price of moving 500 kg to Rotterdam by rail."
    sea = "Quote the price of moving 500 kg to Rotterdam by sea."
    agent = ReferenceAgent()
    assert called(agent.act(conversation(rail), WORLD))[0] == "railway__quote_freight"
    assert called(agent.act(conversation(sea), WORLD))[0] == "seaway__quote_freight"
