from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gates.error import EstimationError
from gates.paired import PairedTable, catalog_correlation, paired_table


def test_pairs_are_counted_by_who_passed() -> None:
    first = {("a", 1): 1, ("a", 2): 1, ("b", 1): 0, ("b", 2): 0, ("c", 1): 1}
    second = {("c", 1): 1, ("b", 2): 0, ("b", 1): 1, ("a", 2): 0, ("a", 1): 0}
    table = paired_table(first, second)
    assert table == PairedTable(both=1, first_only=2, second_only=1, neither=1)
    assert table.pairs == 5
    assert table.discordance == Fraction(3, 5)
    assert table.to_json() == {
        "both": 1,
        "state_aware_only": 2,
        "comparator_only": 1,
        "neither": 1,
        "discordance": 0.6,
    }


def test_an_episode_without_a_partner_is_an_error() -> None:
    with pytest.raises(EstimationError, match="2 episodes have no partner"):
        paired_table({("a", 1): 1, ("a", 2): 1}, {("a", 1): 1, ("a", 3): 1})


def test_no_pair_has_no_discordance() -> None:
    assert paired_table({}, {}).discordance is None


def test_catalogs_that_agree_are_one() -> None:
    assert catalog_correlation([[1, 1, 1], [0, 0, 0], [-1, -1, -1]]) == pytest.approx(1)


def test_catalogs_that_differ_most() -> None:
    # All spread lies within tasks: the least possible value, -1 / (C - 1).
    assert catalog_correlation([[1, -1], [-1, 1], [1, -1]]) == pytest.approx(-1)


def test_the_correlation_of_a_table_by_hand() -> None:
    # Means 1, 1/2, 0; grand mean 1/2. MSB = 2 * (1/4 + 0 + 1/4) / 2 = 1/2, MSW = 1/2 / 3 = 1/6.
    assert catalog_correlation([[1, 1], [1, 0], [0, 0]]) == pytest.approx((1 / 2 - 1 / 6) / (4 / 6))


@pytest.mark.parametrize("values", [[[1, 0, 1]], [[1], [0]], [[1, 1], [1, 1]]])
def test_without_repeats_or_spread_there_is_none(values: list[list[int]]) -> None:
    assert catalog_correlation(np.array(values)) is None
