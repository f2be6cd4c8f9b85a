"""Channels of evidence and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from router.ranking import Ranking, order
from router.snapshot import CatalogSnapshot

__all__ = ["NAMED", "SCALE", "Channel", "Fusion", "StaleIndexError"]

SCALE = 1 << 20
"""The highest share: the score of a route that has everything a channel looks for."""
NAMED = 1 << 40
"""Added to the score of a route that a text names exactly: more than all shares together."""

_LARGEST_TOTAL_WEIGHT = NAMED // SCALE - 1


class StaleIndexError(ValueError):
    """An index was made for another catalog than the one that is ranked."""


class Channel(Protocol):
    """One source of evidence about the routes that a text asks for, bound to one catalog."""

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the catalog that the channel was made for."""
        ...

    def score(self, text: str) -> NDArray[np.int64]:
        """Score the catalog's routes, in their order, from 0 (no match) to ``SCALE``.

        A channel may add ``NAMED`` to routes that the text names exactly.
        """
        ...


class Fusion:
    """A weighted sum of channels: the ranking of a catalog as a pure function of a text.

    Parameters
    ----------
    snapshot
        The catalog that is ranked.
    channels
        Channels made for that catalog, each with a positive integer weight.

    Raises
    ------
    StaleIndexError
        When a channel was made for another catalog.
    ValueError
        When a weight is not positive, or the weights add up to more than a million: an exactly
        named route would no longer be first.
    """

    def __init__(self, snapshot: CatalogSnapshot, channels: Sequence[tuple[Channel, int]]) -> None:
        for channel, _ in channels:
            if channel.fingerprint != snapshot.fingerprint:
                raise StaleIndexError(
                    f"The {type(channel).__name__} belongs to the catalog "
                    f"{channel.fingerprint[:12]}, not to {snapshot.fingerprint[:12]}. "
                    "Build it again from this snapshot."
                )
        weights = [weight for _, weight in channels]
        if min(weights, default=1) < 1 or sum(weights) > _LARGEST_TOTAL_WEIGHT:
            raise ValueError(
                f"The channel weights {weights} do not fit. Use positive integers that add up "
                f"to at most {_LARGEST_TOTAL_WEIGHT}."
            )
        self.fingerprint = snapshot.fingerprint
        self._snapshot = snapshot
        self._channels = tuple(channels)

    def score(self, text: str) -> NDArray[np.int64]:
        """Weighted sum of the channels' scores: shape ``(n_routes,)``."""
        total = np.zeros(len(self._snapshot.routes), dtype=np.int64)
        for channel, weight in self._channels:
            total += weight * channel.score(text)
        return total

    def rank(self, text: str) -> Ranking:
        """Rank all routes of the catalog for a text."""
        return order(self._snapshot, self.score(text))
