"""The semantic channel of terms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from router import SCALE, CatalogSnapshot, EndpointSpec, ParameterSpec, ToolSpec
from router.segment import segment
from router.store import MissingVectorError, VectorSource
from router.term import TermIndex, TermParameters
from router.text import words
from tests.support.encoder import CharacterEncoder, source
from tests.unit.router.shop import SHOP

SNAPSHOT = CatalogSnapshot.of(SHOP)
QUERY = "Find the orders of a customer. Refunding payments, please"


def index(*queries: str, parameters: TermParameters | None = None) -> TermIndex:
    texts = [*TermIndex.texts(SNAPSHOT), *(t for q in queries for t in segment(q).texts())]
    return TermIndex(SNAPSHOT, source(texts), parameters)


def test_the_documented_formula() -> None:
    """In floating point, word by word."""
    encoder = CharacterEncoder()
    numbers = TermParameters()
    documents = []
    for tool, endpoint in zip(SNAPSHOT.owners, SNAPSHOT.endpoints, strict=True):
        fields = [(tool.name, 0.7), (endpoint.name, 1.0), (endpoint.description, 1.0)]
        fields += [(f"{p.name} {p.description}", 0.5) for p in endpoint.parameters]
        fields += [(f"{f.name} {f.description}", 0.5) for f in endpoint.output_fields]
        weights: dict[str, float] = {}
        for text, weight in fields:
            for word in words(text):
                if len(word) > 1 and not word.isdecimal() and word.isascii():
                    weights[word] = max(weight, weights.get(word, 0))
        documents.append(weights)
    expected = np.zeros(len(documents))
    for word in (word for word in words(QUERY) if len(word) > 1):
        vector = encoder.encode([word])[0]
        closeness = []
        for weights in documents:
            near = [0.0]
            for other, weight in weights.items():
                similarity = float(vector @ encoder.encode([other])[0])
                near.append(weight * min(1, max(0, (similarity - 0.5) / 0.5)))
            closeness.append(max(near))
        n_close = max(1, sum(closeness))
        expected += np.array(closeness) * math.log(len(documents) / n_close)
    found = index(QUERY).compare(segment(QUERY)).sum(axis=0) / 4096
    assert numbers.threshold == 500
    assert found == pytest.approx(expected, rel=0.1, abs=0.2)


def test_clauses_are_kept_apart() -> None:
    made, parts = index(QUERY), segment(QUERY)
    compared = made.compare(parts)
    assert compared.shape == (parts.n_clauses, len(SNAPSHOT))
    first = made.combine(compared, np.array([1000, 0, 0]))
    assert np.array_equal(first, index(parts.clauses[0]).score(parts.clauses[0]))


def test_any_form_of_a_term_may_match() -> None:
    tools = [
        ToolSpec(
            name="t",
            endpoints=(
                EndpointSpec(name="a", description="주문 취소"),
                EndpointSpec(name="b", description="날씨 예보"),
            ),
        )
    ]
    snapshot = CatalogSnapshot.of(tools)
    made = TermIndex(snapshot, VectorSource(encoder=CharacterEncoder()))
    assert made.score("주문에서는").tolist() == [SCALE, 0]


def test_heavier_fields_decide() -> None:
    endpoints = (
        EndpointSpec(name="alpha_beta"),
        EndpointSpec(name="gamma", parameters=(ParameterSpec(name="alpha"),)),
        EndpointSpec(name="delta"),
    )
    snapshot = CatalogSnapshot.of([ToolSpec(name="t", endpoints=endpoints)])
    made = TermIndex(snapshot, VectorSource(encoder=CharacterEncoder()))
    counts = made.compare(segment("alpha"))[0]
    assert counts[0] == pytest.approx(2 * counts[2], rel=0.01)
    assert counts[1] == 0


def test_terms_are_remembered_without_changing_anything() -> None:
    made = index(QUERY)
    first = made.score(QUERY)
    made.score("orders")
    assert np.array_equal(made.score(QUERY), first)


def test_many_terms_are_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("router.term._CACHED_TERMS", 3)
    made = index(QUERY, "orders refunds")
    expected = index(QUERY).score(QUERY)
    made.score("orders refunds")
    assert np.array_equal(made.score(QUERY), expected)


def test_coverage_is_the_share_of_terms_that_are_close_to_something() -> None:
    query = "orders qqxz orders customer"
    assert index(query).coverage(query) == pytest.approx(2 / 3)
    assert index().coverage("7 . !") == 0


def test_nothing_to_compare() -> None:
    assert not index().score("7 . !").any()
    empty = CatalogSnapshot.of([])
    assert TermIndex(empty, VectorSource(encoder=CharacterEncoder())).score("a b").shape == (0,)


def test_missing_vectors_are_an_error() -> None:
    with pytest.raises(MissingVectorError):
        index().score("unheardof")
    with pytest.raises(MissingVectorError):
        TermIndex(SNAPSHOT, source(["x"]))


@pytest.mark.parametrize("changes", [{"threshold": 1000}, {"name": -1}, {"output": 1001}])
def test_parameters_out_of_range_are_refused(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="Use"):
        TermParameters(**changes)
