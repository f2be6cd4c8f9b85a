from __future__ import annotations

import numpy as np
import pytest

from router import (
    NAMED,
    SCALE,
    CatalogSnapshot,
    EndpointSpec,
    LexicalIndex,
    LexicalParameters,
    ParameterSpec,
    Ranking,
    ToolSpec,
    digest,
    order,
)
from tests.unit.router.shop import SCRIPTS, SHOP

SNAPSHOT = CatalogSnapshot.of(SHOP)
INDEX = LexicalIndex(SNAPSHOT)


def rank(text: str) -> Ranking:
    return order(SNAPSHOT, INDEX.score(text))


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("Cancel this order, it is not packed yet", "orders.cancel_order"),
        ("which bins hold article 7", "warehouse.find_bins"),
        ("CUS-1042 고객의 주문", "orders.find_orders"),
        ("12 kg 넘는 것", "warehouse.find_bins"),
        ("status delivered の注文", "orders.find_orders"),
        ("Por favor, un refund", "returns.refund"),
        ("Kunden-Refunds", "returns.refund"),
    ],
)
def test_words_loanwords_and_literals_find_their_route(text: str, route: str) -> None:
    ranking = rank(text)
    assert ranking.routes[0] == route
    assert ranking.matched[0]


@pytest.mark.parametrize("route", SNAPSHOT.routes)
@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "move stock between two bins with {}",
        "{}를 호출해서 cancel order",
        "search, refund, cancel: {}を使う",
    ],
)
def test_an_exactly_named_route_is_first(route: str, text: str) -> None:
    ranking = rank(text.format(route))
    assert ranking.routes[0] == route
    assert ranking.scores[0] > NAMED >= ranking.scores[1]


def test_named_routes_rank_among_themselves_by_score() -> None:
    text = "find_orders with a parcel coming back"
    assert rank(text).routes[:2] == ("returns.find_orders", "orders.find_orders")
    assert INDEX.named(text) == (
        SNAPSHOT.position("orders.find_orders"),
        SNAPSHOT.position("returns.find_orders"),
    )


@pytest.mark.parametrize("text", ["", "   ", "?!…", "zzz qqq", "보류", "0000"])
def test_text_that_matches_nothing_is_not_ranked(text: str) -> None:
    ranking = rank(text)
    assert set(ranking.scores) == {0}
    assert not any(ranking.matched)
    assert ranking.routes == SNAPSHOT.routes


def test_a_shared_prefix_matches_nothing() -> None:
    tools = [
        ToolSpec(name=f"acme_{name}", endpoints=(EndpointSpec(name=f"acme_{name}_run"),))
        for name in ("mail", "chat", "docs")
    ]
    index = LexicalIndex(CatalogSnapshot.of(tools))
    assert not index.score("acme").any()
    assert np.count_nonzero(index.score("acme chat")) == 1
    # It is in the catalog all the same: the channel is not blind to it.
    assert index.coverage("acme") == 1.0


