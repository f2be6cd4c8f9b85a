"""The visible and available routes, ranked for one request."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from router.candidate import CandidateBuilder
from router.channel import NAMED, Channel, Fusion
from router.planner import Interpretation
from router.ranking import best_first
from router.retrieval import CapabilityCandidate, ScoreComponent
from router.snapshot import CatalogSnapshot
from router.text import words

__all__ = ["ChannelFactory", "Index", "RankedSurface"]

ChannelFactory = Callable[[CatalogSnapshot], Channel]
"""Makes a channel for a catalog, anew for each catalog."""


class Index:
    """What ranking needs of one catalog.

    Parameters
    ----------
    snapshot
        The visible catalog.
    channels
        Makers of the channels, each with a positive integer weight.
    earlier
        An index with the same channels. Where its catalog has the same fingerprint, its channels
        are used again.
    """

    def __init__(
        self,
        snapshot: CatalogSnapshot,
        channels: Sequence[tuple[ChannelFactory, int]],
        earlier: Index | None = None,
    ) -> None:
        self.snapshot = snapshot
        if earlier is not None and earlier.snapshot.fingerprint == snapshot.fingerprint:
            self.fusion: Fusion = earlier.fusion
        else:
            self.fusion = Fusion(snapshot, [(make(snapshot), weight) for make, weight in channels])
        self.builder = CandidateBuilder(snapshot)
        # A preference outweighs every text, an exact name in it too; that of an endpoint outweighs
        # that of a tool. The sum of all stays below 2**63, as the weights add up to under 2**20.
        self._preferred_tool = 2 * NAMED * max(1, sum(weight for _, weight in channels))
        self._preferred_endpoint = 2 * self._preferred_tool
        positions: defaultdict[str, list[int]] = defaultdict(list)
        for position, tool in enumerate(snapshot.owners):
            positions[tool.key].append(position)
        self._positions_of_tool = dict(positions)

    def rank(
        self, interpretation: Interpretation, unavailable: Iterable[tuple[str, str]]
    ) -> RankedSurface:
        """Rank the routes that are available.

        Parameters
        ----------
        interpretation
            The request.
        unavailable
            Tool key and endpoint name of each route that is not available.
        """
        scores = self.fusion.score(interpretation.text)
        preferences = self._preferences(interpretation)
        for position, preferred in preferences.items():
            scores[position] += int(sum(one.value for one in preferred))
        best = best_first(self.snapshot, scores)
        gone = [self.snapshot.position(route) for route in self._existing(unavailable)]
        if gone:
            best = best[~np.isin(best, gone)]
        return RankedSurface(self, best, scores, preferences, frozenset(words(interpretation.text)))

    def _existing(self, unavailable: Iterable[tuple[str, str]]) -> list[str]:
        routes = (f"{tool}.{endpoint}" for tool, endpoint in unavailable)
        return [route for route in routes if route in self.snapshot]

    def _preferences(self, interpretation: Interpretation) -> dict[int, tuple[ScoreComponent, ...]]:
        found: defaultdict[int, tuple[ScoreComponent, ...]] = defaultdict(tuple)
        for route in interpretation.preferred_endpoints:
            if route in self.snapshot:
                found[self.snapshot.position(route)] += (
                    ScoreComponent(
                        kind="preferred_endpoint", value=self._preferred_endpoint, matched=route
                    ),
                )
        for tool in interpretation.preferred_tools:
            component = ScoreComponent(
                kind="preferred_tool", value=self._preferred_tool, matched=tool
            )
            for position in self._positions_of_tool.get(tool, ()):
                found[position] += (component,)
        return dict(found)


class RankedSurface:
    """All routes that may be offered for a request, best first."""

    def __init__(
        self,
        index: Index,
        best: NDArray[np.intp],
        scores: NDArray[np.int64],
        preferences: dict[int, tuple[ScoreComponent, ...]],
        text_words: frozenset[str],
    ) -> None:
        self._index = index
        self._best = best
        self._scores = scores
        self._preferences = preferences
        self._text_words = text_words

    def __len__(self) -> int:
        return len(self._best)

    def ranks(self, routes: Iterable[str]) -> list[tuple[int, str]]:
        """Rank, counted from 1, and id of those routes that are on the surface, best first."""
        snapshot = self._index.snapshot
        ranks = np.zeros(len(snapshot), dtype=np.int64)
        ranks[self._best] = np.arange(1, len(self._best) + 1)
        here = [(route, snapshot.position(route)) for route in routes if route in snapshot]
        return sorted((rank, route) for route, at in here if (rank := int(ranks[at])))

    def candidate(self, rank: int) -> CapabilityCandidate:
        """The candidate of a rank, counted from 1."""
        position = self._best.item(rank - 1)
        score = self._scores.item(position)
        preferred = self._preferences.get(position, ())
        return self._index.builder.build(position, rank, score, preferred, self._text_words)
