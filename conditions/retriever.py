"""The research retriever: one string in, one ranking out (protocol, section 3).

It alone splits the state off a retrieval query. The query is ranked as a bare one is; the state is
read as typed data on top of it and never as text, which would drag the ranking back to what was
executed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conditions.contract import State
from conditions.dependency import Dependencies
from conditions.error import ConditionError
from conditions.literal import LiteralReader
from conditions.observation import NOT_FIELDS
from conditions.rendering import read_state, split_query
from router.channel import NAMED, SCALE, Fusion
from router.lexical import LexicalIndex
from router.ranking import Ranking, order
from router.snapshot import CatalogSnapshot
from router.weight import LexicalParameters
from surface.failure import RETRIABLE, TURNED_AWAY

__all__ = ["ResearchRetriever", "RetrieverParameters"]

_WHOLE: Final = 1000
_CACHED_QUERIES: Final = 256


@dataclass(frozen=True, slots=True)
class RetrieverParameters:
    """All numbers of the research retriever; shares are in thousandths.

    Raises
    ------
    ConditionError
        When a share is not between 0 and 1000, or a number of slots is negative.
    """

    typed: bool = True
    """Whether the state is read at all."""
    mask_identifiers: bool = True
    """Whether identifiers in the query are reduced to what their pattern fixes."""
    succeeded: int = 300
    """What a route that demonstrably succeeded keeps of its text score; 1000 switches this off."""
    keep_failed: bool = True
    """Whether a route that failed with a retriable error comes first."""
    unlocked: int = 150
    """Added, as a share of the highest text score, where an observation made a call possible."""
    locked: int = 850
    """What a route keeps of its text score while a required identifier is nowhere in sight."""
    graph_slots: int = 3
    """Of the first `slots` routes, at most so many stand there because of `unlocked` alone."""
    slots: int = 5
    """Routes that a refresh exposes."""
    lexical: LexicalParameters = field(default_factory=LexicalParameters)
    """Weights of the text channel."""

    def __post_init__(self) -> None:
        shares = (self.succeeded, self.unlocked, self.locked)
        if not all(0 <= share <= _WHOLE for share in shares):
            raise ConditionError(
                f"A share of the retriever is out of range: {shares}.", "Use 0 to 1000."
            )
        if min(self.graph_slots, self.slots) < 0:
            raise ConditionError(
                "A number of slots of the retriever is negative.", "Use zero or more."
            )


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a query alone says about a catalog; the same for all states of an episode."""

    scores: NDArray[np.int64]
    patterns: frozenset[str]


