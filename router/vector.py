"""Text vectors in integers, and their exact products.

A vector of unit length is stored as 512 times itself, rounded, in int8. A product of two such
vectors is a sum of integers. It is computed in 32-bit floating point, because that is what linear
algebra libraries are fast at, and is exact all the same: every partial sum, in whatever order and
with whatever fused operations, is an integer below 2**24, which a 32-bit float holds without
rounding. The same products therefore come out on every processor, library and number of threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["RESOLUTION", "UNIT", "products", "quantise"]

RESOLUTION = 512
"""What a component of size 1 is stored as."""
UNIT = RESOLUTION * RESOLUTION
"""The product of a stored vector of unit length with itself, rounding apart."""

_LARGEST = 127
_MOST_COMPONENTS = (1 << 24) // (_LARGEST * 2 * _LARGEST)
_LIBRARY_THREADS_FROM = 1 << 18
"""Multiplications in one call from which libraries start threads.

Waiting for threads costs milliseconds on a busy machine; what is needed here takes less.
"""


def quantise(vectors: NDArray[np.floating]) -> NDArray[np.int8]:
    """Store vectors of unit length as integers.

    Parameters
    ----------
    vectors
        Shape ``(n, n_components)``, finite. Components beyond ±0.248 are cut off; vectors of
        hundreds of components do not have them.

    Raises
    ------
    ValueError
        When a component is not finite, or there are too many for exact products.
    """
    if vectors.ndim != 2 or vectors.shape[1] > _MOST_COMPONENTS or not np.isfinite(vectors).all():
        raise ValueError(
            f"Vectors of shape {vectors.shape} cannot be stored. Give finite vectors of at most "
            f"{_MOST_COMPONENTS} components."
        )
    scaled = np.rint(vectors.astype(np.float64) * RESOLUTION)
    return np.clip(scaled, -_LARGEST, _LARGEST).astype(np.int8)


def products(left: NDArray[np.int8], right: NDArray[np.float32]) -> NDArray[np.int64]:
    """Exact products of stored vectors.

    Parameters
    ----------
    left
        Shape ``(n_left, n_components)``.
    right
        Shape ``(n_right, n_components)``: a stored vector or the sum of two in each row, converted
        to float32 once by the caller.

    Returns
    -------
    NDArray[np.int64]
        Shape ``(n_left, n_right)``; ``UNIT`` for equal directions.
    """
    n_left, n_right = len(left), len(right)
    found = np.empty((n_left, n_right), dtype=np.float32)
    if found.size:
        rows = left.astype(np.float32)
        step = max(1, _LIBRARY_THREADS_FROM // max(1, rows.size))
        for start in range(0, n_right, step):
            part = slice(start, start + step)
            np.matmul(rows, right[part].T, out=found[:, part])
    return found.astype(np.int64)
