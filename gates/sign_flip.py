"""A permutation test of a paired difference that flips the signs of whole clusters.

If the two conditions did equally well, each task's difference could as well have had the other
sign, all three catalogs of it together. No distribution is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from gates.error import EstimationError
from gates.number import Json, exact, plain

__all__ = ["STREAM", "SignFlip", "sign_flip"]

STREAM: Final = 2
"""The random stream of the signs."""

_CHUNK_CELLS: Final = 400_000
_SIGN: Final = np.uint64(63)


@dataclass(frozen=True)
class SignFlip:
    """A two-sided test against no difference."""

    better: int
    """Clusters on which the first condition did better."""

    worse: int
    """Clusters on which it did worse."""

    equal: int
    """Clusters on which both did equally well."""

    observed: int
    """Sum of the differences."""

    extreme: int
    """Permutations at least as far from 0 as what was observed."""

    iterations: int
    """Permutations drawn."""

    @property
    def p_value(self) -> Fraction:
        """(extreme + 1) / (iterations + 1): what was observed is one permutation more."""
        return Fraction(self.extreme + 1, self.iterations + 1)

    def to_json(self) -> dict[str, Json]:
        """Give plain values."""
        return {
            "tasks_better": self.better,
            "tasks_worse": self.worse,
            "tasks_equal": self.equal,
            "observed_sum": self.observed,
            "iterations": self.iterations,
            "at_least_as_extreme": self.extreme,
            "p_value": plain(self.p_value),
            "p_value_exact": exact(self.p_value),
        }


def sign_flip(differences: npt.ArrayLike, *, iterations: int, seed: int) -> SignFlip:
    """Test whether a sum of differences is further from 0 than random signs make it.

    Parameters
    ----------
    differences
        Whole numbers, one a cluster, shape (T,), in canonical order.
    iterations
        Permutations B. One raw word of stream 2 a cluster decides: its highest bit flips the sign.
    seed
        Lower half of the generator's key.

    Raises
    ------
    EstimationError
        If there is no cluster, or what is given is not whole numbers.
    """
    array = np.asarray(differences)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "biu":
        raise EstimationError(
            f"A sign-flip test cannot take {array.dtype} of shape {array.shape}.",
            "Give one whole number a task.",
        )
    values = array.astype(np.int64)
    observed = int(values.sum())
    generator = np.random.Philox(key=(STREAM << 64) | seed)
    rows = max(1, _CHUNK_CELLS // values.size)
    extreme = 0
    for first in range(0, iterations, rows):
        count = min(rows, iterations - first)
        words = generator.random_raw(count * values.size).reshape(count, -1)
        flipped = (words >> _SIGN).view(np.int64)
        sums = observed - 2 * (flipped @ values)
        extreme += int(np.count_nonzero(np.abs(sums) >= abs(observed)))
    return SignFlip(
        better=int(np.count_nonzero(values > 0)),
        worse=int(np.count_nonzero(values < 0)),
        equal=int(np.count_nonzero(values == 0)),
        observed=observed,
        extreme=extreme,
        iterations=iterations,
    )
