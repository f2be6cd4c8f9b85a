"""What a state says about calls: which routes have succeeded, and which one failed last.

The state lists attempts, not successes; success is inferred where it is demonstrable.
"""

from __future__ import annotations

from collections.abc import Iterator

from conditions.contract import State
from conditions.observation import NOT_FIELDS
from router.snapshot import CatalogSnapshot
from surface.failure import TURNED_AWAY

__all__ = ["OutcomeReader"]


class OutcomeReader:
    """Reads outcomes of calls to the routes of one catalog.

    Parameters
    ----------
    snapshot
        The catalog.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self._snapshot = snapshot
        self._outputs = tuple(
            frozenset(item.name for item in endpoint.output_fields) - NOT_FIELDS
            for endpoint in snapshot.endpoints
        )

    def executed(self, state: State) -> tuple[int, ...]:
        """Positions of the executed routes that the catalog holds, in order."""
        routes = state.executed_registered_route_ids
        return tuple(self._snapshot.position(item) for item in routes if item in self._snapshot)

    def failed(self, state: State) -> int | None:
        """Position of the route whose endpoint answered the last turn with an error.

        The state does not say which of the executed routes that was. It is the last of those whose
        answer was never observed; where there is none, the last one.
        """
        routes = state.executed_registered_route_ids
        if (
            state.last_execution_status != "error"
            or state.last_error_class in TURNED_AWAY
            or not routes
        ):
            return None
        observed = set(state.observation_field_names)
        executed = self.executed(state)
        unanswered = [item for item in executed if not self._outputs[item] <= observed]
        if unanswered:
            return unanswered[-1]
        return self._snapshot.position(routes[-1]) if routes[-1] in self._snapshot else None

    def succeeded(self, state: State) -> tuple[int, ...]:
        """Positions of the routes that demonstrably succeeded, in order.

        A route has succeeded where all fields that it registers have been observed; one without
        fields, where it is the last and the last turn was ``executed``.
        """
        return tuple(self._succeeded(state))

    def settled(self, state: State) -> tuple[int, ...]:
        """Positions of the executed routes that nothing shows to have failed, in order.

        Those that have succeeded, and of those without fields all but the one that failed last:
        the state does not say how earlier ones ended, but something else was done since.
        """
        observed = set(state.observation_field_names)
        failed = self.failed(state)
        return tuple(
            position
            for position in self.executed(state)
            if position != failed and self._outputs[position] <= observed
        )

    def _succeeded(self, state: State) -> Iterator[int]:
        observed = set(state.observation_field_names)
        failed = self.failed(state)
        routes = state.executed_registered_route_ids
        for position in self.executed(state):
            outputs = self._outputs[position]
            if outputs:
                shown = outputs <= observed
            else:
                last = self._snapshot.routes[position] == routes[-1]
                shown = last and state.last_execution_status == "executed"
            if shown and position != failed:
                yield position
