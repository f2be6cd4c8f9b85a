"""The text channel of the research retriever: what a query alone says about a catalog."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conditions.dependency import Need
from conditions.error import ConditionError
from conditions.literal import LiteralReader, QueryReading
from conditions.meaning import MeaningReader, context
from conditions.parameter import WHOLE, RetrieverParameters
from conditions.quantity import QuantityReader
from router.channel import NAMED
from router.lexical import LexicalIndex
from router.lift import lift, share_of_best
from router.segment import Segmentation, segment
from router.sentence import SentenceIndex
from router.snapshot import CatalogSnapshot
from router.store import VectorSource
from router.term import TermIndex

__all__ = ["Reading", "TextChannel", "texts_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A query against a catalog; the same for all states of an episode."""

    patterns: frozenset[str]
    """Registered patterns that some literal of the query matches."""
    spelled: frozenset[Need]
    """What those literals may mean."""
    quantities: frozenset[str]
    """Dimensions of its quantities that some route takes."""
    named: NDArray[np.int64]
    """How often the query names each route exactly: shape ``(n_routes,)``."""
    lexical: NDArray[np.int64]
    """Weighted lexical score: shape ``(n_routes,)``."""
    parts: Segmentation
    sentences: NDArray[np.int64] | None
    """Shape ``(n_segments, n_routes)``; None where the channel is switched off."""
    terms: NDArray[np.int64] | None
    """Shape ``(n_clauses, n_routes)``; None where the channel is switched off."""
    covered: NDArray[np.int64]
    """How well each route answers each clause: shape ``(n_clauses, n_routes)``."""


class TextChannel:
    """Lexical, sentence and term scores of one catalog, fused.

    Parameters
    ----------
    snapshot
        The catalog.
    parameters
        Weights; a channel of weight 0 is not built and needs no vectors.
    source
        Where vectors come from; None where no semantic channel has a weight.

    Raises
    ------
    ConditionError
        When a semantic channel has a weight and there is no source.
    MissingVectorError
        When a text of the catalog has no vector.

    Notes
    -----
    The score of a route is ``lexical_weight * L + sentence_weight * S + term_weight * T``: the
    share of the best lexical score, and the lifted scores of both semantic channels, each from 0 to
    ``SCALE``.
    """

    def __init__(
        self,
        snapshot: CatalogSnapshot,
        parameters: RetrieverParameters,
        source: VectorSource | None,
    ) -> None:
        if source is None and (parameters.sentence_weight or parameters.term_weight):
            raise ConditionError(
                "A semantic channel has a weight and no vectors.",
                "Give a vector source, or set sentence_weight and term_weight to 0.",
            )
        self._numbers = parameters
        self._source = source
        self._lexical = LexicalIndex(snapshot, parameters.lexical)
        self._literals = LiteralReader(snapshot)
        self.quantities = QuantityReader(snapshot)
        """Reads the quantities of queries."""
        self._sentences: SentenceIndex | None = None
        self._terms: TermIndex | None = None
        if source is not None and parameters.sentence_weight:
            self._sentences = SentenceIndex(snapshot, source)
        if source is not None and parameters.term_weight:
            self._terms = TermIndex(snapshot, source, parameters.term)
        self._meanings = MeaningReader(
            snapshot, source if parameters.term_weight else None, parameters.ambiguous
        )

    def forget(self) -> None:
        """Forget what terms were compared and texts encoded; see :meth:`TermIndex.forget`."""
        if self._terms is not None:
            self._terms.forget()
        if self._source is not None:
            self._source.forget()

    def read(self, query: str) -> Reading:
        """Read a query.

        Raises
        ------
        MissingVectorError
            When a part of the query has no vector.
        """
        literals = self._literals.read(query)
        parts = segment(literals.text)
        if self._source is not None:
            self._source.prepare(texts_of(literals, parts))
        named, shares = np.divmod(self._lexical.score(literals.text), NAMED)
        sentences = None if self._sentences is None else self._sentences.compare(parts)
        terms = None if self._terms is None else self._terms.compare(parts)
        return Reading(
            patterns=literals.patterns,
            spelled=self._meanings.spelled(literals),
            quantities=self.quantities.read(literals.text),
            named=named,
            lexical=share_of_best(shares) * self._numbers.lexical_weight,
            parts=parts,
            sentences=sentences,
            terms=terms,
            covered=_covered(parts, sentences, terms, len(named)),
        )

    def score(self, reading: Reading, covered_by: Collection[int] = ()) -> NDArray[np.int64]:
        """Fused text scores, exact names apart: shape ``(n_routes,)``, not negative.

        Parameters
        ----------
        reading
            As :meth:`read` returns it.
        covered_by
            Positions of routes that have answered parts of the query. Clauses up to the last that
            one of them answers best lose the share `residual`.
        """
        weights = np.full(reading.parts.n_clauses, WHOLE, dtype=np.int64)
        if covered_by:
            last = int(reading.covered[:, list(covered_by)].argmax(axis=0).max())
            weights[: last + 1] -= self._numbers.residual
        total = reading.lexical.copy()
        if reading.sentences is not None:
            found = SentenceIndex.combine(reading.sentences, reading.parts, weights)
            total += self._numbers.sentence_weight * found
        if reading.terms is not None:
            found = TermIndex.combine(reading.terms, weights)
            total += self._numbers.term_weight * found
        return total


def texts_of(literals: QueryReading, parts: Segmentation) -> tuple[str, ...]:
    """Every text of a query that is compared with a catalog's by its vector, each once."""
    beside = (text for literal in literals.literals for text in context(literal))
    return tuple(dict.fromkeys((*parts.texts(), *beside)))


def _covered(
    parts: Segmentation,
    sentences: NDArray[np.int64] | None,
    terms: NDArray[np.int64] | None,
    n_routes: int,
) -> NDArray[np.int64]:
    """How close each route comes to the best route of each clause: both channels added."""
    covered = np.zeros((parts.n_clauses, n_routes), dtype=np.int64)
    if terms is not None:
        covered += lift(terms)
    if sentences is not None and parts.clauses:
        rows = {item.text: row for row, item in enumerate(parts.segments)}
        covered += lift(sentences[[rows[clause] for clause in parts.clauses]])
    return covered
