"""The semantic channel of terms: words of a request against words of declarations.

A lexical channel that meets across languages: each content word is compared with the catalog's
words by their vectors, and counts by how few endpoints have a word close to it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from router.contract import EndpointSpec, ToolSpec
from router.lift import lift
from router.segment import Segmentation, segment, term_forms
from router.snapshot import CatalogSnapshot
from router.store import VectorSource
from router.text import words
from router.vector import UNIT, products
from router.weight import idf

__all__ = ["TermIndex", "TermParameters"]

_WHOLE = 1000
_CACHED_TERMS = 1 << 13

Row = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class TermParameters:
    """Everything that term scores depend on besides catalog, text and vectors; in thousandths.

    Raises
    ------
    ValueError
        When a number is not between 0 and 1000, or the threshold is 1000.
    """

    threshold: int = 500
    """Similarity below which two words have nothing to do with each other."""
    name: int = 1000
    """Weight of a word in an endpoint's name; its heaviest field decides."""
    description: int = 1000
    tool_name: int = 700
    parameter: int = 500
    """Of a word in a parameter's name or description."""
    output: int = 500
    """Of a word in an output field's name or description."""

    def __post_init__(self) -> None:
        for name, number in asdict(self).items():
            if not 0 <= number <= _WHOLE:
                raise ValueError(f"The weight {name} is {number}, out of range. Use 0 to 1000.")
        if self.threshold == _WHOLE:
            raise ValueError("A threshold of 1000 lets nothing match. Use less.")


