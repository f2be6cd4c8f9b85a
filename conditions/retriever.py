"""The research retriever: one string in, one ranking out (protocol, section 3).

It alone splits the state off a retrieval query. The query is read as text, the same for a bare
query and for all states of an episode. The state is read as typed data on top of it and never as
text, which would drag the ranking back to what was executed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conditions.contract import State
from conditions.dependency import Dependencies
from conditions.outcome import OutcomeReader
from conditions.parameter import WHOLE, RetrieverParameters
from conditions.rendering import read_state, split_query
from conditions.text import Reading, TextChannel
from conditions.vectors import committed_vectors
from router.channel import NAMED
from router.ranking import Ranking, order
from router.snapshot import CatalogSnapshot
from router.store import VectorSource
from surface.failure import PRECONDITION, RETRIABLE

__all__ = ["ResearchRetriever", "RetrieverParameters"]

_CACHED_QUERIES: Final = 64  # a hundred kilobytes each at 500 endpoints


class ResearchRetriever:
    """Ranks a catalog for a bare query or for a query with its state.

    Parameters
    ----------
    snapshot
        Any catalog.
    parameters
        Weights and switches.
    source
        Where text vectors come from; by default the committed ones, and nothing else.

    Raises
    ------
    MissingVectorError
        When a text of the catalog has no vector and a semantic channel is on. There is no fallback:
        a study must not rank some of its tasks in another way than the others.

    Notes
    -----
    In integers, with the text score ``text`` of `conditions.text` and ``M`` its maximum::

        score = text
              + inherited * max{text of a consumer of what the route answers and nobody has}
              + M * (observed * supplied + spelled * accepting + measured * quantities)
              - M * (locked where a required argument is in sight nowhere)
              - M * (succeeded where the route demonstrably succeeded)

    with the shares of `RetrieverParameters`, ``supplied`` and ``accepting`` of
    `conditions.dependency`, and ``quantities`` of `conditions.quantity`. An argument is in sight
    where its semantic id was observed or a literal of the query matches its pattern and may mean
    it. Exactly named routes stand before all others until they succeed. A bare query is ranked as a
    state in which nothing ran.

    Of the first `slots` routes at least ``slots - graph_slots`` are those that come first without
    the bonuses. A route that failed in the last turn comes first where the same call may succeed
    at once; it keeps the last slot where something else has to be restored before; after another
    error it counts as if it had succeeded. The completion flag and the values of identifiers are
    not read.
    """

    def __init__(
        self,
        snapshot: CatalogSnapshot,
        parameters: RetrieverParameters | None = None,
        source: VectorSource | None = None,
    ) -> None:
        self.parameters = RetrieverParameters() if parameters is None else parameters
        self.fingerprint = snapshot.fingerprint
        """Fingerprint of the catalog that is ranked."""
        self._snapshot = snapshot
        if source is None and (self.parameters.sentence_weight or self.parameters.term_weight):
            source = committed_vectors()
        self._text = TextChannel(snapshot, self.parameters, source)
        self._dependencies = Dependencies(snapshot)
        self._outcomes = OutcomeReader(snapshot)
        # The same query comes back with every state of an episode; what it says is a pure function
        # of it.
        self._read = lru_cache(maxsize=_CACHED_QUERIES)(self._text.read)

    def rank(self, text: str) -> Ranking:
        """Rank the catalog for a bare query or a rendered one.

        Raises
        ------
        StateError
            When something other than a valid state follows the marker line.
        MissingVectorError
            When a part of the query has no vector and a semantic channel is on.
        """
        query, fields = split_query(text)
        reading = self._read(query)
        if not self.parameters.typed:
            return order(self._snapshot, NAMED * reading.named + self._text.score(reading))
        state = None if fields is None else read_state(query, fields)
        return order(self._snapshot, self._typed(reading, state))

    def forget(self) -> None:
        """Forget what queries were read; no ranking changes, the next ones take longer."""
        self._read.cache_clear()
        self._text.forget()

    def _typed(self, reading: Reading, state: State | None) -> NDArray[np.int64]:
        """Scores of all routes: shape ``(n_routes,)``."""
        numbers = self.parameters
        succeeded = () if state is None else self._outcomes.succeeded(state)
        settled = () if state is None else self._outcomes.settled(state)
        text = self._text.score(reading, settled)
        best = int(text.max(initial=0))
        bonus, locked = self._graph(reading, state, text, succeeded)
        base = text - best * numbers.locked // WHOLE * locked + NAMED * reading.named
        failed = None if state is None else self._outcomes.failed(state)
        done = list(succeeded)
        if failed is not None and state is not None and state.last_error_class not in RETRIABLE:
            done.append(failed)
        if numbers.succeeded:
            base[done] -= NAMED * reading.named[done] + best * numbers.succeeded // WHOLE
        scores = self._within_slots(base, bonus)
        if failed is not None and state is not None and numbers.keep_failed:
            self._keep(scores, failed, state.last_error_class)
        return _above_zero(scores, (text > 0) | (bonus > 0) | (reading.named > 0))

    def _graph(
        self,
        reading: Reading,
        state: State | None,
        text: NDArray[np.int64],
        succeeded: tuple[int, ...],
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Bonuses, and which routes lack an argument: two arrays of shape ``(n_routes,)``."""
        numbers, graph = self.parameters, self._dependencies
        observed = frozenset(() if state is None else state.observation_semantic_ids)
        executed = () if state is None else self._outcomes.executed(state)
        missing = graph.missing(observed, reading.spelled)
        wanted = text.copy()
        wanted[list(succeeded)] = 0
        typed = numbers.observed * graph.supplied(observed, reading.patterns) // WHOLE
        typed += numbers.spelled * graph.accepting(reading.spelled, executed)
        typed += numbers.measured * self._text.quantities.accepting(
            reading.quantities, () if state is None else state.observation_dimensions, executed
        )
        bonus = (
            numbers.inherited * graph.inherited(wanted, missing) + int(text.max(initial=0)) * typed
        )
        return bonus // WHOLE, graph.locked(missing)

    def _within_slots(self, base: NDArray[np.int64], bonus: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add bonuses, and keep the best routes without them among the first."""
        total = base + bonus
        n_kept = self.parameters.slots - self.parameters.graph_slots
        if n_kept > 0:
            kept = np.argsort(-base, kind="stable")[:n_kept]
            others = np.sort(np.delete(total, kept))[::-1]
            if len(others) > self.parameters.graph_slots:
                total[kept] = np.maximum(total[kept], others[self.parameters.graph_slots] + 1)
        return total

    def _keep(self, scores: NDArray[np.int64], failed: int, error: str | None) -> None:
        """Let a route that failed with a retriable error stay where it is needed next."""
        others = np.sort(np.delete(scores, failed))[::-1]
        if error not in RETRIABLE or not len(others):
            return
        if error not in PRECONDITION:
            scores[failed] = max(scores[failed], others[0] + 1)
        elif len(others) >= self.parameters.slots > 0:
            scores[failed] = max(scores[failed], others[self.parameters.slots - 1] + 1)


def _above_zero(scores: NDArray[np.int64], matched: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Shift scores so that the lowest match has 1; what matches nothing has 0."""
    if not matched.any():
        return np.zeros_like(scores)
    return np.where(matched, scores - scores[matched].min() + 1, 0)