def test_a_score_is_a_share_of_what_is_attainable() -> None:
    names = ("alpha", "bravo")
    tool = ToolSpec(name="t", endpoints=tuple(EndpointSpec(name=name) for name in names))
    index = LexicalIndex(CatalogSnapshot.of([tool]))
    assert index.score("alpha").tolist() == [SCALE, 0]
    # Two words of equal shape, one each: half of the attainable weight.
    assert index.score("alpha bravo").tolist() == [SCALE // 2, SCALE // 2]
    assert index.score("alpha alpha alpha bravo").tolist() == [SCALE * 3 // 4, SCALE // 4]


def test_words_that_no_endpoint_has_lower_the_share() -> None:
    known, diluted = INDEX.score("refund"), INDEX.score("refund xylophone")
    assert (diluted <= known).all()
    assert diluted.max() < known.max()
    ignoring = LexicalIndex(SNAPSHOT, LexicalParameters(unseen=0))
    position = SNAPSHOT.position("returns.refund")
    assert ignoring.score("refund 보류")[position] == ignoring.score("refund")[position] == SCALE


GOLDEN = "c705993aff5ce801321666108e623fd72217cbf105adb67a0026581f2b68ef1b"


def test_scores_are_what_they_have_always_been() -> None:
    """Golden value: the same on every machine; a change here changes frozen rankings."""
    texts = ["cancel the order of CUS-1042", "find_orders", *SCRIPTS.values()]
    assert digest([INDEX.score(text).tolist() for text in texts]) == GOLDEN


@pytest.mark.parametrize("language", SCRIPTS)
def test_every_script_is_indexed_and_found(language: str) -> None:
    tools = [
        ToolSpec(name=f"t{at}", endpoints=(EndpointSpec(name="e", description=text),))
        for at, text in enumerate(SCRIPTS.values())
    ]
    snapshot = CatalogSnapshot.of(tools)
    index = LexicalIndex(snapshot)
    text = SCRIPTS[language]
    assert index.coverage(text) == 1.0
    expected = f"t{list(SCRIPTS).index(language)}.e"
    scores = index.score(text)
    assert scores[snapshot.position(expected)] == scores.max() > SCALE // 2


def test_a_part_of_an_unspaced_sentence_is_found() -> None:
    tools = [
        ToolSpec(name="a", endpoints=(EndpointSpec(name="e", description="注文を保留する"),)),
        ToolSpec(name="b", endpoints=(EndpointSpec(name="e", description="在庫を移動する"),)),
        ToolSpec(name="c", endpoints=(EndpointSpec(name="e", description="Move stock"),)),
    ]
    index = LexicalIndex(CatalogSnapshot.of(tools))
    assert index.score("顧客CUS-1042の注文保留").argmax() == 0


def test_diacritics_may_be_left_out_on_either_side() -> None:
    tools = [
        ToolSpec(name="a", endpoints=(EndpointSpec(name="e", description="dirección größe"),)),
        ToolSpec(name="b", endpoints=(EndpointSpec(name="e", description="otra Sache"),)),
    ]
    index = LexicalIndex(CatalogSnapshot.of(tools))
    for text in ("dirección", "direccion", "DIRECCIO\u0301N", "größe", "grosse", "große"):
        assert index.score(text).argmax() == 0
        assert index.score(text).max() > 0


def test_coverage_reports_a_blind_channel() -> None:
    assert INDEX.coverage("고객의 미결 주문을 찾아 주세요") == 0.0
    assert INDEX.coverage("") == 0.0
    assert INDEX.coverage("cancel") == 1.0
    assert 0 < INDEX.coverage("cancel 보류") < 1


def test_repeats_and_length_do_not_overflow() -> None:
    endpoints = tuple(
        EndpointSpec(name=f"e{at}", description="stock " * 100_000 * at) for at in range(3)
    )
    index = LexicalIndex(CatalogSnapshot.of([ToolSpec(name="t", endpoints=endpoints)]))
    scores = index.score("stock bins " * 100_000)
    assert scores[0] == 0 < scores[1] <= scores[2] < SCALE
    many = INDEX.score(" ".join(f"refund w{at}x" for at in range(100_000)))
    assert 0 < many.max() < SCALE


def test_long_texts_are_added_up_in_more_bits() -> None:
    """What a text can attain passes 2**31 when it is said sixteen times; its shares stay."""
    heavy = LexicalParameters(word=4_000, gram=1_000, characters=(1_000, 2_000, 3_000))
    index = LexicalIndex(SNAPSHOT, heavy)
    text = "cancel order refund 注文 bins "
    assert np.array_equal(index.score(text * 16), index.score(text))


def test_a_parameter_name_alone_finds_its_endpoint() -> None:
    tool = ToolSpec(
        name="t",
        endpoints=(
            EndpointSpec(name="a", parameters=(ParameterSpec(name="gateway_id"),)),
            EndpointSpec(name="b", parameters=(ParameterSpec(name="meter_id"),)),
        ),
    )
    assert LexicalIndex(CatalogSnapshot.of([tool])).score("the gateway").argmax() == 0


def test_the_index_is_bound_to_its_catalog() -> None:
    assert INDEX.fingerprint == SNAPSHOT.fingerprint


@pytest.mark.parametrize("tools", [[], [ToolSpec(name="empty")]])
def test_a_catalog_without_endpoints_scores_nothing(tools: list[ToolSpec]) -> None:
    index = LexicalIndex(CatalogSnapshot.of(tools))
    assert index.score("orders.find_orders").shape == (0,)
