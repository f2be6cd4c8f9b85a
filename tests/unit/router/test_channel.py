from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from router import NAMED, SCALE, CatalogSnapshot, Fusion, LexicalIndex, StaleIndexError
from tests.unit.router.shop import SHOP

SNAPSHOT = CatalogSnapshot.of(SHOP)


class Constant:
    """A channel that likes one route, whatever the text."""

    def __init__(self, route: str, fingerprint: str = SNAPSHOT.fingerprint) -> None:
        self.fingerprint = fingerprint
        self._position = SNAPSHOT.position(route)

    def score(self, text: str) -> NDArray[np.int64]:
        scores = np.zeros(len(SNAPSHOT), dtype=np.int64)
        scores[self._position] = SCALE
        return scores


def test_channels_add_up() -> None:
    lexical, other = LexicalIndex(SNAPSHOT), Constant("returns.refund")
    fusion = Fusion(SNAPSHOT, [(lexical, 3), (other, 2)])
    text = "cancel the order"
    assert np.array_equal(fusion.score(text), 3 * lexical.score(text) + 2 * other.score(text))
    assert fusion.fingerprint == SNAPSHOT.fingerprint


def test_a_named_route_is_first_against_any_sum() -> None:
    fusion = Fusion(SNAPSHOT, [(LexicalIndex(SNAPSHOT), 1), (Constant("returns.refund"), 500_000)])
    assert fusion.rank("orders.cancel_order").routes[:2] == (
        "orders.cancel_order",
        "returns.refund",
    )
    assert fusion.rank("cancel the order").routes[0] == "returns.refund"


def test_a_channel_of_another_catalog_is_refused() -> None:
    with pytest.raises(StaleIndexError, match="LexicalIndex"):
        Fusion(SNAPSHOT, [(LexicalIndex(CatalogSnapshot.of(SHOP[1:])), 1)])


@pytest.mark.parametrize("weight", [0, -1, NAMED // SCALE])
def test_weights_that_could_outweigh_a_name_are_refused(weight: int) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        Fusion(SNAPSHOT, [(LexicalIndex(SNAPSHOT), weight)])


def test_no_channel_matches_nothing() -> None:
    assert not any(Fusion(SNAPSHOT, []).rank("cancel the order").matched)
