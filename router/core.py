"""How an answer comes about: the catalog as it is now, ranked, and held against a state."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from threading import Lock

from router.availability import AccessAvailability
from router.eligibility import ELIGIBLE, RouteConditions
from router.filtering import (
    StateAwareCapabilityCandidate,
    StateConditionedCapabilityRetrieval,
)
from router.planner import Interpretation, SchemaPlanner
from router.ranked_surface import ChannelFactory, Index, RankedSurface
from router.registry import ToolRegistry
from router.request import PlanRequest
from router.retrieval import CapabilityRetrieval
from router.view import RegistryView

__all__ = ["RetrievalCore"]


class RetrievalCore:
    """What a router and its configured variants share.

    Parameters
    ----------
    registry
        The tools.
    planner
        Holds the analyser.
    availability
        Marks of routes that cannot be reached.
    channels
        Makers of the ranking's channels, each with a positive integer weight.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        planner: SchemaPlanner,
        availability: AccessAvailability,
        channels: Sequence[tuple[ChannelFactory, int]],
    ) -> None:
        self.registry = registry
        self.planner = planner
        self.availability = availability
        self._channels = tuple(channels)
        self._building = Lock()
        self._index: Index | None = None

    def interpret(self, request: PlanRequest) -> Interpretation:
        """Interpret a request; see :meth:`SchemaPlanner.interpret`."""
        return self.planner.interpret(request, self._view())

    async def ainterpret(self, request: PlanRequest) -> Interpretation:
        """Interpret a request; see :meth:`SchemaPlanner.ainterpret`."""
        return await self.planner.ainterpret(request, self._view())

    def retrieval(self, request: PlanRequest, read: Interpretation, k: int) -> CapabilityRetrieval:
        """The first ``k`` candidates."""
        surface, version = self._surface(read)
        ranks = range(1, min(k, len(surface)) + 1)
        return CapabilityRetrieval(
            query=request.query,
            registry_version=version,
            requested_k=k,
            total_ranked=len(surface),
            candidates=tuple([surface.candidate(rank) for rank in ranks]),
        )

    def conditioned(
        self, request: PlanRequest, read: Interpretation, k: int, conditions: RouteConditions
    ) -> StateConditionedCapabilityRetrieval:
        """The first ``k`` eligible candidates, and all that are not eligible."""
        surface, version = self._surface(read)
        # Only routes that something is declared for can be ineligible.
        checks = [
            (rank, conditions.check(route)) for rank, route in surface.ranks(conditions.routes)
        ]
        excluded = {rank: check for rank, check in checks if not check.eligible}
        eligible = (rank for rank in range(1, len(surface) + 1) if rank not in excluded)
        return StateConditionedCapabilityRetrieval(
            query=request.query,
            registry_version=version,
            requested_k=k,
            total_ranked=len(surface),
            candidates=tuple(
                [
                    StateAwareCapabilityCandidate(
                        candidate=surface.candidate(rank), eligibility=ELIGIBLE
                    )
                    for rank in islice(eligible, k)
                ]
            ),
            excluded=tuple(
                [
                    StateAwareCapabilityCandidate(
                        candidate=surface.candidate(rank), eligibility=check
                    )
                    for rank, check in excluded.items()
                ]
            ),
        )

    def _view(self) -> RegistryView:
        return RegistryView(*self.registry.versioned_snapshot())

    def _surface(self, read: Interpretation) -> tuple[RankedSurface, int]:
        """The visible and available routes as they are now, ranked, and the registry's version."""
        snapshot, version = self.registry.versioned_snapshot()
        index = self._index
        if index is None or index.snapshot is not snapshot:
            with self._building:
                index = self._index
                if index is None or index.snapshot is not snapshot:
                    self._index = index = Index(snapshot, self._channels, index)
        return index.rank(read, self.availability.unavailable()), version
