"""Channels are brought to one scale by how far routes stand out."""

from __future__ import annotations

import numpy as np
import pytest

from router.channel import SCALE
from router.lift import lift, share_of_best


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0, 0, 0], [0, 0, 0]),
        ([5, 5], [0, 0]),
        ([0, 0, 0, 4], [0, 0, 0, SCALE]),
        # Mean 2: one and three above it.
        ([0, 1, 3, 5, 1], [0, 0, SCALE // 3, SCALE, 0]),
        ([-8, -4, -6], [0, SCALE, 0]),
        ([], []),
    ],
)
def test_lift(scores: list[int], expected: list[int]) -> None:
    assert lift(np.array(scores, dtype=np.int64)).tolist() == expected


def test_rows_are_lifted_by_themselves() -> None:
    rows = np.array([[0, 0, 9], [1, 1, 1], [0, 30, 0]])
    assert lift(rows).tolist() == [[0, 0, SCALE], [0, 0, 0], [0, SCALE, 0]]


def test_neither_height_nor_level_matters() -> None:
    scores = np.random.default_rng(1).integers(0, 1000, 50)
    assert np.array_equal(lift(scores), lift(scores * 3 + 7))


def test_the_largest_scores_fit() -> None:
    scores = np.zeros(10_000, dtype=np.int64)
    scores[3], scores[4] = 2**40, 2**39
    lifted = lift(scores)
    assert lifted[3] == SCALE
    assert abs(int(lifted[4]) - SCALE // 2) < 100


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0, 0], [0, 0]),
        ([1, 0, 2], [SCALE // 2, 0, SCALE]),
        ([2**40, 1], [SCALE, 1]),
        ([], []),
    ],
)
def test_share_of_best(scores: list[int], expected: list[int]) -> None:
    assert share_of_best(np.array(scores, dtype=np.int64)).tolist() == expected
