"""Integer vectors and their products."""

from __future__ import annotations

import numpy as np
import pytest

from router.vector import RESOLUTION, UNIT, products, quantise


def test_components_are_rounded_in_units_of_one_part_in_512() -> None:
    stored = quantise(np.array([[0.1, -0.1, 0.0, 1.0, -1.0]]))
    assert stored.dtype == np.int8
    assert stored.tolist() == [[51, -51, 0, 127, -127]]
    assert UNIT == RESOLUTION**2


@pytest.mark.parametrize(
    "vectors",
    [np.array([[np.nan]]), np.array([[np.inf]]), np.zeros((1, 521)), np.zeros(5)],
)
def test_what_cannot_be_stored_is_refused(vectors: np.ndarray) -> None:
    with pytest.raises(ValueError, match="cannot be stored"):
        quantise(vectors)


@pytest.mark.parametrize("shape", [(1, 1), (3, 700), (40, 90), (600, 3)])
def test_products_are_exact_even_at_their_largest(shape: tuple[int, int]) -> None:
    """The sum of two vectors at full deflection is as large as it gets: below 2**24."""
    generator = np.random.default_rng(7)
    left = generator.integers(-127, 128, (shape[0], 512)).astype(np.int8)
    right = generator.integers(-254, 255, (shape[1], 512)).astype(np.int16)
    left[0], right[0] = 127, 254
    expected = left.astype(np.int64) @ right.T.astype(np.int64)
    assert expected[0, 0] == 127 * 254 * 512 < 2**24
    found = products(left, right.astype(np.float32))
    assert found.dtype == np.int64
    assert np.array_equal(found, expected)


def test_products_of_nothing() -> None:
    nothing = np.zeros((0, 4), dtype=np.int8)
    some = np.ones((2, 4), dtype=np.int8)
    assert products(nothing, some.astype(np.float32)).shape == (0, 2)
    assert products(some, nothing.astype(np.float32)).shape == (2, 0)
