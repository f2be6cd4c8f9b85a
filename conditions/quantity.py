"""Quantities that a query spells out: a number and the unit after it.

What a query says in a unit is a typed value, as an identifier is: it goes into a parameter that is
registered to measure the same. Units are known in two ways. Words and symbols of five languages
come from `conditions.unit_words`; any other unit is known where a catalog registers it and as it is
spelled there (``mg/L``). What a dimension is called is the catalog's own affair: it measures what
the units measure that are registered with it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conditions.unit_words import UNIT_WORDS
from router.contract import FieldSpec, ParameterSpec
from router.snapshot import CatalogSnapshot
from router.text import normalise

__all__ = ["QuantityReader"]

_PROGRAMMED: Final = {
    "degc": "temperature",
    "degf": "temperature",
    "km/hour": "speed",
    "mi/hour": "speed",
    "mile/hour": "speed",
}
"""Units that programs write in a way that nobody else does, and what they measure."""

_NUMBER: Final = r"[0-9]+(?:[.,][0-9]+)*"
# A part of a date, a time, a version or an identifier is no number of its own.
_START: Final = r"(?<![0-9A-Za-z_.,:/#-])"
_LATIN: Final = "0-9A-Za-z\u00c0-\u024f_"
"""What continues a word in Latin letters. Particles may follow units of other scripts."""


class QuantityReader:
    """Finds quantities in queries, and the routes that take them.

    Parameters
    ----------
    snapshot
        The catalog.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self._n_routes = len(snapshot.routes)
        takes: defaultdict[str, set[int]] = defaultdict(set)
        needs: defaultdict[frozenset[str], list[int]] = defaultdict(list)
        for position, endpoint in enumerate(snapshot.endpoints):
            measured = [item for item in endpoint.parameters if item.dimension is not None]
            for item in measured:
                takes[item.dimension or ""].add(position)
            needed = frozenset(item.dimension or "" for item in measured if item.required)
            if needed:
                needs[needed].append(position)
        self._takes = dict(takes)
        self._needs = dict(needs)
        dimensions = {
            word: frozenset(found & takes.keys()) for word, found in _dimensions(snapshot).items()
        }
        self._dimensions = {word: found for word, found in dimensions.items() if found}
        self._quantity = _pattern(self._dimensions)

    def read(self, text: str) -> frozenset[str]:
        """Dimensions of a text's quantities that some route takes."""
        if self._quantity is None:
            return frozenset()
        found = self._quantity.findall(" ".join(normalise(text).split()))
        return frozenset().union(*(self._dimensions[word] for word in found))

    def accepting(
        self, spelled: Collection[str], observed: Collection[str], executed: Collection[int]
    ) -> NDArray[np.int64]:
        """How many quantities of the query a route requires that no executed route took.

        Parameters
        ----------
        spelled
            Dimensions of the query's quantities, as :meth:`read` returns them.
        observed
            Dimensions of what has been observed.
        executed
            Positions of the executed routes.

        Returns
        -------
        NDArray[np.int64]
            Shape ``(n_routes,)``; 0 where the route also requires a quantity that neither the query
            nor an observation holds: it is about something else.
        """
        counts = np.zeros(self._n_routes, dtype=np.int64)
        ran = set(executed)
        left = {name for name in spelled if ran.isdisjoint(self._takes[name])}
        if left:
            in_sight = {*spelled, *observed}
            for needed, routes in self._needs.items():
                if needed <= in_sight:
                    counts[routes] = len(needed & left)
        return counts


def _dimensions(snapshot: CatalogSnapshot) -> dict[str, set[str]]:
    """Dimensions of each unit: those it is registered with, and those of all units of its kind."""
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for kind, words in UNIT_WORDS.items():
        for word in words:
            kinds[word].add(kind)
    for word, kind in _PROGRAMMED.items():
        kinds[word].add(kind)
    measured: defaultdict[str, set[str]] = defaultdict(set)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for endpoint in snapshot.endpoints:
        typed: list[FieldSpec | ParameterSpec] = [*endpoint.parameters, *endpoint.output_fields]
        for item in typed:
            if item.unit is not None and item.dimension is not None:
                word = normalise(item.unit).replace("**", "")  # as texts have it: m3
                found[word].add(item.dimension)
                if len(kinds[word]) == 1:  # not ``m``, which is a metre or a month
                    measured[min(kinds[word])].add(item.dimension)
    for word, known in kinds.items():
        found[word].update(*(measured[kind] for kind in known))
    return dict(found)


def _pattern(words: Collection[str]) -> re.Pattern[str] | None:
    """What finds the unit after each number of a normalised text, the longest that fits."""
    if not words:
        return None
    latin = re.compile(f"[{_LATIN}]")
    # A space may be missing or be there, around the number and inside a unit.
    spelled = [
        f"{re.escape(word)}(?![{_LATIN}])" if latin.match(word[-1]) else re.escape(word)
        for word in sorted(words, key=lambda word: (-len(word), word))
    ]
    dash = r"\s?[-\u2013~\u301c]\s?"
    return re.compile(
        rf"{_START}[-\u2212]?{_NUMBER}(?:{dash}{_NUMBER})?[\s-]?({'|'.join(spelled)})"
    )
