"""The semantic channel of sentences."""

from __future__ import annotations

import numpy as np
import pytest

from router import (
    SCALE,
    CatalogSnapshot,
    EndpointSpec,
    Fusion,
    LexicalIndex,
    SchemaRouter,
    TermIndex,
    ToolSpec,
)
from router.segment import segment
from router.sentence import WHOLE, SentenceIndex, describe
from router.store import MissingVectorError, VectorSource
from tests.support.encoder import CharacterEncoder, source
from tests.unit.router.shop import SHOP

SNAPSHOT = CatalogSnapshot.of(SHOP)
QUERY = "Find orders of a customer. Refund a payment, please"


def index(*queries: str) -> SentenceIndex:
    texts = [*SentenceIndex.texts(SNAPSHOT), *(t for q in queries for t in segment(q).texts())]
    return SentenceIndex(SNAPSHOT, source(texts))


def test_an_endpoint_is_described_with_and_without_its_tool() -> None:
    tool = ToolSpec(name="order_desk")
    endpoint = EndpointSpec(name="find_orders", description="List them.")
    assert describe(tool, endpoint) == (
        "order desk find orders: List them.",
        "find orders: List them.",
    )
    assert describe(tool, EndpointSpec(name="find_orders"))[1] == "find orders"


def test_a_score_is_the_whole_plus_the_best_part_above_the_mean() -> None:
    """From vectors in plain integers, route by route."""
    vectors = VectorSource(encoder=CharacterEncoder())
    pairs = zip(SNAPSHOT.owners, SNAPSHOT.endpoints, strict=True)
    described = [vectors.of(describe(*pair)).astype(int).sum(axis=0) for pair in pairs]
    parts = segment(QUERY)
    above = []
    for part in parts.segments:
        one = vectors.of([part.text])[0].astype(int)
        found = [int(one @ other) for other in described]
        above.append([value - sum(found) // len(found) for value in found])
    totals = [above[0][at] + max(row[at] for row in above) for at in range(len(SNAPSHOT))]
    heights = [len(totals) * value - sum(totals) for value in totals]
    expected = [max(0, height) * SCALE // max(heights) for height in heights]
    assert index(QUERY).score(QUERY).tolist() == expected


def test_the_best_route_has_the_full_scale() -> None:
    scores = index("refund a payment").score("refund a payment")
    assert scores.max() == SCALE
    assert scores.min() == 0


def test_a_clause_without_weight_speaks_in_the_whole_only() -> None:
    made, parts = index(QUERY), segment(QUERY)
    compared = made.compare(parts)
    full = np.full(parts.n_clauses, WHOLE)
    none = np.zeros(parts.n_clauses, dtype=np.int64)
    without = made.combine(compared, parts, none)
    only_whole = made.combine(compared[:1], segment("x y z"), np.array([WHOLE]))
    assert np.array_equal(without, only_whole), "no part counts, and the whole counts once"
    assert not np.array_equal(without, made.combine(compared, parts, full))


def test_a_query_without_vectors_is_an_error() -> None:
    with pytest.raises(MissingVectorError):
        index().score("something new")


def test_a_catalog_without_vectors_is_an_error() -> None:
    with pytest.raises(MissingVectorError):
        SentenceIndex(SNAPSHOT, source(["x"]))


def test_it_is_a_channel() -> None:
    fusion = Fusion(SNAPSHOT, [(LexicalIndex(SNAPSHOT), 1), (index(QUERY), 2)])
    assert set(fusion.rank(QUERY).routes) == set(SNAPSHOT.routes)


def test_a_router_can_rank_with_it() -> None:
    source_ = VectorSource(encoder=CharacterEncoder())
    router = SchemaRouter(
        channels=[
            (LexicalIndex, 3),
            (lambda snapshot: SentenceIndex(snapshot, source_), 10),
            (lambda snapshot: TermIndex(snapshot, source_), 10),
        ]
    )
    for tool in SHOP:
        router.add_tool(tool)
    fusion = Fusion(
        SNAPSHOT,
        [
            (LexicalIndex(SNAPSHOT), 3),
            (SentenceIndex(SNAPSHOT, source_), 10),
            (TermIndex(SNAPSHOT, source_), 10),
        ],
    )
    found = [f"{item.tool}.{item.endpoint}" for item in router.retrieve(QUERY).candidates]
    assert tuple(found) == fusion.rank(QUERY).top(len(found))


def test_an_empty_catalog() -> None:
    empty = CatalogSnapshot.of([])
    made = SentenceIndex(empty, VectorSource(encoder=CharacterEncoder()))
    assert made.score("anything").shape == (0,)
