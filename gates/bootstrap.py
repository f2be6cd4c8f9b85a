"""Bootstrap counts of clusters inside strata, the same on every machine and NumPy version.

NumPy promises stable raw words of a bit generator, but no stable `Generator` methods. The draws are
therefore made from raw Philox words: one 64-bit word a draw, its upper half scaled to the stratum
(Lemire's multiplication without the rejection step; the bias is below n / 2**32). Words are used up
replicate by replicate, stratum by stratum, slot by slot.

Two schemes: *primary* draws n_h of n_h clusters (the protocol's words); *companion* draws n_h - 1
and scales the counts by n_h / (n_h - 1) (Rao and Wu 1988), which makes up for the factor
(n_h - 1) / n_h by which the primary scheme understates a variance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from gates.error import EstimationError
from gates.interval import interval

__all__ = ["STREAMS", "Scheme", "companion_weights", "draw", "interval", "iter_counts"]

Scheme = Literal["primary", "companion"]

STREAMS: Final[dict[Scheme, int]] = {"primary": 0, "companion": 1}
"""The random stream of each scheme; 2 to 4 belong to sensitivity analyses."""

_CHUNK_CELLS: Final = 400_000
"""Counts held at a time: 3.2 MB, which stays in the cache of common processors."""

_HALF: Final = np.uint64(32)


def draw(words: npt.NDArray[np.uint64], sizes: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Turn random words into positions inside strata: ``((word >> 32) * size) >> 32``.

    Parameters
    ----------
    words
        64-bit random words, any shape.
    sizes
        Stratum sizes below 2**32, broadcastable to ``words``.

    Returns
    -------
    NDArray of uint64
        Zero-based positions, each below its size, of the shape of ``words``.
    """
    positions = words >> _HALF
    positions *= np.asarray(sizes, dtype=np.uint64)
    positions >>= _HALF
    return positions


def companion_weights(sizes: Sequence[int]) -> tuple[int, ...]:
    """Give the integer weight of each stratum's counts in the companion scheme.

    Rao and Wu's factor n_h / (n_h - 1), times the least common multiple of all n_h - 1, so that
    every sum stays an integer. The common factor drops out of every ratio of two sums.

    Parameters
    ----------
    sizes
        Stratum sizes, each at least 2.

    Raises
    ------
    EstimationError
        If a stratum holds one cluster only.
    """
    _check_sizes(sizes, least=2, labels=None)
    common = math.lcm(*(size - 1 for size in sizes))
    return tuple(size * common // (size - 1) for size in sizes)


def iter_counts(
    sizes: Sequence[int],
    *,
    iterations: int,
    seed: int,
    scheme: Scheme,
    chunk: int | None = None,
    stream: int | None = None,
    labels: Sequence[str] | None = None,
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield how often each cluster was drawn in each replicate.

    Parameters
    ----------
    sizes
        Stratum sizes n_h in canonical order; the clusters of a stratum stand next to each other.
    iterations
        Number of replicates B.
    seed
        Lower half of the generator's key, below 2**64.
    scheme
        ``"primary"`` (n_h draws) or ``"companion"`` (n_h - 1 draws, counts without their weights:
        see `companion_weights`).
    chunk
        Replicates an array; the counts do not depend on it.
    stream
        Upper half of the generator's key; the scheme's own stream if not given.
    labels
        Names of the strata, for error messages.

    Yields
    ------
    NDArray of int64
        Counts, shape (replicates, clusters); the arrays have B rows together.

    Raises
    ------
    EstimationError
        For an empty design, an empty stratum, numbers out of range, or a stratum of one cluster in
        the companion scheme; raised at the call, not at the first array.
    """
    if scheme not in STREAMS:
        raise EstimationError(
            f"There is no bootstrap scheme {scheme!r}.", "Choose 'primary' or 'companion'."
        )
    _check_sizes(sizes, least=1 if scheme == "primary" else 2, labels=labels)
    key = STREAMS[scheme] if stream is None else stream
    clusters = sum(sizes)
    rows = max(1, _CHUNK_CELLS // clusters) if chunk is None else chunk
    for name, number, least, end in (
        ("iterations", iterations, 1, 2**63),
        ("seed", seed, 0, 2**64),
        ("stream", key, 0, 2**64),
        ("chunk", rows, 1, 2**63),
    ):
        if not least <= number < end:
            raise EstimationError(
                f"The bootstrap's {name} is {number}, which is out of range.",
                f"Choose an integer from {least} to {end - 1}.",
            )
    fewer = 0 if scheme == "primary" else 1
    return _counts(sizes, fewer, iterations, min(rows, iterations), (key << 64) | seed)


def _counts(
    sizes: Sequence[int], fewer: int, iterations: int, rows: int, key: int
) -> Iterator[npt.NDArray[np.int64]]:
    size = np.array(sizes, dtype=np.int64)
    clusters = int(size.sum())
    draws = size - fewer
    slot_size = np.repeat(size, draws).astype(np.uint64)
    slot_start = np.repeat(np.cumsum(size) - size, draws).astype(np.uint64)
    row_start = (np.arange(rows, dtype=np.uint64) * np.uint64(clusters))[:, np.newaxis]
    generator = np.random.Philox(key=key)
    for first in range(0, iterations, rows):
        count = min(rows, iterations - first)
        words = generator.random_raw(count * slot_size.size)
        cell = draw(words.reshape(count, -1), slot_size)
        cell += slot_start
        cell += row_start[:count]
        # All values are far below 2**63, so that the signed view that bincount wants is the same.
        flat = cell.view(np.int64).ravel()
        yield np.bincount(flat, minlength=count * clusters).reshape(count, clusters)


def _check_sizes(sizes: Sequence[int], *, least: int, labels: Sequence[str] | None) -> None:
    if not sizes:
        raise EstimationError("There is no stratum to draw from.", "Give at least one cluster.")
    for position, size in enumerate(sizes):
        if not least <= size < 2**32:
            name = repr(labels[position]) if labels else f"number {position + 1}"
            raise EstimationError(
                f"Stratum {name} holds {size} cluster(s); this bootstrap needs {least} or more.",
                "Add clusters to the stratum or merge it with another.",
            )