class TermIndex:
    """Word vectors of one catalog.

    Parameters
    ----------
    snapshot
        The catalog.
    source
        Where vectors come from. Those of the catalog's words are taken once, here.
    parameters
        Weights.

    Raises
    ------
    MissingVectorError
        When the source has no vector of one of the catalog's words.

    Notes
    -----
    With the similarity ``c`` of two words, their closeness is ``max(0, (c - threshold) / (1 -
    threshold))``. A term is as close to an endpoint as its closest form is to any of the endpoint's
    words, times the word's weight there. It counts ``closeness * ln(N / n)`` for an endpoint, where
    ``n`` is its closeness to all ``N`` endpoints added up, at least 1.
    """

    def __init__(
        self,
        snapshot: CatalogSnapshot,
        source: VectorSource,
        parameters: TermParameters | None = None,
    ) -> None:
        self.fingerprint = snapshot.fingerprint
        """Fingerprint of the catalog that was indexed."""
        self.parameters = TermParameters() if parameters is None else parameters
        self._source = source
        self._n_routes = len(snapshot.routes)
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for position, pair in enumerate(zip(snapshot.owners, snapshot.endpoints, strict=True)):
            for word, weight in self._words(*pair, self.parameters).items():
                postings[word].append((position, weight))
        vocabulary = sorted(postings)
        self._vectors = source.of(vocabulary).astype(np.float32)
        counts = [len(postings[word]) for word in vocabulary]
        self._starts = np.cumsum([0, *counts])
        flat = [item for word in vocabulary for item in postings[word]]
        self._positions = np.array([position for position, _ in flat], dtype=np.int64)
        self._weights = np.array([weight for _, weight in flat], dtype=np.int64)
        self._rows: dict[tuple[str, ...], Row] = {}
        self._rarity = lru_cache(maxsize=None)(lambda n: idf(self._n_routes, n))

    @classmethod
    def texts(
        cls, snapshot: CatalogSnapshot, parameters: TermParameters | None = None
    ) -> list[str]:
        """The texts of a catalog that need a vector: its content words, sorted."""
        numbers = TermParameters() if parameters is None else parameters
        pairs = zip(snapshot.owners, snapshot.endpoints, strict=True)
        return sorted({word for pair in pairs for word in cls._words(*pair, numbers)})

    def compare(self, parts: Segmentation) -> NDArray[np.int64]:
        """What the terms of each clause count for the endpoints.

        Returns
        -------
        NDArray[np.int64]
            Shape ``(n_clauses, n_routes)``.

        Raises
        ------
        MissingVectorError
            When the source has no vector of a form of a term.
        """
        shape = (parts.n_clauses, self._n_routes)
        if not parts.terms or not len(self._vectors):
            return np.zeros(shape, dtype=np.int64)
        rows = self._rows_of([term.forms for term in parts.terms])
        offsets = [term.clause * self._n_routes for term in parts.terms]
        cells = np.concatenate([row[0] + at for row, at in zip(rows, offsets, strict=True)])
        counts = np.concatenate([row[1] for row in rows])
        # Whole numbers far below 2**53: exact in float64, which is what bincount adds in.
        summed = np.bincount(cells, counts, minlength=shape[0] * shape[1])
        return summed.astype(np.int64).reshape(shape)

    @staticmethod
    def combine(compared: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add the clauses up, each by its weight in thousandths, and lift the sum.

        Returns
        -------
        NDArray[np.int64]
            Shape ``(n_routes,)``, from 0 to ``SCALE``.
        """
        return lift((compared * weights[:, None]).sum(axis=0) // _WHOLE)

    def score(self, text: str) -> NDArray[np.int64]:
        """Score the catalog's routes for a text: shape ``(n_routes,)``, from 0 to ``SCALE``."""
        parts = segment(text)
        full = np.full(parts.n_clauses, _WHOLE, dtype=np.int64)
        return self.combine(self.compare(parts), full)

    def forget(self) -> None:
        """Forget what terms were compared; no score changes, the next ones take longer."""
        self._rows.clear()

    def coverage(self, text: str) -> float:
        """Share of a text's distinct terms that are close to some word of the catalog.

        For reporting, by language: 0 says that this channel is blind to the text, or that the text
        has no terms.
        """
        terms = list(dict.fromkeys(term.forms for term in segment(text).terms))
        if not terms or not len(self._vectors):
            return 0.0
        return sum(len(row[0]) > 0 for row in self._rows_of(terms)) / len(terms)

    def _rows_of(self, terms: list[tuple[str, ...]]) -> list[Row]:
        """Positions and counts of each term; a pure function of the term, remembered."""
        new = [forms for forms in dict.fromkeys(terms) if forms not in self._rows]
        if new:
            if len(self._rows) + len(new) > _CACHED_TERMS:
                self._rows.clear()
                new = list(dict.fromkeys(terms))
            self._rows.update(zip(new, self._count(new), strict=True))
        return [self._rows[forms] for forms in terms]

    def _count(self, terms: list[tuple[str, ...]]) -> list[Row]:
        """What each of some distinct terms counts for the endpoints."""
        texts = list(dict.fromkeys(form for forms in terms for form in forms))
        at = {text: row for row, text in enumerate(texts)}
        close = self._closeness(products(self._source.of(texts), self._vectors))
        flat = close[[at[form] for forms in terms for form in forms]]
        starts = np.cumsum([0, *(len(forms) for forms in terms[:-1])])
        by_term = np.maximum.reduceat(flat, starts)
        # Spread the closeness of each word over the endpoints that have it.
        term, word = np.nonzero(by_term)
        lengths = self._starts[word + 1] - self._starts[word]
        ends = np.cumsum(lengths)
        posting = np.arange(ends[-1] if len(ends) else 0) + np.repeat(
            self._starts[word] - ends + lengths, lengths
        )
        values = np.repeat(by_term[term, word], lengths) * self._weights[posting] // _WHOLE
        cells = np.repeat(term, lengths) * self._n_routes + self._positions[posting]
        best = np.zeros((len(terms), self._n_routes), dtype=np.int64)
        np.maximum.at(best.reshape(-1), cells, values)
        sums = (best.sum(axis=1) + _WHOLE // 2) // _WHOLE
        rarity = [self._rarity(n) for n in np.clip(sums, 1, self._n_routes).tolist()]
        counts = best * np.array(rarity)[:, None] // _WHOLE
        found = [np.flatnonzero(row) for row in best]
        return [(where, row[where]) for where, row in zip(found, counts, strict=True)]

    def _closeness(self, found: NDArray[np.int64]) -> NDArray[np.int64]:
        """Products as closeness in thousandths."""
        threshold = self.parameters.threshold * UNIT // _WHOLE
        above = np.maximum(found - threshold, 0) * _WHOLE // (UNIT - threshold)
        close: NDArray[np.int64] = np.minimum(above, _WHOLE)
        return close

    @staticmethod
    def _words(tool: ToolSpec, endpoint: EndpointSpec, numbers: TermParameters) -> dict[str, int]:
        """Content words of an endpoint, each with the weight of its heaviest field."""
        fields = [
            (tool.name, numbers.tool_name),
            (endpoint.name, numbers.name),
            (endpoint.description, numbers.description),
        ]
        for parameter in endpoint.parameters:
            fields.append((f"{parameter.name} {parameter.description}", numbers.parameter))
        for output in endpoint.output_fields:
            fields.append((f"{output.name} {output.description}", numbers.output))
        found: dict[str, int] = {}
        for text, weight in fields:
            for word in words(text):
                for forms in term_forms(word):
                    for form in forms:
                        if weight > found.get(form, 0):
                            found[form] = weight
        return found
