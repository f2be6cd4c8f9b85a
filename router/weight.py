"""BM25-like weights of a catalog's features, in integers.

Everything is integer arithmetic from the counts on. The one transcendental function, the logarithm
of the inverse document frequency, comes from :mod:`decimal`, whose ``ln`` is correctly rounded by
specification (the last bit of the platform's ``log`` is not specified) and is then rounded to an
integer. Integer sums do not depend on their order. Hence weights and scores are the same on every
processor, operating system and BLAS: there is nothing to round differently.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from router.document import ONCE, FieldWeights, pieces
from router.snapshot import CatalogSnapshot
from router.text import CHARACTER, WORD, features, words

__all__ = ["Counts", "LexicalParameters", "count_features", "idf", "kind_weight", "weigh"]

_IDF_UNIT = 1 << 12
_MOST_OCCURRENCES = 1 << 16  # with the limits below, keeps every product under 2**63
_LARGEST_PARAMETER = 10_000
_WHOLE = 1000  # parameters are in thousandths
_EXACT = Context(prec=30, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class LexicalParameters:
    """Everything that lexical scores depend on besides catalog and text. All integers.

    Raises
    ------
    ValueError
        When a weight is negative, or larger than 10,000.
    """

    fields: FieldWeights = field(default_factory=FieldWeights)
    word: int = 4
    """Weight of a whole word."""
    gram: int = 1
    """Weight of an n-gram of a word, which has about half a dozen of them."""
    characters: tuple[int, int, int] = (1, 2, 3)
    """Weights of one, two and three characters of unspaced text."""
    k1: int = 1200
    """BM25 saturation, in thousandths."""
    b: int = 400
    """BM25 length normalisation, in thousandths, at most 1000."""
    unseen: int = 1000
    """Weight of features that no endpoint has, in the attainable score, in thousandths."""

    def __post_init__(self) -> None:
        numbers = [self.word, self.gram, *self.characters, self.k1, self.b, self.unseen]
        numbers += asdict(self.fields).values()
        if not all(0 <= number <= _LARGEST_PARAMETER for number in numbers) or self.b > _WHOLE:
            raise ValueError(
                f"A lexical weight is out of range. Use integers from 0 to {_LARGEST_PARAMETER}, "
                f"and at most {_WHOLE} for b."
            )


def kind_weight(feature: str, parameters: LexicalParameters) -> int:
    """Weight of a feature's kind: a word, an n-gram of a word, or characters of unspaced text."""
    if feature[0] == WORD:
        return parameters.word
    if feature[0] == CHARACTER:
        return parameters.characters[len(feature) - 2]
    return parameters.gram


def idf(n_documents: int, n_with: int) -> int:
    """Inverse document frequency ``ln(n_documents / n_with)`` in units of 1/4096, rounded.

    Zero for a feature that every document has: it tells no document from another.
    """
    ratio = _EXACT.subtract(_EXACT.ln(Decimal(n_documents)), _EXACT.ln(Decimal(n_with)))
    return int(_EXACT.to_integral_value(_EXACT.multiply(ratio, Decimal(_IDF_UNIT))))


@dataclass(frozen=True, slots=True)
class Counts:
    """How often the features of a catalog occur in its endpoints."""

    matrix: csr_array
    """Shape ``(n_features, n_routes)``, int64, in units of 1/``ONCE`` of an occurrence."""
    rows: Mapping[str, int]
    """The row of each feature."""
    of_word: Mapping[str, NDArray[np.int32]]
    """The rows of the features of each word of the catalog."""


