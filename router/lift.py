"""Scores of different channels on one scale: how far a route stands out of its catalog."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from router.channel import SCALE

__all__ = ["lift", "share_of_best"]

_WIDEST = 62 - SCALE.bit_length()


def lift(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Height above the mean, as a share of the best one's.

    Parameters
    ----------
    scores
        Shape ``(..., n_routes)``, between ±2**40; each row is lifted by itself.

    Returns
    -------
    NDArray[np.int64]
        Same shape, from 0 (at or below the mean) to ``SCALE`` (the best, where any route stands
        out).

    Notes
    -----
    Similarities of a long request are low, and those of a short one high, for all routes alike;
    what tells routes apart is how far they stand out.
    """
    n_routes = scores.shape[-1]
    if n_routes == 0:
        return scores
    height = scores * n_routes - scores.sum(axis=-1, keepdims=True)
    best = height.max(axis=-1, keepdims=True)
    surplus = max(0, int(best.max(initial=0)).bit_length() - _WIDEST)
    shares = (np.maximum(height, 0) >> surplus) * SCALE // np.maximum(best >> surplus, 1)
    lifted: NDArray[np.int64] = np.minimum(shares, SCALE)
    return lifted


def share_of_best(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Scores as shares of the highest one.

    Parameters
    ----------
    scores
        Shape ``(n_routes,)``, from 0 to 2**40, where 0 says that nothing matches.

    Returns
    -------
    NDArray[np.int64]
        Same shape, ``SCALE`` for the best; at least 1 where anything matches.
    """
    best = int(scores.max(initial=0))
    if best == 0:
        return scores
    surplus = max(0, best.bit_length() - _WIDEST)
    shares = (scores >> surplus) * SCALE // (best >> surplus)
    bounded: NDArray[np.int64] = np.where(scores > 0, np.clip(shares, 1, SCALE), 0)
    return bounded
