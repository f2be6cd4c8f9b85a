"""The host's query analyser, and what becomes of a request through it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Iterable
from typing import NamedTuple, Protocol

from router.error import PlanningError
from router.request import PlanRequest, QueryIntent
from router.text import words
from router.view import RegistryView

__all__ = ["Interpretation", "KeywordAnalyzer", "QueryAnalyzer", "SchemaPlanner"]


class QueryAnalyzer(Protocol):
    """Finds words and preferences in a request, for instance by asking a model."""

    def analyze(
        self, request: PlanRequest, registry: RegistryView
    ) -> QueryIntent | Awaitable[QueryIntent]:
        """What the request intends, given the tools that can be seen."""
        ...


class KeywordAnalyzer:
    """The analyser of a host that has none: the request says what it says."""

    def analyze(self, request: PlanRequest, registry: RegistryView) -> QueryIntent:
        """Nothing beyond the request."""
        return QueryIntent()


class Interpretation(NamedTuple):
    """A request as retrieval reads it."""

    text: str
    """The query, and below it each concept with words that it does not have."""
    preferred_tools: frozenset[str]
    preferred_endpoints: frozenset[str]


class SchemaPlanner:
    """Holds the analyser of a router. It makes no plans: that is the host's part.

    Parameters
    ----------
    analyzer
        The host's analyser.
    """

    def __init__(self, analyzer: QueryAnalyzer | None = None) -> None:
        self.analyzer: QueryAnalyzer = KeywordAnalyzer() if analyzer is None else analyzer
        """May be exchanged at any time; a retrieval uses the one that it began with."""

    def interpret(self, request: PlanRequest, registry: RegistryView) -> Interpretation:
        """Interpret a request with a synchronous analyser.

        Raises
        ------
        PlanningError
            When the analyser is asynchronous, or answers with something else than an intent.
        """
        found = self.analyzer.analyze(request, registry)
        if inspect.isawaitable(found):
            if inspect.iscoroutine(found):
                found.close()
            raise PlanningError(
                "The analyser is asynchronous. Await the router's asynchronous method instead."
            )
        return _interpretation(request, found)

    async def ainterpret(self, request: PlanRequest, registry: RegistryView) -> Interpretation:
        """Interpret a request with a synchronous or asynchronous analyser.

        Raises
        ------
        PlanningError
            When the analyser answers with something else than an intent.
        """
        found = self.analyzer.analyze(request, registry)
        return _interpretation(request, await found if inspect.isawaitable(found) else found)


def _interpretation(request: PlanRequest, intent: object) -> Interpretation:
    if not isinstance(intent, QueryIntent):
        raise PlanningError(
            f"The analyser answered with {type(intent).__name__}. It has to return a QueryIntent."
        )
    return Interpretation(
        text=_text(request.query, (*request.concepts, *intent.concepts)),
        preferred_tools=frozenset((*request.preferred_tools, *intent.preferred_tools)),
        preferred_endpoints=frozenset(intent.preferred_endpoints),
    )


def _text(query: str, concepts: Iterable[str]) -> str:
    known = set(words(query)) if concepts else set()
    fresh = [one for one in dict.fromkeys(concepts) if not known.issuperset(words(one))]
    return "\n".join((query, *fresh))
