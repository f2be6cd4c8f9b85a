"""Which endpoints can be called with what has been seen: edges from declared semantic ids.

An endpoint that answers a field with some semantic id produces it; an endpoint with a parameter of
that semantic id consumes it. Names never make an edge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conditions.literal import is_identifier, pattern_of
from router.snapshot import CatalogSnapshot
from router.weight import idf

__all__ = ["Dependencies", "Need"]

Flags = NDArray[np.bool_]
Need = tuple[str | None, str]
"""Semantic id and pattern of a parameter."""

_WHOLE: Final = 1000


class Dependencies:
    """Producers and consumers of typed values in one catalog.

    Parameters
    ----------
    snapshot
        The catalog.

    Notes
    -----
    A *need* is a required parameter whose values have a registered pattern: only of such a value
    can be said that it is in sight nowhere. Anything else may stand in the query in any words.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        n_routes = len(snapshot.routes)
        needs: defaultdict[Need, set[int]] = defaultdict(set)
        takes: defaultdict[str, defaultdict[str | None, set[int]]]
        takes = defaultdict(lambda: defaultdict(set))
        accepts: defaultdict[Need, set[int]] = defaultdict(set)
        gives: defaultdict[str, set[int]] = defaultdict(set)
        for position, endpoint in enumerate(snapshot.endpoints):
            for item in endpoint.parameters:
                pattern = pattern_of(item.json_schema)
                if item.required and pattern is not None:
                    needs[item.semantic_id, pattern].add(position)
                if item.semantic_id is not None:
                    takes[item.semantic_id][pattern].add(position)
                if pattern is not None and is_identifier(item):
                    accepts[item.semantic_id, pattern].add(position)
            for field in endpoint.output_fields:
                if field.semantic_id is not None:
                    gives[field.semantic_id].add(position)
        self._n_routes = n_routes
        self._needs = tuple(needs)
        self._needing = _Pairs.of(
            (row, route) for row, routes in enumerate(needs.values()) for route in routes
        )
        self._giving = _Pairs.of(
            (route, row)
            for row, (semantic, _) in enumerate(needs)
            for route in gives.get(semantic or "", ())
        )
        self._accepts = {need: sorted(routes) for need, routes in accepts.items()}
        most = max(1, idf(max(1, n_routes), 1))
        # For each semantic id its rarity, and for each pattern of it the routes that take it.
        self._takes = {
            semantic: (
                idf(n_routes, len(set().union(*by_pattern.values()))) * _WHOLE // most,
                {pattern: sorted(routes) for pattern, routes in by_pattern.items()},
            )
            for semantic, by_pattern in takes.items()
        }

    def missing(self, observed: Collection[str], spelled: Collection[Need]) -> Flags:
        """Needs that neither an observation nor the query meets: shape ``(n_needs,)``."""
        return np.array(
            [need[0] not in observed and need not in spelled for need in self._needs],
            dtype=np.bool_,
        )

    def locked(self, missing: Flags) -> Flags:
        """Whether a route has a missing need: shape ``(n_routes,)``."""
        flags = np.zeros(self._n_routes, dtype=np.bool_)
        flags[self._needing.seconds[missing[self._needing.firsts]]] = True
        return flags

    def inherited(self, wanted: NDArray[np.int64], missing: Flags) -> NDArray[np.int64]:
        """Pass on how much routes are wanted to those that answer what they lack.

        Parameters
        ----------
        wanted
            Shape ``(n_routes,)``, not negative.
        missing
            As :meth:`missing` returns it.

        Returns
        -------
        NDArray[np.int64]
            Shape ``(n_routes,)``: the most that any consumer of a missing value is wanted, of all
            missing values that a route answers.
        """
        by_need = self._needing.best(wanted, len(self._needs))
        return self._giving.best(np.where(missing, by_need, 0), self._n_routes)

    def supplied(self, observed: Collection[str], patterns: Collection[str]) -> NDArray[np.int64]:
        """How specifically observations fit a route's parameters: shape ``(n_routes,)``.

        The sum, over the observed semantic ids that a route takes and the query does not spell out,
        of ``ln(N / n) / ln(N)`` in thousandths, where `n` of `N` routes take it.
        """
        supplied = np.zeros(self._n_routes, dtype=np.int64)
        for semantic in observed:
            rarity, by_pattern = self._takes.get(semantic, (0, {}))
            for pattern, routes in by_pattern.items():
                if pattern not in patterns:
                    supplied[routes] += rarity
        return supplied

    def accepting(self, spelled: Collection[Need], executed: Collection[int]) -> Flags:
        """Whether a route takes an identifier from the query that no executed route took.

        Parameters
        ----------
        spelled
            Meanings of the identifiers in the query.
        executed
            Positions of the executed routes.

        Returns
        -------
        NDArray[np.bool]
            Shape ``(n_routes,)``.
        """
        ran = set(executed)
        taken = {need[1] for need in spelled if not ran.isdisjoint(self._accepts.get(need, ()))}
        flags = np.zeros(self._n_routes, dtype=np.bool_)
        for need in spelled:
            if need[1] not in taken:
                flags[self._accepts.get(need, [])] = True
        return flags


@dataclass(frozen=True, slots=True)
class _Pairs:
    """A relation as two parallel arrays, sorted by the first."""

    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Where each distinct first begins."""

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> _Pairs:
        table = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
        firsts, seconds = np.ascontiguousarray(table.T)
        return cls(firsts, seconds, np.flatnonzero(np.diff(firsts, prepend=-1)))

    def best(self, values: NDArray[np.int64], n_firsts: int) -> NDArray[np.int64]:
        """The largest value of any second of each first, 0 without: shape ``(n_firsts,)``."""
        best = np.zeros(n_firsts, dtype=np.int64)
        if len(self.starts):
            largest = np.maximum.reduceat(values[self.seconds], self.starts)
            best[self.firsts[self.starts]] = largest
        return best
