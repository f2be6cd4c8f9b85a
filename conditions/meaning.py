"""Which of its possible meanings a literal has: the words beside it decide.

Order numbers and case numbers may look alike. Where a literal matches the pattern of several
semantic ids, the words beside it are compared with their descriptions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

import numpy as np

from conditions.dependency import Need
from conditions.literal import Literal, QueryReading, is_identifier, pattern_of
from router.contract import FieldSpec, ParameterSpec
from router.segment import term_forms
from router.snapshot import CatalogSnapshot
from router.store import VectorSource
from router.text import is_unspaced, words
from router.vector import UNIT, products

__all__ = ["MeaningReader", "context"]

_BEFORE: Final = 2
_AFTER: Final = 1
_SHORTEST: Final = 3
_WHOLE: Final = 1000


def context(literal: Literal) -> list[str]:
    """Forms of the content words beside a literal: two before it, one after it."""
    before = [forms for word in words(literal.before) for forms in term_forms(word)]
    after = [forms for word in words(literal.after) for forms in term_forms(word)]
    return [form for forms in before[-_BEFORE:] + after[:_AFTER] for form in forms]


def _forms(text: str) -> list[str]:
    """Forms of a description's words; the shortest spaced ones are function words."""
    return [
        form
        for word in words(text)
        if is_unspaced(word) or len(word) >= _SHORTEST
        for forms in term_forms(word)
        for form in forms
    ]


class MeaningReader:
    """Tells the meanings of literals apart.

    Parameters
    ----------
    snapshot
        The catalog.
    source
        Where word vectors come from; None leaves every meaning open.
    margin
        Similarity, in thousandths, by which one meaning must be closer to rule another out.
    """

    def __init__(self, snapshot: CatalogSnapshot, source: VectorSource | None, margin: int) -> None:
        self._source = source
        self._margin = margin * UNIT // _WHOLE
        described: defaultdict[Need, Counter[str]] = defaultdict(Counter)
        values: set[Need] = set()
        for endpoint in snapshot.endpoints:
            typed: list[FieldSpec | ParameterSpec] = [*endpoint.parameters, *endpoint.output_fields]
            for item in typed:
                pattern = pattern_of(item.json_schema)
                if pattern is None:
                    continue
                if is_identifier(item):
                    described[item.semantic_id, pattern][item.description] += 1
                else:
                    values.add((item.semantic_id, pattern))
        self._described = {
            meaning: _forms(min(counts, key=lambda text: (-counts[text], text)))
            for meaning, counts in described.items()
        }
        meanings: defaultdict[str, list[Need]] = defaultdict(list)
        for meaning in sorted(described, key=lambda item: (item[1], item[0] or "")):
            meanings[meaning[1]].append(meaning)
        self._meanings = dict(meanings)
        self._all = frozenset(described) | values

    def spelled(self, reading: QueryReading) -> frozenset[Need]:
        """Return what the literals of a query may mean: semantic ids with their patterns."""
        possible = {meaning for meaning in self._all if meaning[1] in reading.patterns}
        ambiguous: set[Need] = set()
        likely: set[Need] = set()
        for literal in reading.literals:
            open_ = [item for name in literal.patterns for item in self._meanings[name]]
            ambiguous.update(open_)
            likely.update(self._likely(literal, open_))
        return frozenset(possible - (ambiguous - likely))

    def _likely(self, literal: Literal, open_: list[Need]) -> list[Need]:
        beside = context(literal)
        if self._source is None or len(open_) == 1 or not beside:
            return open_
        if not all(self._described[meaning] for meaning in open_):
            return open_
        near = self._source.of(beside)
        closeness = []
        for meaning in open_:
            described = self._source.of(self._described[meaning]).astype(np.float32)
            closeness.append(int(products(near, described).max()))
        bound = max(closeness) - self._margin
        return [item for item, close in zip(open_, closeness, strict=True) if close > bound]
