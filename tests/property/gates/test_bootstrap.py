"""The draw against a second implementation in plain Python, written from the study's statistics."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.bootstrap import Scheme, companion_weights, draw, iter_counts
from gates.interval import interval
from tests.support.plain_bootstrap import plain_counts

SIZES = st.lists(st.integers(2, 9), min_size=1, max_size=7)
SCHEMES = st.sampled_from(["primary", "companion"])
SEEDS = st.integers(0, 2**64 - 1)


def counts(
    sizes: list[int], iterations: int, seed: int, scheme: Scheme, chunk: int | None = None
) -> np.ndarray:
    arrays = list(iter_counts(sizes, iterations=iterations, seed=seed, scheme=scheme, chunk=chunk))
    assert all(array.dtype == np.int64 for array in arrays)
    return np.concatenate(arrays)


@given(SIZES, st.integers(1, 12), SEEDS, SCHEMES)
def test_the_draw_equals_a_plain_one(
    sizes: list[int], iterations: int, seed: int, scheme: Scheme
) -> None:
    assert counts(sizes, iterations, seed, scheme).tolist() == plain_counts(
        sizes, iterations, seed, scheme
    )


@pytest.mark.parametrize("scheme", ["primary", "companion"])
def test_the_studys_first_replicates_equal_plain_ones(scheme: Scheme) -> None:
    drawn = counts([6] * 30, 10_000, 20260929, scheme)
    assert drawn[:200].tolist() == plain_counts([6] * 30, 200, 20260929, scheme)


@given(SIZES, st.integers(1, 40), SEEDS, SCHEMES, st.integers(1, 50))
def test_the_counts_do_not_depend_on_the_chunk(
    sizes: list[int], iterations: int, seed: int, scheme: Scheme, chunk: int
) -> None:
    whole = counts(sizes, iterations, seed, scheme)
    assert (counts(sizes, iterations, seed, scheme, chunk) == whole).all()


@given(SIZES, st.integers(1, 20), SEEDS, SCHEMES)
def test_every_stratum_gets_its_draws(
    sizes: list[int], iterations: int, seed: int, scheme: Scheme
) -> None:
    drawn = counts(sizes, iterations, seed, scheme)
    assert drawn.shape == (iterations, sum(sizes))
    fewer = 0 if scheme == "primary" else 1
    for cell, size in zip(np.split(drawn, np.cumsum(sizes)[:-1], axis=1), sizes, strict=True):
        assert (cell.sum(axis=1) == size - fewer).all()
        assert (cell >= 0).all()


@given(SIZES, st.integers(1, 20), st.integers(1, 20), SEEDS, SCHEMES)
def test_more_iterations_leave_the_first_ones_alone(
    sizes: list[int], fewer: int, more: int, seed: int, scheme: Scheme
) -> None:
    long = counts(sizes, fewer + more, seed, scheme)
    assert (long[:fewer] == counts(sizes, fewer, seed, scheme)).all()


@given(SIZES)
def test_weighted_companion_draws_stand_for_whole_strata(sizes: list[int]) -> None:
    # (n_h - 1) draws, each of weight n_h * L / (n_h - 1), stand for n_h * L.
    weights = companion_weights(sizes)
    common = {
        Fraction(weight * (size - 1), size) for weight, size in zip(weights, sizes, strict=True)
    }
    assert len(common) == 1


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**32 - 1))
def test_a_position_is_inside_its_stratum(word: int, size: int) -> None:
    position = int(draw(np.array([word], dtype=np.uint64), size)[0])
    assert position == ((word >> 32) * size) >> 32
    assert 0 <= position < size


@given(st.lists(st.floats(-1e6, 1e6), min_size=39, max_size=200))
def test_endpoints_equal_those_of_a_sorted_list(values: list[float]) -> None:
    rank = (len(values) + 1) * 25 // 1000
    ordered = sorted(values)
    assert interval(values) == (ordered[rank - 1], ordered[len(values) - rank])
