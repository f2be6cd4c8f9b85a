from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from gates.bootstrap import Scheme
from gates.design import Sample
from gates.error import EstimationError
from gates.estimand import Estimand, Metric
from gates.replicate import add_up, replicates
from tests.unit.gates.samples import design_of, exact_law, level, sample_of, variance

MEAN = level("x", "one", share=False)


def mean_of(sizes: list[int], values: list[int]) -> Sample:
    return sample_of(sizes, {"X/x": values, "X/one": [1] * len(values)})


@pytest.mark.parametrize(
    ("sizes", "values", "scheme", "expected"),
    [
        # Vector 5: the primary scheme understates s**2 / n by (n - 1) / n, Rao and Wu do not.
        ([2], [0, 1], "primary", Fraction(1, 8)),
        ([2], [0, 1], "companion", Fraction(1, 4)),
        # Vector 6: cells of different sizes.
        ([2, 3], [1, 0, -1, 0, 2], "primary", Fraction(31, 150)),
        ([2, 3], [1, 0, -1, 0, 2], "companion", Fraction(8, 25)),
    ],
)
def test_exact_variance_of_a_mean(
    sizes: list[int], values: list[int], scheme: Scheme, expected: Fraction
) -> None:
    law = exact_law(mean_of(sizes, values), MEAN, scheme)
    assert variance(law) == expected
    defined = [value for value in law if value is not None]
    assert sum(defined, Fraction(0)) / len(law) == Fraction(sum(values), len(values))


@pytest.mark.parametrize(
    ("scheme", "expected"), [("primary", Fraction(8, 27)), ("companion", Fraction(4, 9))]
)
def test_exact_probability_of_an_undefined_ratio(scheme: Scheme, expected: Fraction) -> None:
    # Vector 8: one miss among three tasks.
    sample = sample_of([3], {"X/hits": [1, 0, 0], "X/misses": [1, 0, 0]})
    law = exact_law(sample, level("hits", "misses"), scheme)
    assert Fraction(law.count(None), len(law)) == expected


def test_exact_law_of_a_ratio_of_sums() -> None:
    # Vector 11: (hits, events) (9, 10), (1, 2) | (4, 4), (0, 4).
    sample = sample_of([2, 2], {"X/hits": [9, 1, 4, 0], "X/events": [10, 2, 4, 4]})
    law = Counter(exact_law(sample, level("hits", "events"), "primary"))
    assert law == {
        Fraction(1, 6): 1,
        Fraction(1, 2): 4,
        Fraction(9, 14): 1,
        Fraction(7, 10): 4,
        Fraction(11, 14): 2,
        Fraction(5, 6): 1,
        Fraction(9, 10): 2,
        Fraction(13, 14): 1,
    }


def test_replicates_follow_the_exact_law() -> None:
    # The simulated share of undefined replicates lies within 5 standard errors of 8/27 and 4/9.
    sample = sample_of([3], {"X/misses": [1, 0, 0]})
    for scheme, expected in (("primary", 8 / 27), ("companion", 4 / 9)):
        totals = replicates(
            sample.design,
            sample.names,
            sample.matrix,
            scheme=scheme,  # type: ignore[arg-type]
            iterations=10_000,
            seed=20260929,
        )
        share = float((totals.of("X/misses") == 0).mean())
        assert abs(share - expected) < 5 * (expected * (1 - expected) / 10_000) ** 0.5


def test_sums_are_exact_up_to_the_last_whole_number() -> None:
    one = np.ones((1, 1), dtype=np.int64)
    largest = np.array([[2**53 - 1]], dtype=np.int64)
    assert add_up(["a"], largest, [one]).at(0)("a") == 2**53 - 1
    with pytest.raises(EstimationError, match="cannot hold exactly"):
        add_up(["a"], largest + 1, [one])
    with pytest.raises(EstimationError, match="cannot hold exactly"):
        add_up(["a"], -(largest + 1), [one])
    with pytest.raises(EstimationError, match="cannot hold exactly"):
        add_up(["a"], largest, [2 * one])
    with pytest.raises(EstimationError, match="cannot hold exactly"):
        add_up(["a"], largest, [one], [2])


def test_the_most_negative_integer_is_seen() -> None:
    lowest = np.array([[np.iinfo(np.int64).min]], dtype=np.int64)
    with pytest.raises(EstimationError, match="9223372036854775808"):
        add_up(["a"], lowest, [np.ones((1, 1), dtype=np.int64)])


def test_weights_too_large_for_exact_sums_are_refused() -> None:
    design = design_of(range(2, 45))
    sums = np.ones((len(design.task_ids), 1), dtype=np.int64)
    with pytest.raises(EstimationError, match="closer to each other"):
        replicates(design, ["a"], sums, scheme="companion", iterations=2, seed=1)


def test_companion_of_unequal_cells_weighs_them_as_the_sample_does() -> None:
    # 5 tasks in cells of 2 and 3: each replicate stands for lcm(1, 2) * 5 tasks, 2 : 3.
    sample = sample_of([2, 3], {"X/a": [1, 1, 0, 0, 0], "X/all": [1] * 5})
    totals = replicates(
        sample.design, sample.names, sample.matrix, scheme="companion", iterations=50, seed=3
    )
    assert set(totals.of("X/all")) == {10}
    assert set(totals.of("X/a")) == {4}


def test_a_contrast_comes_from_one_draw() -> None:
    # Two arms that differ by 1 on every task differ by exactly 1 in every draw.
    metric = Metric("m", "x", "one", None)
    sample = sample_of(
        [3], {"X/x": [5, 7, 1], "X/one": [1] * 3, "Y/x": [4, 6, 0], "Y/one": [1] * 3}
    )
    assert set(exact_law(sample, Estimand(metric, "X", "Y", "difference"), "primary")) == {1}
