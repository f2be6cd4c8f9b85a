"""One total order over the routes of a catalog."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from router.error import UnknownRouteError
from router.snapshot import CatalogSnapshot

__all__ = ["Ranking", "best_first", "order"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Every route of a catalog, best first.

    Scores never increase along the ranking; equal scores stand in code point order of the route
    ids. Routes that match nothing score 0 and form the tail.
    """

    routes: tuple[str, ...]
    scores: tuple[int, ...]
    """Parallel to :attr:`routes`."""
    matched: tuple[bool, ...]
    """Parallel to :attr:`routes`; false for the tail, which is in route order and no ranking."""

    def top(self, k: int) -> tuple[str, ...]:
        """The first ``k`` routes, matched or not; all of them where the catalog is smaller.

        Raises
        ------
        ValueError
            When ``k`` is negative.
        """
        if k < 0:
            raise ValueError(f"Top-{k} does not exist. Ask for zero or more routes.")
        return self.routes[:k]

    def rank_of(self, route: str) -> int:
        """Rank of a route, counted from 1.

        Raises
        ------
        UnknownRouteError
            When the ranked catalog does not hold the route.
        """
        try:
            return self.routes.index(route) + 1
        except ValueError:
            raise UnknownRouteError(
                f"The ranking has no route {route!r}. Use a route of the ranked catalog."
            ) from None


def best_first(snapshot: CatalogSnapshot, scores: NDArray[np.int64]) -> NDArray[np.intp]:
    """Positions of the routes of a catalog, best first.

    Parameters
    ----------
    snapshot
        The catalog.
    scores
        Shape ``(n_routes,)``, parallel to ``snapshot.routes``, not negative; 0 means no match.

    Returns
    -------
    NDArray[np.intp]
        Shape ``(n_routes,)``.

    Raises
    ------
    ValueError
        When the scores are not integers, negative, or not one a route.

    Notes
    -----
    Score descending, then route id by code point (protocol, section 2).
    """
    if scores.shape != (len(snapshot.routes),):
        raise ValueError(
            f"{scores.shape} scores for {len(snapshot.routes)} routes. "
            "Score the catalog that is ranked."
        )
    if not np.issubdtype(scores.dtype, np.integer):
        raise ValueError(f"Scores of type {scores.dtype} do not rank alike everywhere. Use int64.")
    if scores.size and int(scores.min()) < 0:
        raise ValueError("A score is negative. Zero is the score of a route without a match.")
    # Positions follow the code point order of the routes, so a stable sort breaks ties by it. A
    # score and its position in one integer sort the same way, and faster, where they fit.
    negated = -scores.astype(np.int64)
    bits = max(0, scores.size - 1).bit_length()
    if not scores.size or int(scores.max()) >> (63 - bits):
        return np.argsort(negated, kind="stable")
    negated <<= bits
    negated |= np.arange(scores.size)
    negated.sort()
    return negated & ((1 << bits) - 1)


def order(snapshot: CatalogSnapshot, scores: NDArray[np.int64]) -> Ranking:
    """Rank the routes of a catalog by their scores; see :func:`best_first`."""
    best = best_first(snapshot, scores)
    n_matched = int(np.count_nonzero(scores))
    return Ranking(
        routes=snapshot.routes_at(best),
        scores=tuple(scores[best].tolist()),
        matched=(True,) * n_matched + (False,) * (len(scores) - n_matched),
    )
