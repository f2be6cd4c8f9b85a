"""The semantic channel of sentences: parts of a request against descriptions of endpoints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from router.contract import EndpointSpec, ToolSpec
from router.lift import lift
from router.segment import Segmentation, segment
from router.snapshot import CatalogSnapshot
from router.store import VectorSource
from router.vector import products

__all__ = ["WHOLE", "SentenceIndex", "describe"]

WHOLE = 1000
"""Weight of a clause that counts in full; weights are in thousandths."""


def describe(tool: ToolSpec, endpoint: EndpointSpec) -> tuple[str, str]:
    """The two sentences that stand for an endpoint: with and without its tool's name.

    A request may or may not say which product it is about. Names are written as words.
    """
    said = f": {endpoint.description}" if endpoint.description else ""
    return _as_words(f"{tool.name} {endpoint.name}") + said, _as_words(endpoint.name) + said


def _as_words(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")


class SentenceIndex:
    """Sentence vectors of one catalog.

    Parameters
    ----------
    snapshot
        The catalog.
    source
        Where vectors come from. Those of the catalog are taken once, here.

    Raises
    ------
    MissingVectorError
        When the source has no vector of an endpoint's description.
    """

    def __init__(self, snapshot: CatalogSnapshot, source: VectorSource) -> None:
        self.fingerprint = snapshot.fingerprint
        """Fingerprint of the catalog that was indexed."""
        self._source = source
        vectors = source.of(self.texts(snapshot)).astype(np.float32)
        self._vectors = vectors[::2] + vectors[1::2]

    @staticmethod
    def texts(snapshot: CatalogSnapshot) -> list[str]:
        """The texts of a catalog that need a vector: two a route, in the order of routes."""
        pairs = zip(snapshot.owners, snapshot.endpoints, strict=True)
        return [text for pair in pairs for text in describe(*pair)]

    def compare(self, parts: Segmentation) -> NDArray[np.int64]:
        """Similarity of a text's segments to the endpoints, above the mean of all endpoints.

        Returns
        -------
        NDArray[np.int64]
            Shape ``(n_segments, n_routes)``, parallel to the segments: the similarities to both
            sentences of an endpoint, in units of 1/``UNIT``, added.

        Raises
        ------
        MissingVectorError
            When the source has no vector of a segment.
        """
        if not len(self._vectors):
            return np.zeros((len(parts.segments), 0), dtype=np.int64)
        found = products(self._source.of([item.text for item in parts.segments]), self._vectors)
        above: NDArray[np.int64] = found - found.sum(axis=1, keepdims=True) // found.shape[1]
        return above

    @staticmethod
    def combine(
        compared: NDArray[np.int64], parts: Segmentation, weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Add the whole text's similarity to the best of any part, and lift the sum.

        Parameters
        ----------
        compared
            As :meth:`compare` returns it.
        parts
            The text's parts.
        weights
            Weight of each clause in thousandths, shape ``(n_clauses,)``; a segment has the mean
            weight of its clauses.

        Returns
        -------
        NDArray[np.int64]
            Shape ``(n_routes,)``, from 0 to ``SCALE``.
        """
        sums = np.concatenate([[0], np.cumsum(weights)])
        first = np.array([item.first for item in parts.segments])
        after = np.array([item.last for item in parts.segments]) + 1
        mean = (sums[after] - sums[first]) // (after - first)
        return lift((compared * mean[:, None] // WHOLE).max(axis=0) + compared[0])

    def score(self, text: str) -> NDArray[np.int64]:
        """Score the catalog's routes for a text: shape ``(n_routes,)``, from 0 to ``SCALE``."""
        parts = segment(text)
        full = np.full(parts.n_clauses, WHOLE, dtype=np.int64)
        return self.combine(self.compare(parts), parts, full)
