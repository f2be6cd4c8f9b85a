from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from router import (
    NAMED,
    SCALE,
    CatalogSnapshot,
    DuplicateRouteError,
    LexicalIndex,
    Ranking,
    ToolSpec,
    order,
)
from tests.property.router.strategies import catalogs, texts


def rank(snapshot: CatalogSnapshot, text: str) -> Ranking:
    return order(snapshot, LexicalIndex(snapshot).score(text))


def shuffled(tools: Sequence[ToolSpec], data: st.DataObject) -> list[ToolSpec]:
    """The same tools with everything they declare given in another order."""

    def mixed(items: Sequence[object]) -> tuple[object, ...]:
        return tuple(data.draw(st.permutations(items)))

    return [
        tool.model_copy(
            update={
                "endpoints": mixed(
                    [
                        endpoint.model_copy(
                            update={
                                "parameters": mixed(endpoint.parameters),
                                "output_fields": mixed(endpoint.output_fields),
                            }
                        )
                        for endpoint in tool.endpoints
                    ]
                )
            }
        )
        for tool in data.draw(st.permutations(tools))
    ]


@given(catalogs, texts)
def test_a_ranking_is_a_permutation_in_one_total_order(tools: list[ToolSpec], text: str) -> None:
    snapshot = CatalogSnapshot.of(tools)
    ranking = rank(snapshot, text)
    assert sorted(ranking.routes) == list(snapshot.routes)
    keys = [(-score, route) for score, route in zip(ranking.scores, ranking.routes, strict=True)]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert ranking.matched == tuple(score > 0 for score in ranking.scores)


@given(catalogs, texts, st.data())
def test_the_order_of_insertion_does_not_matter(
    tools: list[ToolSpec], text: str, data: st.DataObject
) -> None:
    one, other = CatalogSnapshot.of(tools), CatalogSnapshot.of(shuffled(tools, data))
    assert other.fingerprint == one.fingerprint
    assert other.routes == one.routes
    assert rank(other, text) == rank(one, text)


@given(catalogs, texts)
def test_scores_are_shares(tools: list[ToolSpec], text: str) -> None:
    snapshot = CatalogSnapshot.of(tools)
    index = LexicalIndex(snapshot)
    scores = index.score(text)
    assert scores.dtype == np.int64
    assert scores.shape == (len(snapshot.routes),)
    named = np.zeros(len(snapshot.routes), dtype=np.int64)
    named[list(index.named(text))] = NAMED
    assert ((scores - named >= 0) & (scores - named <= SCALE)).all()
    assert 0 <= index.coverage(text) <= 1


@given(catalogs, texts, texts)
def test_scoring_leaves_nothing_behind(tools: list[ToolSpec], text: str, between: str) -> None:
    index = LexicalIndex(CatalogSnapshot.of(tools))
    before = index.score(text)
    index.score(between)
    assert np.array_equal(index.score(text), before)


@given(catalogs, st.data())
def test_a_named_route_is_first(tools: list[ToolSpec], data: st.DataObject) -> None:
    snapshot = CatalogSnapshot.of(tools)
    assume(snapshot.routes)
    route = data.draw(st.sampled_from(snapshot.routes))
    assert rank(snapshot, f"please call {route} now").routes[0] == route


@given(catalogs, texts)
def test_words_out_of_order_score_alike(tools: list[ToolSpec], text: str) -> None:
    """A bag of words: only names written in code style depend on what stands beside them."""
    index = LexicalIndex(CatalogSnapshot.of(tools))
    parts = text.replace("_", " ").replace(".", " ").replace("`", " ").replace("(", " ").split()
    one, other = " ".join(parts), " ".join(reversed(parts))
    assume(not index.named(one) and not index.named(other))
    assert np.array_equal(index.score(one), index.score(other))


@given(catalogs, st.data())
def test_a_second_endpoint_of_a_name_is_refused(tools: list[ToolSpec], data: st.DataObject) -> None:
    assume(any(tool.endpoints for tool in tools))
    tool = data.draw(st.sampled_from([tool for tool in tools if tool.endpoints]))
    endpoint = data.draw(st.sampled_from(tool.endpoints))
    doubled = tool.model_copy(update={"endpoints": (*tool.endpoints, endpoint)})
    others = [other for other in tools if other.name != tool.name]
    with pytest.raises(DuplicateRouteError, match=re.escape(f"{tool.name}.{endpoint.name}")):
        CatalogSnapshot.of([*others, doubled])


_PROGRAM = """
from router import CatalogSnapshot, LexicalIndex, digest, order
from tests.unit.router.shop import SCRIPTS, SHOP
snapshot = CatalogSnapshot.of(SHOP)
index = LexicalIndex(snapshot)
rankings = [order(snapshot, index.score(text)) for text in (*SCRIPTS.values(), "find_orders")]
print(snapshot.fingerprint, digest([[r.routes, r.scores, r.matched] for r in rankings]))
"""


def test_rankings_do_not_depend_on_the_hash_seed() -> None:
    """Sets of strings are iterated in an order that Python salts anew in each process."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4294967295")
    }
    assert len(printed) == 1
