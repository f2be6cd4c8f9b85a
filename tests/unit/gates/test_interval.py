from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import gates.bootstrap
from gates.error import EstimationError
from gates.interval import exact_level, interval, outward_rank


def permuted(count: int) -> np.ndarray:
    return np.random.default_rng(7).permutation(np.arange(1, count + 1))


@pytest.mark.parametrize(
    ("count", "expected"), [(10_000, (250, 9751)), (9_999, (250, 9750)), (79, (2, 78))]
)
def test_endpoints_are_outward_order_statistics(count: int, expected: tuple[int, int]) -> None:
    # Vector 7 of the study's statistics.
    assert interval(permuted(count)) == expected


def test_too_few_replicates_are_an_error() -> None:
    # Vector 7: 39 * 0.05 / 2 is below 1. One more replicate makes it exactly 1.
    with pytest.raises(EstimationError, match="38 replicates are too few"):
        interval(permuted(38))
    assert interval(permuted(39)) == (1, 39)


def test_level_is_read_as_the_decimal_that_was_written() -> None:
    # 20 * (1 - 0.9) / 2 is 1, but 0.9999999999999998 in floats, which would be an error here.
    assert exact_level(0.95) == Fraction(19, 20)
    assert exact_level("0.95") == exact_level(Decimal("0.95")) == exact_level(Fraction(19, 20))
    assert exact_level(np.float64(0.95)) == Fraction(19, 20)
    assert outward_rank(199, 0.99) == 1
    assert outward_rank(19, 0.9) == 1


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1, "a lot", float("nan")])
def test_a_level_outside_0_to_1_is_an_error(level: float | str) -> None:
    with pytest.raises(EstimationError, match="confidence level"):
        exact_level(level)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_undefined_replicates_are_never_ordered(bad: float) -> None:
    values = permuted(100).astype(float)
    values[3] = bad
    with pytest.raises(EstimationError, match="finite numbers"):
        interval(values)


def test_replicates_of_two_figures_are_never_mixed() -> None:
    with pytest.raises(EstimationError, match=r"shape \(10, 10\)"):
        interval(permuted(100).reshape(10, 10))


def test_values_are_left_as_they_are() -> None:
    values = permuted(100).astype(float)
    before = values.copy()
    interval(values)
    assert (values == before).all()


def test_the_bootstrap_gives_the_interval_too() -> None:
    assert gates.bootstrap.interval is interval
