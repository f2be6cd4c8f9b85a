"""Rankings, computed once more from the strings by the committed retriever."""

from __future__ import annotations

from dataclasses import dataclass, field

from conditions.retriever import ResearchRetriever
from gates.results import Row
from gates.setting import Setting
from router.canonical import sha256_hex

_HEAD = 10
"""How many routes of a ranking are logged by name (results/README.md)."""


@dataclass(frozen=True)
class Reranked:
    """A ranking: all routes, best first, and its hash."""

    routes: tuple[str, ...] = ()
    sha256: str | None = None


NO_RANKING = Reranked()


@dataclass
class Rankings:
    """The rankings of a study's catalogs, each string ranked once."""

    setting: Setting
    known: dict[tuple[int, str], Reranked] = field(default_factory=dict)
    retrievers: dict[int, ResearchRetriever] = field(default_factory=dict)

    def of(self, size: int, text: str | None) -> Reranked:
        """Return a catalog's ranking for a string; that of no string is empty.

        Raises
        ------
        StateError
            If the string holds something else than a query and a valid state.
        MissingVectorError
            If a part of the query has no committed vector.
        """
        if text is None:
            return NO_RANKING
        found = self.known.get((size, text))
        if found is None:
            routes = self._retriever(size).rank(text).routes
            found = Reranked(routes, sha256_hex("\n".join(routes).encode()))
            self.known[size, text] = found
        return found

    def _retriever(self, size: int) -> ResearchRetriever:
        if size not in self.retrievers:
            snapshot = self.setting.catalogs[size].snapshot
            self.retrievers[size] = ResearchRetriever(snapshot, self.setting.retriever)
        return self.retrievers[size]


def logged_otherwise(row: Row, ranking: Reranked) -> bool:
    """Whether a row's hash, head or rank of the required route is not that of a ranking."""
    required = row["gold_next_route"]
    rank = ranking.routes.index(required) + 1 if required in ranking.routes else None
    logged = (row["ranking_sha256"], list(row["ranking_head"]), row["gold_next_rank"])
    return logged != (ranking.sha256, list(ranking.routes[:_HEAD]), rank)
