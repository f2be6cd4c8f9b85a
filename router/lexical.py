"""The lexical channel: what a text and the declarations of the endpoints have in common."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from router.channel import NAMED, SCALE
from router.mention import MentionIndex
from router.snapshot import CatalogSnapshot
from router.text import features, words
from router.weight import LexicalParameters, count_features, idf, kind_weight, weigh

__all__ = ["LexicalIndex"]

_MOST_REPEATS = 16  # keeps the sums of a text of a million distinct words under 2**63
_LARGEST_INT32 = (1 << 31) - 1
_WIDEST = 62 - SCALE.bit_length()  # bits of a sum of weights that fits beside SCALE


class LexicalIndex:
    """Lexical scores for one catalog.

    Parameters
    ----------
    snapshot
        The catalog. The index is bound to it by :attr:`fingerprint`.
    parameters
        Weights.
    """

    def __init__(
        self, snapshot: CatalogSnapshot, parameters: LexicalParameters | None = None
    ) -> None:
        self.fingerprint = snapshot.fingerprint
        """Fingerprint of the catalog that was indexed."""
        self.parameters = LexicalParameters() if parameters is None else parameters
        self._mentions = MentionIndex(snapshot)
        self._n_routes = len(snapshot.routes)
        counts = count_features(snapshot, self.parameters.fields)
        self._rows = counts.rows
        self._rows_of_word = counts.of_word
        self._weights = weigh(counts, self.parameters)
        self._best = _largest_by_row(self._weights)
        if self._best.max(initial=0) <= _LARGEST_INT32:
            self._weights = self._weights.astype(np.int32)
        # Features that no endpoint has count as if exactly one had them, once.
        self._missing = idf(max(1, self._n_routes), 1) * self.parameters.unseen

    def score(self, text: str) -> NDArray[np.int64]:
        """Share of the attainable score that each route reaches.

        Returns
        -------
        NDArray[np.int64]
            Shape ``(n_routes,)``, parallel to the snapshot's routes: ``round(SCALE * matched /
            attainable)``, at least 1 where anything of weight matches, 0 where nothing does. The
            attainable weight is that of an endpoint that has all of the text's features, each to
            the best. Exactly named routes have ``NAMED`` added.
        """
        found = words(text)
        rows, repeats, attainable = self._query(found)
        # No route matches more than is attainable, so 32 bits, half the traffic, mostly do.
        small = attainable <= _LARGEST_INT32 and self._weights.dtype == np.int32
        factors = repeats.astype(np.int32) if small else repeats
        matched = (factors @ self._weights[rows]).astype(np.int64)
        scores = np.zeros(self._n_routes, dtype=np.int64)
        if attainable:
            # A very long text: drop low bits of both, so that the product below fits.
            surplus = max(0, attainable.bit_length() - _WIDEST)
            below = attainable >> surplus
            shares = ((matched >> surplus) * SCALE + below // 2) // below
            scores = np.where(matched > 0, np.maximum(shares, 1), 0)
        scores[self._mentions.find(text, found)] += NAMED
        return scores

    def named(self, text: str) -> tuple[int, ...]:
        """Positions of the routes that a text names exactly, ascending."""
        return tuple(self._mentions.find(text, words(text)))

    def coverage(self, text: str) -> float:
        """Share of the text's distinct features that occur in the catalog, from 0 to 1.

        For reporting, by language: 0 says that this channel is blind to the text. A text without
        features has nothing that could occur, and a coverage of 0.
        """
        distinct = {name for word in set(words(text)) for name in features(word)}
        if not distinct:
            return 0.0
        return sum(name in self._rows for name in distinct) / len(distinct)

    def _query(self, found: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64], int]:
        """Take a text's words apart.

        Returns
        -------
        rows
            Rows of the matrix: those of the text's known features, ascending.
        repeats
            How often the words with that feature stand in the text, parallel to ``rows``.
        attainable
            The largest weights of all features, known or not, added up.
        """
        parts: list[NDArray[np.int32]] = []
        times: list[int] = []
        unseen = 0
        for word, occurrences in Counter(found).items():
            repeats = min(occurrences, _MOST_REPEATS)
            rows = self._rows_of_word.get(word)
            if rows is None:
                names = features(word)
                known = [self._rows[name] for name in names if name in self._rows]
                rows = np.array(known, dtype=np.int32)
                unseen += repeats * sum(
                    kind_weight(name, self.parameters) for name in names if name not in self._rows
                )
            parts.append(rows)
            times.append(repeats)
        if not parts:
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), 0
        rows, place = np.unique(np.concatenate(parts), return_inverse=True)
        repeated = np.zeros(len(rows), dtype=np.int64)
        np.add.at(repeated, place, np.repeat(times, [len(part) for part in parts]))
        attainable = int((self._best[rows] * repeated).sum()) + unseen * self._missing // 1000
        return rows, repeated, attainable


def _largest_by_row(matrix: csr_array) -> NDArray[np.int64]:
    """Largest entry of each row, 0 for an empty row: shape ``(n_rows,)``."""
    largest = np.zeros(matrix.shape[0], dtype=np.int64)
    filled = np.flatnonzero(np.diff(matrix.indptr))
    if filled.size:
        largest[filled] = np.maximum.reduceat(matrix.data, matrix.indptr[filled])
    return largest
