"""What each clause asks for: shared verbs, prohibitions, permissions, verbs that stand apart."""

from __future__ import annotations

import pytest

from harness.agents.reference import ReferenceAgent
from harness.agents.reference.glossary import load_glossary
from harness.agents.reference.query import read_query
from tests.unit.harness.agents.reference.tools import choose, conversation

PROHIBITIONS = [
    "Nobody should cancel shipment SHP-100001.",
    "Do not cancel shipment SHP-100001.",
    "El envío SHP-100001 sigue en pie, no lo canceles.",
    "배송 SHP-100001은 취소하지 마세요.",
    "出荷SHP-100001は取り消さないでください。",
    "Sendung SHP-100001 bitte nicht stornieren.",
]


@pytest.mark.parametrize("query", PROHIBITIONS)
@pytest.mark.parametrize("nudges", [0, 1, 2])
def test_what_is_forbidden_is_not_done(query: str, nudges: int) -> None:
    turn = ReferenceAgent().act(
        conversation(query, *[None] * nudges), choose("freight__cancel_shipment")
    )
    assert turn.calls == ()


@pytest.mark.parametrize(
    "query",
    [
        "We have the approval to cancel shipment SHP-100001.",
        "배송 SHP-100001의 취소 승인을 받았습니다.",
        "出荷SHP-100001の取り消しは承認が出ています。",
    ],
)
def test_a_permission_is_no_request(query: str) -> None:
    turn = ReferenceAgent().act(conversation(query), choose("freight__cancel_shipment"))
    assert turn.calls == ()


def test_a_request_is_one_beside_a_prohibition() -> None:
    query = "Leave shipment SHP-100001 alone. Cancel shipment SHP-100002."
    turn = ReferenceAgent().act(conversation(query), choose("freight__cancel_shipment"))
    assert [call.arguments for call in turn.calls] == ['{"shipment_id":"SHP-100002"}']


@pytest.mark.parametrize(
    "query",
    [
        "Reserve 5 pieces of ABC-1, then 3 pieces of ABC-2.",
        "Reservier 5 Stück von ABC-1, danach 3 Stück von ABC-2.",
    ],
)
def test_a_step_without_a_verb_shares_that_of_its_neighbour(query: str) -> None:
    first, second = read_query(query).clauses
    assert "book" in first.concepts
    assert "book" in second.concepts
    assert "ABC-2" in query[second.start : second.end]


def test_a_verb_at_the_end_is_shared_with_the_step_before() -> None:
    query = "zone A-1は19℃に、そのあとzone A-2は22℃に設定して。"
    first, second = read_query(query).clauses
    assert "set" in first.concepts
    assert "set" in second.concepts


def test_what_holds_no_verb_still_joins_what_follows() -> None:
    (clause,) = read_query("For customer CUS-1042, list the orders.").clauses
    assert {"customer", "find", "order"} <= clause.concepts


def test_a_german_verb_is_put_together_with_its_prefix() -> None:
    concepts = load_glossary().concepts("leg die Ringe bitte zurück", ("en", "de"))
    assert "book" in concepts


def test_the_sign_for_an_ordinal_makes_no_unit_of_the_word_of() -> None:
    literals = read_query("Give back 64.90 of it.").literals
    assert [(item.value, item.unit) for item in literals] == [(64.9, None)]


def test_one_is_no_number() -> None:
    assert read_query("I mean the one about the lantern.").literals == ()
