"""A literal that may mean several things means what stands beside it."""

from __future__ import annotations

import pytest

from conditions.literal import LiteralReader
from conditions.meaning import MeaningReader, context
from router.contract import EndpointSpec, ParameterSpec, ToolSpec
from router.snapshot import CatalogSnapshot
from router.store import VectorSource
from tests.support.encoder import CharacterEncoder

NUMBER = "^[0-9]{8}$"
DAY = "^[0-9]{4}-[0-9]{2}$"
VECTORS = VectorSource(encoder=CharacterEncoder())


def takes(semantic: str, description: str, pattern: str = NUMBER) -> ParameterSpec:
    return ParameterSpec(
        name=semantic.replace(".", "_") + description.replace(" ", "_"),
        description=description,
        semantic_id=semantic,
        json_schema={"pattern": pattern},
    )


PARAMETERS = (
    takes("order.id", "Order number"),
    takes("ticket.id", "Case number"),
    takes("ticket.id", "The ticket that is in the way of an order"),
    takes("ticket.id", "Case number "),
    takes("work.month", "Month", DAY),
)
SNAPSHOT = CatalogSnapshot.of(
    [ToolSpec(name="t", endpoints=(EndpointSpec(name="e", parameters=PARAMETERS),))]
)


def spelled(query: str, source: VectorSource | None = VECTORS, margin: int = 250) -> set[str]:
    reader = MeaningReader(SNAPSHOT, source, margin)
    return {need[0] or "" for need in reader.spelled(LiteralReader(SNAPSHOT).read(query))}


@pytest.mark.parametrize(
    ("query", "meanings"),
    [
        ("Cancel order 40733915 now", {"order.id"}),
        ("Close the case 40733915 now", {"ticket.id"}),
        ("40733915 is the order", {"order.id", "ticket.id"}),
        # Every literal has its own context.
        ("Close the case 40733915 about order 40733916", {"order.id", "ticket.id"}),
        # Nothing beside it tells.
        ("What about 40733915 then", {"order.id", "ticket.id"}),
        ("40733915", {"order.id", "ticket.id"}),
        # A value has the meaning of its pattern.
        ("in 2025-08", {"work.month"}),
        ("nothing", set()),
    ],
)
def test_the_words_beside_a_literal_decide(query: str, meanings: set[str]) -> None:
    assert spelled(query) == meanings


def test_without_vectors_every_meaning_stays_open() -> None:
    assert spelled("Cancel order 40733915 now", None) == {"order.id", "ticket.id"}


def test_a_margin_that_nothing_reaches_leaves_every_meaning_open() -> None:
    assert spelled("Cancel order 40733915 now", margin=1000) == {"order.id", "ticket.id"}


def test_the_context_is_two_words_before_and_one_after() -> None:
    literals = LiteralReader(SNAPSHOT).read("please cancel the order 40733915 for me").literals
    assert context(literals[0]) == ["the", "order", "for"]
    literals = LiteralReader(SNAPSHOT).read("주문을 40733915번").literals
    assert context(literals[0]) == ["주문을", "주문"]


def test_an_identifier_says_nothing_about_its_neighbour() -> None:
    """Its characters are masked in the context too."""
    reader = LiteralReader(SNAPSHOT)
    one, other = (
        reader.read(f"case {number} order 40733915").literals for number in ("11111111", "22222222")
    )
    assert one == other
