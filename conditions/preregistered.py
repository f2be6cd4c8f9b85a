"""The five preregistered conditions, letter by letter (protocol, section 2).

They change what an agent may see, never what it may do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from conditions.error import ConditionError
from conditions.exposure import Condition, ConditionParameters, Exposure, Ranker, TurnOutcome
from conditions.rendering import render_query
from router.ranking import Ranking
from router.snapshot import CatalogSnapshot

__all__ = [
    "CONDITIONS",
    "Full",
    "Oracle",
    "ProgressiveStatic",
    "StateAware",
    "StaticTopK",
    "make_condition",
]


def _top(ranking: Ranking, k: int | None) -> tuple[str, ...]:
    """Return the first `k` routes (all for None, or where there are fewer) by code point."""
    return tuple(sorted(ranking.routes if k is None else ranking.top(k)))


def _retrieve(retriever: Ranker, text: str, k: int | None) -> Exposure:
    """Return the Top-K for a text, as an episode's first retrieval."""
    ranking = retriever.rank(text)
    return Exposure(
        routes=_top(ranking, k), ranking=ranking, retrieval_query=text, retrieval_calls=1
    )


@dataclass(frozen=True)
class StaticTopK:
    """``SR-5-STATIC``: the Top-5 for the query, which never changes."""

    name: ClassVar[str] = "SR-5-STATIC"
    retriever: Ranker = field(repr=False)
    top_k: int = 5

    def expose(self, query: str) -> Exposure:
        """Return the Top-K for the bare query."""
        return _retrieve(self.retriever, query, self.top_k)

    def refresh(self, exposure: Exposure, outcome: TurnOutcome) -> Exposure:
        """Return the exposure unchanged."""
        return exposure


@dataclass(frozen=True)
class ProgressiveStatic:
    """``SR-PROGRESSIVE-STATIC``: one ranking, widened 3, 10, whole catalog.

    One stage after a turn whose first call failed, and one stage after a turn without a call while
    the task is incomplete.
    """

    name: ClassVar[str] = "SR-PROGRESSIVE-STATIC"
    retriever: Ranker = field(repr=False)
    stages: tuple[int | None, ...] = (3, 10, None)

    def expose(self, query: str) -> Exposure:
        """Return the first stage of the ranking for the bare query."""
        return _retrieve(self.retriever, query, self.stages[0])

    def refresh(self, exposure: Exposure, outcome: TurnOutcome) -> Exposure:
        """Widen the same ranking by one stage, or return the exposure unchanged."""
        widens = outcome.failed if outcome.called else outcome.task_incomplete
        stage = exposure.stage + 1
        if not widens or stage >= len(self.stages) or exposure.ranking is None:
            return exposure
        return replace(exposure, routes=_top(exposure.ranking, self.stages[stage]), stage=stage)


@dataclass(frozen=True)
class StateAware:
    """``SR-5-STATE-AWARE``: a fresh Top-5 for query and state after each tool turn.

    After a completed turn as after a failed one, also when the task is complete, while a turn
    remains; at most five times an episode. A refresh replaces the exposure.
    """

    name: ClassVar[str] = "SR-5-STATE-AWARE"
    retriever: Ranker = field(repr=False)
    top_k: int = 5
    max_refreshes: int = 5

    def expose(self, query: str) -> Exposure:
        """Return the Top-K for the bare query, as ``SR-5-STATIC`` does."""
        return _retrieve(self.retriever, query, self.top_k)

    def refresh(self, exposure: Exposure, outcome: TurnOutcome) -> Exposure:
        """Retrieve again after a tool turn; the completion flag plays no part."""
        if (
            not outcome.called
            or outcome.turns_remaining < 1
            or exposure.refreshes >= self.max_refreshes
        ):
            return exposure
        return replace(
            _retrieve(self.retriever, render_query(outcome.state), self.top_k),
            retrieval_calls=exposure.retrieval_calls + 1,
            refreshes=exposure.refreshes + 1,
        )


@dataclass(frozen=True)
class _Fixed:
    """An exposure that no retrieval made and nothing changes."""

    routes: tuple[str, ...] = field(repr=False)

    def expose(self, query: str) -> Exposure:
        """Return the fixed routes, whatever the query."""
        return Exposure(routes=self.routes)

    def refresh(self, exposure: Exposure, outcome: TurnOutcome) -> Exposure:
        """Return the exposure unchanged."""
        return exposure


@dataclass(frozen=True)
class Full(_Fixed):
    """``FULL``: the whole catalog, which never changes."""

    name: ClassVar[str] = "FULL"


@dataclass(frozen=True)
class Oracle(_Fixed):
    """``ORACLE``: the task's required routes, which never change; an upper bound only."""

    name: ClassVar[str] = "ORACLE"


CONDITIONS: Final = (
    StaticTopK.name,
    ProgressiveStatic.name,
    StateAware.name,
    Full.name,
    Oracle.name,
)
"""The preregistered conditions in canonical order."""


def make_condition(
    name: str,
    *,
    retriever: Ranker,
    snapshot: CatalogSnapshot,
    required_routes: Iterable[str],
    parameters: ConditionParameters | None = None,
) -> Condition:
    """Build a condition for one task over one catalog.

    Parameters
    ----------
    name
        One of `CONDITIONS`.
    retriever
        Ranks `snapshot` for a string.
    snapshot
        The catalog.
    required_routes
        The task's required routes. ``ORACLE`` alone reads them; no other condition touches them.
    parameters
        The preregistered numbers where None.

    Raises
    ------
    ConditionError
        When the name is unknown, or a required route of ``ORACLE`` is not in the catalog.
    """
    numbers = ConditionParameters() if parameters is None else parameters
    if name == StaticTopK.name:
        return StaticTopK(retriever, numbers.top_k)
    if name == ProgressiveStatic.name:
        return ProgressiveStatic(retriever, numbers.stages)
    if name == StateAware.name:
        return StateAware(retriever, numbers.top_k, numbers.max_refreshes)
    if name == Full.name:
        return Full(snapshot.routes)
    if name == Oracle.name:
        return Oracle(_required(required_routes, snapshot))
    raise ConditionError(f"There is no condition {name!r}.", f"Use one of {', '.join(CONDITIONS)}.")


def _required(routes: Iterable[str], snapshot: CatalogSnapshot) -> tuple[str, ...]:
    required = sorted(set(routes))
    missing = [route for route in required if route not in snapshot]
    if missing or not required:
        raise ConditionError(
            f"The catalog does not hold the required routes {missing!r}."
            if missing
            else "A task requires no route.",
            "Validate the surface.",
        )
    return tuple(required)
