"""What the session helpers need of a retrieval, whichever class it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeVar

__all__ = ["RankedCandidate", "RankedRetrieval", "with_candidates"]


class RankedCandidate(Protocol):
    """A ranked endpoint with its contract's fingerprint."""

    @property
    def tool(self) -> str:
        """Name of the tool."""

    @property
    def endpoint(self) -> str:
        """Name of the endpoint within the tool."""

    @property
    def endpoint_fingerprint(self) -> str:
        """Digest of the endpoint's contract."""

    @property
    def rank(self) -> int:
        """Rank, counted from 1."""

    @property
    def score(self) -> float:
        """The larger, the better."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced."""


class RankedRetrieval(Protocol):
    """The result of a retrieval: candidates and whatever describes them."""

    @property
    def candidates(self) -> Sequence[RankedCandidate]:
        """The candidates, best first."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced."""


Retrieval = TypeVar("Retrieval", bound=RankedRetrieval)


def with_candidates(retrieval: Retrieval, candidates: Iterable[RankedCandidate]) -> Retrieval:
    """The same retrieval with other candidates, in its kind of sequence, ranked anew from 1."""
    kind = list if isinstance(retrieval.candidates, list) else tuple
    ranked = kind(
        candidate.model_copy(update={"rank": rank})
        for rank, candidate in enumerate(candidates, start=1)
    )
    return retrieval.model_copy(update={"candidates": ranked})
