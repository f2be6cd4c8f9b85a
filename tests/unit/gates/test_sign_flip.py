from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gates.bootstrap import draw
from gates.error import EstimationError
from gates.sign_flip import sign_flip

SEED = 20260929


def exact_p(differences: list[int]) -> Fraction:
    """Share of all sign patterns at least as extreme as what was observed."""
    observed = abs(sum(differences))
    patterns = list(product((-1, 1), repeat=len(differences)))
    sums = [sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in patterns]
    return Fraction(sum(abs(total) >= observed for total in sums), len(patterns))


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([1, 1, 1, 1], Fraction(1, 8)),
        ([3, 2, 1], Fraction(1, 4)),
        ([1, -1, 0], Fraction(1)),
        ([3, 0, -1, 2, 2, 1], Fraction(3, 16)),
    ],
)
def test_the_share_follows_the_exact_enumeration(
    differences: list[int], expected: Fraction
) -> None:
    assert exact_p(differences) == expected
    found = sign_flip(differences, iterations=10_000, seed=SEED)
    # Within 5 standard errors.
    reach = 5 * float(expected * (1 - expected) / 10_000) ** 0.5 + 1e-4
    assert abs(float(found.p_value - expected)) <= reach


def test_signs_are_those_of_the_studys_own_draw() -> None:
    # One word a task on stream 2, read as a position among two, in plain Python.
    differences = [2, -1, 3, 0, 1]
    words = np.random.Philox(key=(2 << 64) | SEED).random_raw(5 * 30)
    signs = 1 - 2 * draw(words, 2).astype(int).reshape(30, 5)
    extreme = sum(abs(sum(row * np.array(differences))) >= 5 for row in signs.tolist())
    found = sign_flip(differences, iterations=30, seed=SEED)
    assert (found.observed, found.extreme) == (5, extreme)
    assert found.p_value == Fraction(extreme + 1, 31)
    assert (found.better, found.worse, found.equal) == (3, 1, 1)


def test_the_count_does_not_depend_on_the_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = [2, -1, 3, 0, 1, 1]
    whole = sign_flip(differences, iterations=500, seed=SEED)
    monkeypatch.setattr("gates.sign_flip._CHUNK_CELLS", 40)
    assert sign_flip(differences, iterations=500, seed=SEED) == whole


def test_no_difference_at_all_is_never_significant() -> None:
    found = sign_flip([0] * 180, iterations=200, seed=SEED)
    assert found.p_value == 1
    assert found.to_json()["p_value_exact"] == "1"


@pytest.mark.parametrize("bad", [[], [0.5, 1.0], [[1, 2]]])
def test_what_is_no_list_of_whole_numbers_is_an_error(bad: list[object]) -> None:
    with pytest.raises(EstimationError, match="cannot take"):
        sign_flip(bad, iterations=10, seed=SEED)  # type: ignore[arg-type]
