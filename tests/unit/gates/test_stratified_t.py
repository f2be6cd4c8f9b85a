from __future__ import annotations

import numpy as np
import pytest

from gates.error import EstimationError
from gates.estimand import Estimand, Metric
from gates.stratified_t import linearised, stratified_t
from tests.unit.gates.samples import level, sample_of


def test_stratified_t_interval() -> None:
    # Vector 6: SE**2 = 8/25, 3 degrees of freedom.
    result = stratified_t([1, 0, -1, 0, 2], [2, 3])
    assert result.mean == pytest.approx(2 / 5, abs=1e-15)
    assert result.standard_error**2 == pytest.approx(8 / 25, abs=1e-15)
    assert result.degrees_of_freedom == 3
    assert result.lower == pytest.approx(-1.4002634906, abs=5e-11)
    assert result.upper == pytest.approx(2.2002634906, abs=5e-11)


@pytest.mark.parametrize(
    ("values", "sizes"), [([1.0, 2.0], [3]), ([1.0, 2.0, 3.0], [2, 1]), ([], [])]
)
def test_a_cell_without_a_variance_is_an_error(values: list[float], sizes: list[int]) -> None:
    with pytest.raises(EstimationError, match="at least two clusters a cell"):
        stratified_t(values, sizes)


def test_linearised_values_of_a_mean_are_the_clusters_own() -> None:
    sample = sample_of([2, 3], {"X/x": [1, 0, 7, 0, 2], "X/one": [1] * 5})
    values = linearised(sample, level("x", "one", share=False))
    assert values is not None
    assert values == pytest.approx([1, 0, 7, 0, 2], abs=1e-14)


def test_linearised_values_of_a_ratio() -> None:
    # R = 14/20; residuals y - R x = 2, -0.4, 1.2, -2.8; the mean denominator is 5.
    sample = sample_of(
        [2, 2],
        {
            "X/hits": [9, 1, 4, 0],
            "X/events": [10, 2, 4, 4],
            "Y/hits": [1, 1, 1, 1],
            "Y/events": [2, 2, 2, 2],
            "Z/events": [0, 0, 0, 0],
        },
    )
    expected = 0.7 + np.array([2, -0.4, 1.2, -2.8]) / 5
    values = linearised(sample, level("hits", "events"))
    assert values is not None
    assert values == pytest.approx(expected, abs=1e-14)
    share = Metric("share", "hits", "events", (0, 1))
    difference = linearised(sample, Estimand(share, "X", "Y", "difference"))
    assert difference is not None
    assert difference == pytest.approx(expected - 0.5, abs=1e-14)
    with pytest.raises(EstimationError, match="ratio of two conditions"):
        linearised(sample, Estimand(share, "X", "Y", "ratio"))


def test_an_undefined_ratio_has_no_linearised_values() -> None:
    sample = sample_of([2], {"X/hits": [0, 0], "X/events": [0, 0]})
    assert linearised(sample, level("hits", "events")) is None
