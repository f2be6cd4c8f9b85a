from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from gates.clopper_pearson import upper_bound
from gates.error import EstimationError


@pytest.mark.parametrize(("units", "bound"), [(180, 0.0165052282), (540, 0.0055322926)])
def test_bound_for_zero_events(units: int, bound: float) -> None:
    # Vector 10, and the equation that defines it.
    found = upper_bound(0, units)
    assert found == pytest.approx(bound, abs=5e-11)
    assert (1 - found) ** units == pytest.approx(0.05, rel=1e-9)


@pytest.mark.parametrize(("events", "units"), [(0, 1), (1, 4), (3, 10), (179, 180)])
def test_the_bound_is_where_so_few_events_have_probability_1_minus_the_level(
    events: int, units: int
) -> None:
    rate = Fraction(upper_bound(events, units))
    probability = sum(
        comb(units, count) * rate**count * (1 - rate) ** (units - count)
        for count in range(events + 1)
    )
    assert float(probability) == pytest.approx(0.05, rel=1e-9)


def test_nothing_but_events_leaves_the_rate_unbounded() -> None:
    assert upper_bound(7, 7) == 1.0


@pytest.mark.parametrize(("events", "units"), [(0, 0), (2, 1), (-1, 5)])
def test_events_that_do_not_fit_are_an_error(events: int, units: int) -> None:
    with pytest.raises(EstimationError, match="bound no rate"):
        upper_bound(events, units)
