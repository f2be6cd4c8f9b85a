from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest

from router import CatalogSnapshot, EndpointSpec, LexicalParameters, ToolSpec
from router.document import ONCE, FieldWeights, pieces
from router.text import features, words
from router.weight import count_features, idf, kind_weight, weigh
from tests.unit.router.shop import SHOP

SNAPSHOT = CatalogSnapshot.of(SHOP)


def test_idf_is_the_rounded_logarithm() -> None:
    assert idf(7, 7) == 0
    assert idf(1, 1) == 0
    # 4096 ln 2 = 2839.131, 4096 ln(500/3) = 20955.16
    assert idf(2, 1) == 2839
    assert idf(500, 3) == 20955


def test_counts_are_weighted_by_field() -> None:
    counts = count_features(SNAPSHOT, FieldWeights())
    column = SNAPSHOT.position("orders.find_orders")
    # Tool and endpoint name once each, description once, tool description once.
    assert counts.matrix[counts.rows["worders"], column] == 12 + 8 + 4 + 1
    assert counts.matrix[counts.rows["wcus"], column] == 2


def test_weights_follow_bm25() -> None:
    """Integers against the formula in floating point, feature by feature."""
    parameters = LexicalParameters()
    counts = count_features(SNAPSHOT, parameters.fields)
    weights = weigh(counts, parameters)
    frequency: list[defaultdict[str, float]] = [defaultdict(float) for _ in SNAPSHOT.routes]
    for at, (tool, endpoint) in enumerate(zip(SNAPSHOT.owners, SNAPSHOT.endpoints, strict=True)):
        for weight, text in pieces(tool, endpoint, parameters.fields):
            for word in words(text):
                for name in features(word):
                    frequency[at][name] += weight / ONCE
    mean = sum(sum(document.values()) for document in frequency) / len(frequency)
    for name, row in counts.rows.items():
        n_with = sum(name in document for document in frequency)
        for at, document in enumerate(frequency):
            f, length = document.get(name, 0.0), sum(document.values())
            damping = 1.2 * (0.6 + 0.4 * length / mean)
            expected = (
                kind_weight(name, parameters)
                * math.log(len(frequency) / n_with)
                * (f * 2.2 / (f + damping))
            )
            assert weights[row, at] / 4096 == pytest.approx(expected, rel=2e-3, abs=2e-3)


def test_kinds_have_their_weights() -> None:
    parameters = LexicalParameters(word=7, gram=5, characters=(1, 2, 3))
    kinds = {name: kind_weight(name, parameters) for name in ("wof", "g_of", "c注", "c注文")}
    assert kinds == {"wof": 7, "g_of": 5, "c注": 1, "c注文": 2}
    assert kind_weight("c注文を", parameters) == 3


def test_what_all_endpoints_share_weighs_nothing() -> None:
    tools = [
        ToolSpec(name=f"acme_{name}", endpoints=(EndpointSpec(name="run"),))
        for name in ("mail", "chat", "docs")
    ]
    counts = count_features(CatalogSnapshot.of(tools), FieldWeights())
    weights = weigh(counts, LexicalParameters())
    assert weights[counts.rows["wacme"]].sum() == 0
    assert weights[counts.rows["wrun"]].sum() == 0
    assert weights[counts.rows["wmail"]].sum() > 0


def test_weights_are_integers() -> None:
    weights = weigh(count_features(SNAPSHOT, FieldWeights()), LexicalParameters())
    assert weights.dtype == np.int64
    assert weights.data.min() > 0


@pytest.mark.parametrize(
    "parameters",
    [
        {"word": -1},
        {"b": 1001},
        {"characters": (0, 0, 10_001)},
        {"fields": FieldWeights(output=-1)},
    ],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="out of range"):
        LexicalParameters(**parameters)  # type: ignore[arg-type]