def count_features(snapshot: CatalogSnapshot, fields: FieldWeights) -> Counts:
    """Count the features of each endpoint, weighted by the field they stand in."""
    vocabulary: defaultdict[str, int] = defaultdict()
    vocabulary.default_factory = vocabulary.__len__  # a new word gets the next number
    found = array("i")
    runs: list[tuple[int, int, int]] = []  # words, position and weight of a run of words
    for position, pair in enumerate(zip(snapshot.owners, snapshot.endpoints, strict=True)):
        by_weight: defaultdict[int, list[str]] = defaultdict(list)
        for weight, text in pieces(*pair, fields):
            by_weight[weight].append(text)
        for weight, texts in by_weight.items():
            # No word reaches over a line break from one piece into the next.
            said = words("\n".join(texts))
            found.extend([vocabulary[word] for word in said])
            runs.append((len(said), position, weight))
    lengths, positions, weights = np.array(runs, dtype=np.int32).reshape(-1, 3).T
    in_words = csr_array(
        (np.repeat(weights.astype(np.int64), lengths), (found, np.repeat(positions, lengths))),
        shape=(len(vocabulary), len(snapshot.routes)),
    )
    # Words repeat across a catalog far more than features do across words: each is taken apart
    # once, and a product of two sparse matrices does the rest.
    rows: defaultdict[str, int] = defaultdict()
    rows.default_factory = rows.__len__
    parts = [[rows[name] for name in features(word)] for word in vocabulary]
    sizes = [len(part) for part in parts]
    flat = np.fromiter((row for part in parts for row in part), np.int32, sum(sizes))
    numbers = np.arange(len(parts), dtype=np.int32)
    of_feature = csr_array(
        (np.ones(len(flat), dtype=np.int64), (flat, np.repeat(numbers, sizes))),
        shape=(len(rows), len(vocabulary)),
    )
    ends = np.cumsum(sizes)
    of_word = {
        word: flat[end - size : end]
        for word, size, end in zip(vocabulary, sizes, ends, strict=True)
    }
    return Counts(csr_array(of_feature @ in_words), dict(rows), of_word)


def weigh(counts: Counts, parameters: LexicalParameters) -> csr_array:
    """BM25-like weights of features in endpoints.

    Parameters
    ----------
    counts
        As :func:`count_features` returns them.
    parameters
        Weights.

    Returns
    -------
    csr_array
        Shape ``(n_features, n_routes)``, int64, without explicit zeros.

    Notes
    -----
    For feature *t* in endpoint *d*, after Robertson and Zaragoza (2009), section 3 (BM25 over a
    weighted sum of fields): ``kind(t) * ln(N / n_t) * f * (k1 + 1) / (f + K_d)`` with
    ``K_d = k1 * (1 - b + b * length_d / mean_length)`` and ``f`` the field-weighted count.
    """
    n_documents = counts.matrix.shape[1]
    lengths: list[int] = counts.matrix.sum(axis=0).tolist()
    total = max(1, sum(lengths))
    damping = np.array(
        [
            ONCE
            * parameters.k1
            * ((_WHOLE - parameters.b) * total + parameters.b * n_documents * length)
            // (_WHOLE * total)
            for length in lengths
        ],
        dtype=np.int64,
    )
    matrix = counts.matrix
    n_with = np.add.reduceat(matrix.data > 0, matrix.indptr[:-1], dtype=np.int64)
    rarity = {n: idf(n_documents, n) for n in set(n_with.tolist()) - {0}}
    scale = np.array(
        [
            kind_weight(name, parameters) * rarity.get(n, 0)
            for name, n in zip(counts.rows, n_with.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
    # In place, because there are millions of them. f and K_d are in units of 1/(_WHOLE * ONCE) of
    # an occurrence.
    data = np.minimum(matrix.data, _MOST_OCCURRENCES)
    data *= _WHOLE
    below = damping[matrix.indices]
    below += data
    data *= _WHOLE + parameters.k1
    data += below // 2
    data //= np.maximum(below, 1, out=below)
    data *= np.repeat(scale, np.diff(matrix.indptr))
    data += _WHOLE // 2
    data //= _WHOLE
    weights = csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape, copy=False)
    if not data.all():
        weights = weights.copy()  # the indices are those of the counts
        weights.eliminate_zeros()
    return weights
