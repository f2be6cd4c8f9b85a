"""The ways to ask a router for candidates."""

from __future__ import annotations

from router.context import CompatibilityContext
from router.core import RetrievalCore
from router.eligibility import Preconditions, Requirements, RouteConditions
from router.filtering import (
    StateAwareCapabilityRetrieval,
    StateConditionedCapabilityRetrieval,
    filter_retrieval_by_state,
    whole_k,
)
from router.request import PlanRequest, as_request
from router.retrieval import CapabilityRetrieval
from router.state import TypedExecutionState

__all__ = ["RetrievalMethods"]


class RetrievalMethods:
    """Retrieval, stateless and in view of a state that the host declares.

    The asynchronous methods take an analyser of either kind; the catalog and the marks that count
    are those after it has answered.
    """

    _core: RetrievalCore

    def retrieve(self, request: PlanRequest | str, *, k: int = 5) -> CapabilityRetrieval:
        """Rank the visible and available routes for a request.

        Parameters
        ----------
        request
            The request. Its text is ranked as it is: nothing in it is taken for state.
        k
            How many candidates are wanted.

        Returns
        -------
        CapabilityRetrieval
            The first ``k`` candidates. Routes that nothing speaks for form the tail of the
            ranking and have ``matched`` false.

        Raises
        ------
        ValueError
            When ``k`` is no integer of at least 1.
        PlanningError
            When the analyser is asynchronous, or answers with something else than an intent.
        """
        asked, wanted = as_request(request), whole_k(k)
        return self._core.retrieval(asked, self._core.interpret(asked), wanted)

    async def aretrieve(self, request: PlanRequest | str, *, k: int = 5) -> CapabilityRetrieval:
        """As :meth:`retrieve`, with an analyser of either kind."""
        asked, wanted = as_request(request), whole_k(k)
        return self._core.retrieval(asked, await self._core.ainterpret(asked), wanted)

    def retrieve_state_aware(
        self,
        request: PlanRequest | str,
        *,
        execution_state: TypedExecutionState,
        k: int = 5,
        state_requirements: Requirements | None = None,
        state_preconditions: Preconditions | None = None,
        context: CompatibilityContext | None = None,
    ) -> StateAwareCapabilityRetrieval:
        """Rank, take the first K, and leave out those that the state does not let be offered.

        Parameters
        ----------
        request, k
            As for :meth:`retrieve`.
        execution_state
            What the host has observed.
        state_requirements
            Types that have to be there, by route id. A route without an entry needs nothing.
        state_preconditions
            Conditions that have to hold, by route id.
        context
            Synonyms and conversions that the host declares.

        Returns
        -------
        StateAwareCapabilityRetrieval
            At most ``k`` candidates; nothing takes the place of those left out.

        Raises
        ------
        ValueError, PlanningError
            As :meth:`retrieve`.
        """
        return filter_retrieval_by_state(
            self.retrieve(request, k=k),
            execution_state,
            requirements_by_route=state_requirements,
            preconditions_by_route=state_preconditions,
            context=context,
        )

    async def aretrieve_state_aware(
        self,
        request: PlanRequest | str,
        *,
        execution_state: TypedExecutionState,
        k: int = 5,
        state_requirements: Requirements | None = None,
        state_preconditions: Preconditions | None = None,
        context: CompatibilityContext | None = None,
    ) -> StateAwareCapabilityRetrieval:
        """As :meth:`retrieve_state_aware`, with an analyser of either kind."""
        return filter_retrieval_by_state(
            await self.aretrieve(request, k=k),
            execution_state,
            requirements_by_route=state_requirements,
            preconditions_by_route=state_preconditions,
            context=context,
        )

    def reretrieve_state_aware(
        self,
        request: PlanRequest | str,
        *,
        execution_state: TypedExecutionState,
        k: int = 5,
        state_requirements: Requirements | None = None,
        state_preconditions: Preconditions | None = None,
        context: CompatibilityContext | None = None,
    ) -> StateConditionedCapabilityRetrieval:
        """Rank, and take the first K of all that the state lets be offered.

        Parameters
        ----------
        request, execution_state, k, state_requirements, state_preconditions, context
            As for :meth:`retrieve_state_aware`.

        Returns
        -------
        StateConditionedCapabilityRetrieval
            Candidates with their ranks in the whole ranking, and every visible and available
            route that is left out, with the reasons.

        Raises
        ------
        ValueError, PlanningError
            As :meth:`retrieve`.
        """
        asked, wanted = as_request(request), whole_k(k)
        conditions = RouteConditions(
            execution_state, state_requirements, state_preconditions, context
        )
        return self._core.conditioned(asked, self._core.interpret(asked), wanted, conditions)

    async def areretrieve_state_aware(
        self,
        request: PlanRequest | str,
        *,
        execution_state: TypedExecutionState,
        k: int = 5,
        state_requirements: Requirements | None = None,
        state_preconditions: Preconditions | None = None,
        context: CompatibilityContext | None = None,
    ) -> StateConditionedCapabilityRetrieval:
        """As :meth:`reretrieve_state_aware`, with an analyser of either kind."""
        asked, wanted = as_request(request), whole_k(k)
        conditions = RouteConditions(
            execution_state, state_requirements, state_preconditions, context
        )
        read = await self._core.ainterpret(asked)
        return self._core.conditioned(asked, read, wanted, conditions)
