"""Which endpoints can be called with what has been seen: edges from declared semantic ids.

An endpoint that answers a field with some semantic id produces it; an endpoint that requires a
parameter with that semantic id consumes it. Names never make an edge.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conditions.literal import is_identifier, pattern_of
from router.snapshot import CatalogSnapshot

__all__ = ["Dependencies", "Readiness"]

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Readiness:
    """What observation has done for each route; arrays of shape ``(n_routes,)``."""

    unlocked: Flags
    """Nothing it requires is missing, and something it requires came from an observation."""
    locked: Flags
    """A required identifier stands neither in the query nor in an observation."""


class Dependencies:
    """The required typed parameters of every endpoint of a catalog.

    Parameters
    ----------
    snapshot
        The catalog.

    Notes
    -----
    A *need* is the pair (semantic id, pattern) of a required parameter. Identifiers and other
    values are kept apart: a value without an identifier's pattern may stand in the query in any
    words, so that only identifiers can be found missing.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        identifiers: dict[tuple[str | None, str | None], list[int]] = {}
        values: dict[str, list[int]] = {}
        for position, endpoint in enumerate(snapshot.endpoints):
            for item in endpoint.parameters:
                if not item.required:
                    continue
                if is_identifier(item):
                    need = (item.semantic_id, pattern_of(item.json_schema))
                    identifiers.setdefault(need, []).append(position)
                elif item.semantic_id is not None:
                    values.setdefault(item.semantic_id, []).append(position)
        n_routes = len(snapshot.routes)
        self._identifiers = tuple(identifiers)
        self._identifier_needs = _incidence(identifiers.values(), n_routes)
        self._values = tuple(values)
        self._value_needs = _incidence(values.values(), n_routes)
        # Identifiers decide where there are any.
        self._values_decide = self._value_needs.any(axis=0) & ~self._identifier_needs.any(axis=0)

    def readiness(self, observed: Collection[str], patterns: Collection[str]) -> Readiness:
        """Compare the needs of every endpoint with what has been seen.

        Parameters
        ----------
        observed
            Semantic ids that completed calls have answered.
        patterns
            Patterns that some literal of the query matches.
        """
        known = set(observed)
        spelled = set(patterns)
        # Without a pattern nothing can tell whether the query spells the identifier out.
        missing = [
            semantic not in known and pattern is not None and pattern not in spelled
            for semantic, pattern in self._identifiers
        ]
        gained = [
            semantic in known and pattern not in spelled for semantic, pattern in self._identifiers
        ]
        absent = [semantic not in known for semantic in self._values]
        locked = _any(self._identifier_needs, missing)
        by_identifier = _any(self._identifier_needs, gained) & ~locked
        by_value = self._values_decide & ~_any(self._value_needs, absent)
        return Readiness(unlocked=by_identifier | by_value, locked=locked)


def _incidence(needs: Collection[list[int]], n_routes: int) -> Flags:
    """Which need each route has: shape ``(n_needs, n_routes)``."""
    flags = np.zeros((len(needs), n_routes), dtype=np.bool_)
    for row, positions in enumerate(needs):
        flags[row, positions] = True
    return flags


def _any(flags: Flags, rows: list[bool]) -> Flags:
    """Whether a route has any of the chosen needs: shape ``(n_routes,)``."""
    chosen = np.flatnonzero(rows)
    return np.asarray(flags[chosen].any(axis=0))
