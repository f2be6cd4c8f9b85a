"""What a query alone says: three channels, and which of its clauses still count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from conditions.error import ConditionError
from conditions.parameter import RetrieverParameters
from conditions.text import TextChannel
from router.channel import NAMED
from router.contract import EndpointSpec, ParameterSpec, ToolSpec
from router.lexical import LexicalIndex
from router.lift import share_of_best
from router.sentence import SentenceIndex
from router.snapshot import CatalogSnapshot
from router.store import MissingVectorError, VectorSource
from router.term import TermIndex
from tests.support.encoder import CharacterEncoder, source

ORDER = "^ORD-[0-9]{4}$"
SNAPSHOT = CatalogSnapshot.of(
    [
        ToolSpec(
            name="shop",
            endpoints=(
                EndpointSpec(
                    name="find_orders",
                    description="List the orders of a customer",
                    parameters=(ParameterSpec(name="order_id", json_schema={"pattern": ORDER}),),
                ),
                EndpointSpec(name="trace_parcel", description="Where a parcel travels"),
                EndpointSpec(name="send_message", description="Write a message to somebody"),
                EndpointSpec(name="opening_hours", description="When the shop opens"),
            ),
        )
    ]
)
QUERY = "List the orders of the customer, trace the parcel, write a message"
VECTORS = VectorSource(encoder=CharacterEncoder())
ALL = RetrieverParameters()
LEXICAL = replace(ALL, sentence_weight=0, term_weight=0)


def channel(numbers: RetrieverParameters = ALL) -> TextChannel:
    return TextChannel(SNAPSHOT, numbers, VECTORS)


def test_the_documented_sum() -> None:
    numbers = replace(ALL, lexical_weight=2, sentence_weight=5, term_weight=7)
    made = channel(numbers)
    expected = (
        2 * share_of_best(LexicalIndex(SNAPSHOT).score(QUERY))
        + 5 * SentenceIndex(SNAPSHOT, VECTORS).score(QUERY)
        + 7 * TermIndex(SNAPSHOT, VECTORS).score(QUERY)
    )
    assert np.array_equal(made.score(made.read(QUERY)), expected)


@pytest.mark.parametrize(
    ("weights", "n_sentences", "n_terms"),
    [((1, 0, 0), False, False), ((0, 1, 0), True, False), ((0, 0, 1), False, True)],
)
def test_a_channel_without_weight_is_not_built(
    weights: tuple[int, int, int], n_sentences: bool, n_terms: bool
) -> None:
    lexical, sentence, term = weights
    numbers = replace(ALL, lexical_weight=lexical, sentence_weight=sentence, term_weight=term)
    reading = channel(numbers).read(QUERY)
    assert (reading.sentences is not None) == n_sentences
    assert (reading.terms is not None) == n_terms
    assert reading.lexical.any() == bool(lexical)


def test_lexical_scores_alone_need_no_vectors() -> None:
    made = TextChannel(SNAPSHOT, LEXICAL, None)
    expected = 3 * share_of_best(LexicalIndex(SNAPSHOT).score(QUERY))
    assert np.array_equal(made.score(made.read(QUERY)), expected)


def test_semantic_scores_without_vectors_are_an_error_never_a_fallback() -> None:
    with pytest.raises(ConditionError):
        TextChannel(SNAPSHOT, ALL, None)
    with pytest.raises(MissingVectorError):
        TextChannel(SNAPSHOT, ALL, source(["x"]))
    known = source([*SentenceIndex.texts(SNAPSHOT), *TermIndex.texts(SNAPSHOT)])
    with pytest.raises(MissingVectorError):
        TextChannel(SNAPSHOT, ALL, known).read("something new")


def test_identifiers_are_masked_before_anything_is_compared() -> None:
    parameters = (ParameterSpec(name="a", identifier=True, json_schema={"pattern": ORDER}),)
    tool = ToolSpec(name="t", endpoints=(EndpointSpec(name="e", parameters=parameters),))
    encoder = CharacterEncoder()
    made = TextChannel(CatalogSnapshot.of([tool]), ALL, VectorSource(encoder=encoder))
    made.read("Show ORD-0815 please")
    assert "Show ORD- please" in encoder.asked
    assert not any("0815" in text for text in encoder.asked)


def test_a_new_query_is_encoded_in_one_call_and_only_what_is_new_in_it() -> None:
    class Counting(CharacterEncoder):
        calls = 0

        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            self.calls += 1
            return super().encode(texts)

    encoder = Counting()
    made = TextChannel(SNAPSHOT, ALL, VectorSource(encoder=encoder))
    before = encoder.calls
    made.read("List orders, write ORD-0815 down")
    assert encoder.calls == before + 1
    encoder.asked.clear()
    made.read("Write orders down")
    assert encoder.calls == before + 2
    assert encoder.asked == ["Write orders down"]
    made.forget()
    made.read("Write orders down")
    assert sorted(encoder.asked[1:]) == ["Write orders down", "down", "orders", "write"]


def test_names_are_counted_apart() -> None:
    made = channel()
    reading = made.read("Run shop.find_orders")
    assert reading.named.tolist() == [1, 0, 0, 0]
    assert made.score(reading).max() < NAMED


class TestResidual:
    def test_clauses_up_to_the_one_that_was_answered_lose_their_share(self) -> None:
        made = channel(replace(ALL, lexical_weight=0))
        reading = made.read(QUERY)
        assert reading.parts.n_clauses == 3
        trace = SNAPSHOT.position("shop.trace_parcel")
        assert reading.covered[:, trace].argmax() == 1
        sentences = SentenceIndex(SNAPSHOT, VECTORS)
        terms = TermIndex(SNAPSHOT, VECTORS)
        weights = np.array([500, 500, 1000])
        expected = 10 * sentences.combine(sentences.compare(reading.parts), reading.parts, weights)
        expected += 10 * terms.combine(terms.compare(reading.parts), weights)
        assert np.array_equal(made.score(reading, [trace]), expected)
        earlier = SNAPSHOT.position("shop.find_orders")
        assert np.array_equal(made.score(reading, [trace, earlier]), expected)

    def test_what_is_still_asked_for_rises(self) -> None:
        made = channel(replace(ALL, lexical_weight=0, residual=1000))
        reading = made.read(QUERY)
        before = made.score(reading)
        after = made.score(reading, [SNAPSHOT.position("shop.trace_parcel")])
        message = SNAPSHOT.position("shop.send_message")
        assert after.argmax() == message
        assert before.argmax() != message

    def test_it_can_be_switched_off(self) -> None:
        made = channel(replace(ALL, residual=0))
        reading = made.read(QUERY)
        assert np.array_equal(made.score(reading, [1]), made.score(reading))

    def test_a_query_without_clauses(self) -> None:
        made = channel()
        reading = made.read("...")
        assert made.score(reading, [0]).shape == (4,)