class ResearchRetriever:
    """Ranks a catalog for a bare query or for a query with its state.

    Parameters
    ----------
    snapshot
        Any catalog.
    parameters
        Weights and switches.

    Notes
    -----
    With the text score ``t = NAMED * n + s`` (``n`` > 0 where the query names the route exactly)
    the score of a route is, in integers and rounded up::

        base  = NAMED * n + s * locked / 1000                    if it has not succeeded
        base  = s * locked / 1000 * succeeded / 1000             if it has
        score = base + SCALE * unlocked / 1000                   where the bonus is granted

    (the factor `locked` for locked routes only). The bonus is granted to unlocked routes that have
    not succeeded: to those among the first ``slots - graph_slots`` by ``base``, and to the best
    `graph_slots` of the others. Whatever is unlocked, the first ``slots - graph_slots`` by ``base``
    thus stay among the first `slots`. The route that failed last with a retriable error is put
    first. The completion flag and the values of identifiers are not read.
    """

    def __init__(
        self, snapshot: CatalogSnapshot, parameters: RetrieverParameters | None = None
    ) -> None:
        self.parameters = RetrieverParameters() if parameters is None else parameters
        self.fingerprint = snapshot.fingerprint
        """Fingerprint of the catalog that is ranked."""
        self._snapshot = snapshot
        self._text = Fusion(snapshot, [(LexicalIndex(snapshot, self.parameters.lexical), 1)])
        self._literals = LiteralReader(snapshot)
        self._dependencies = Dependencies(snapshot)
        self._outputs = tuple(
            frozenset(item.name for item in endpoint.output_fields) - NOT_FIELDS
            for endpoint in snapshot.endpoints
        )
        # The same query comes back with every state of an episode; the scores are a pure function
        # of it.
        self._read = lru_cache(maxsize=_CACHED_QUERIES)(self._read_query)

    def rank(self, text: str) -> Ranking:
        """Rank the catalog for a bare query or a rendered one.

        Raises
        ------
        StateError
            When something other than a valid state follows the marker line.
        """
        query, fields = split_query(text)
        reading = self._read(query)
        if fields is None or not self.parameters.typed:
            return order(self._snapshot, reading.scores)
        return order(self._snapshot, self._typed(reading, read_state(query, fields)))

    def _read_query(self, query: str) -> _Reading:
        literals = self._literals.read(query)
        scores = self._text.score(literals.text if self.parameters.mask_identifiers else query)
        scores.setflags(write=False)
        return _Reading(scores, literals.patterns)

    def _typed(self, reading: _Reading, state: State) -> NDArray[np.int64]:
        """Scores of all routes: shape ``(n_routes,)``."""
        numbers = self.parameters
        ready = self._dependencies.readiness(state.observation_semantic_ids, reading.patterns)
        named, shares = np.divmod(reading.scores, NAMED)
        shares[ready.locked] = _share(shares[ready.locked], numbers.locked)
        base: NDArray[np.int64] = named * NAMED + shares
        unlocked = ready.unlocked
        if numbers.succeeded < _WHOLE:
            done = self._succeeded(state)
            base[done] = _share(shares[done], numbers.succeeded)
            unlocked[done] = False
        scores = base + SCALE * numbers.unlocked // _WHOLE * self._granted(base, unlocked)
        failed = self._failed(state)
        if failed is not None and numbers.keep_failed and state.last_error_class in RETRIABLE:
            scores[failed] = scores.max() + 1
        return scores

    def _failed(self, state: State) -> int | None:
        """Position of the route whose endpoint answered the last turn with an error."""
        routes = state.executed_registered_route_ids
        if (
            state.last_execution_status != "error"
            or state.last_error_class in TURNED_AWAY
            or not routes
            or routes[-1] not in self._snapshot
        ):
            return None
        return self._snapshot.position(routes[-1])

    def _succeeded(self, state: State) -> list[int]:
        """Positions of the routes that demonstrably succeeded.

        The state lists attempts. A route has succeeded where all fields that it registers have been
        observed; one without fields, where it is the last and the last turn was ``executed``.
        """
        observed = set(state.observation_field_names)
        failed = self._failed(state)
        routes = state.executed_registered_route_ids
        found = []
        for route in routes:
            if route not in self._snapshot:
                continue
            position = self._snapshot.position(route)
            outputs = self._outputs[position]
            shown = (
                outputs <= observed
                if outputs
                else route == routes[-1] and state.last_execution_status == "executed"
            )
            if shown and position != failed:
                found.append(position)
        return found

    def _granted(self, base: NDArray[np.int64], unlocked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which unlocked routes get the bonus: shape ``(n_routes,)``."""
        numbers = self.parameters
        best = np.argsort(-base, kind="stable")
        kept = max(0, numbers.slots - numbers.graph_slots)
        granted = np.zeros(len(base), dtype=np.bool_)
        granted[best[:kept]] = True
        others = best[kept:]
        granted[others[unlocked[others]][: numbers.graph_slots]] = True
        return granted & unlocked


def _share(scores: NDArray[np.int64], thousandths: int) -> NDArray[np.int64]:
    """Thousandths of scores, rounded up, so that a match stays a match."""
    shares: NDArray[np.int64] = -(-scores * thousandths // _WHOLE)
    return shares
