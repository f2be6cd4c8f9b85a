from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from gates.bootstrap import Scheme, companion_weights, draw, iter_counts
from gates.error import EstimationError

SEED = 20260929


def counts(
    sizes: Sequence[int], iterations: int, scheme: Scheme, stream: int | None = None
) -> np.ndarray:
    arrays = iter_counts(sizes, iterations=iterations, seed=SEED, scheme=scheme, stream=stream)
    return np.concatenate(list(arrays))


def test_raw_words_of_the_generator() -> None:
    # Vector 1: what NumPy promises to keep.
    words = np.random.Philox(key=SEED).random_raw(4)
    assert [int(word) for word in words] == [
        0x0E983B1BF91752A1,
        0x0890C187BC54337D,
        0x4BF86BDE3771DEC4,
        0x6E5DC0DD876360A8,
    ]


def test_words_become_positions() -> None:
    # Vector 2.
    words = [0, 2**32 - 1, 2**63, 2**64 - 1, 0x2AAAAAAA << 32, 0x2AAAAAAB << 32]
    assert draw(np.array(words, dtype=np.uint64), 6).tolist() == [0, 0, 3, 5, 0, 1]


def test_the_largest_stratum_does_not_overflow() -> None:
    words = np.array([2**64 - 1, 0], dtype=np.uint64)
    assert draw(words, 2**32 - 1).tolist() == [2**32 - 2, 0]


def test_first_replicates_of_both_schemes() -> None:
    # Vector 3: strata a a | b b b.
    assert counts([2, 3], 3, "primary").tolist() == [
        [2, 0, 1, 2, 0],
        [0, 2, 1, 1, 1],
        [1, 1, 2, 0, 1],
    ]
    assert counts([2, 3], 3, "companion").tolist() == [
        [1, 0, 1, 1, 0],
        [0, 1, 0, 2, 0],
        [1, 0, 1, 0, 1],
    ]


@pytest.mark.parametrize(
    ("scheme", "digest"),
    [
        ("primary", "18fd63c9f13537cbf2e71182e3805fb0f92ba4b70cad30a2f36eab808122f5ee"),
        ("companion", "6262810af28bccf941483e85fb720fba16ff623cf298e1233cc2b85b335b37a6"),
    ],
)
def test_all_replicates_of_the_study(scheme: Scheme, digest: str) -> None:
    # Vector 4: 30 strata of 6, 10,000 replicates.
    drawn = counts([6] * 30, 10_000, scheme)
    assert drawn.shape == (10_000, 180)
    assert hashlib.sha256(drawn.astype(np.uint8).tobytes()).hexdigest() == digest


def test_a_stream_of_its_own_for_a_sensitivity_analysis() -> None:
    # Stream 1 with n_h draws is the key (1 << 64) | seed, not the companion's counts.
    other = counts([2, 3], 3, "primary", stream=1)
    assert other.sum(axis=1).tolist() == [5, 5, 5]
    word = int(np.random.Philox(key=(1 << 64) | SEED).random_raw(1)[0])
    assert other[0, ((word >> 32) * 2) >> 32] >= 1
    assert not (other == counts([2, 3], 3, "primary")).all()


def test_a_stratum_of_one_cluster_is_named() -> None:
    assert counts([1, 2], 4, "primary")[:, 0].tolist() == [1, 1, 1, 1]
    with pytest.raises(EstimationError, match="Stratum number 2 holds 1 cluster"):
        iter_counts([2, 1], iterations=4, seed=SEED, scheme="companion")
    with pytest.raises(EstimationError, match="'two_step x ko' holds 1 cluster"):
        iter_counts(
            [2, 1],
            iterations=4,
            seed=SEED,
            scheme="companion",
            labels=["one x en", "two_step x ko"],
        )
    with pytest.raises(EstimationError, match="holds 1 cluster"):
        companion_weights([1])


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [([2, 3], (4, 3)), ([6, 6, 6], (6, 6, 6)), ([2], (2,)), ([3, 4, 7], (9, 8, 7))],
)
def test_companion_weights_are_the_factors_over_one_denominator(
    sizes: list[int], expected: tuple[int, ...]
) -> None:
    assert companion_weights(sizes) == expected


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sizes": []}, "no stratum"),
        ({"sizes": [0]}, "Stratum number 1 holds 0"),
        ({"iterations": 0}, "iterations is 0"),
        ({"chunk": 0}, "chunk is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**64}, "seed is"),
        ({"stream": -1}, "stream is -1"),
        ({"scheme": "third"}, "no bootstrap scheme 'third'"),
    ],
)
def test_a_wrong_call_fails_at_once(change: dict[str, object], words: str) -> None:
    usual: dict[str, object] = {"sizes": [2], "iterations": 1, "seed": SEED, "scheme": "primary"}
    arguments = usual | change
    with pytest.raises(EstimationError, match=words):
        iter_counts(arguments.pop("sizes"), **arguments)  # type: ignore[arg-type]
