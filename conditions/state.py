"""States as an episode makes and hashes them (protocol, section 3).

A state is a value: updating gives a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conditions.contract import COMPLETED, FAILED, MARKER, STATE_FIELDS, State
from conditions.error import StateError
from conditions.observation import Observed, read_observation
from conditions.rendering import read_state, render_query, split_query
from router.canonical import canonical_json, sha256_hex
from router.contract import EndpointSpec
from surface.failure import TURNED_AWAY, error_class

__all__ = [
    "MARKER",
    "STATE_FIELDS",
    "State",
    "empty_state",
    "read_state",
    "render_query",
    "split_query",
    "state_digest",
    "state_json",
    "update_state",
]


def empty_state(query: str) -> State:
    """Return the state before the first tool turn.

    Raises
    ------
    StateError
        When the query is empty, holds the marker or a lone surrogate.
    """
    nothing: dict[str, Any] = dict.fromkeys(STATE_FIELDS, ())
    return State.of(
        nothing
        | {
            "original_query": query,
            "last_execution_status": "not_run",
            "last_error_class": None,
            "task_incomplete_boolean": True,
        }
    )


def update_state(
    state: State,
    *,
    endpoint: EndpointSpec | None,
    route_id: str,
    observation: Mapping[str, Any] | None,
    status: str,
    error: str | None,
    reached: bool,
    task_incomplete: bool,
) -> State:
    """Return the state after a tool turn; a turn without a call has none.

    Parameters
    ----------
    state
        The state before the turn.
    endpoint
        The registered endpoint that was called; None when the route is not registered.
    route_id
        The route that the agent named.
    observation
        What the call answered, if anything.
    status
        ``ok``, ``executed``, ``error`` or ``blocked``.
    error
        ``class`` or ``class: text``; given exactly when the status is ``error`` or ``blocked``.
    reached
        Whether the call reached the endpoint.
    task_incomplete
        The executor's completion flag after the turn.

    Raises
    ------
    StateError
        When the arguments contradict each other, the error class is unknown, or the observation is
        not JSON.
    """
    failure = _failure(status, error)
    _check_reach(status, failure, reached)
    executed = state.executed_registered_route_ids
    if reached and endpoint is not None and route_id not in executed:
        executed = (*executed, route_id)
    seen = Observed()
    if observation is not None:
        fields = () if endpoint is None else endpoint.output_fields
        seen = read_observation(observation, fields, completed=status in COMPLETED)
    return State.of(
        {
            "original_query": state.original_query,
            "executed_registered_route_ids": executed,
            "observation_field_names": _merged(state.observation_field_names, seen.field_names),
            "observation_semantic_ids": _merged(state.observation_semantic_ids, seen.semantic_ids),
            "observation_value_types": _merged(state.observation_value_types, seen.value_types),
            "observation_units": _merged(state.observation_units, seen.units),
            "observation_dimensions": _merged(state.observation_dimensions, seen.dimensions),
            "observation_qualifiers": _merged(state.observation_qualifiers, seen.qualifiers),
            "stable_observed_identifiers": _merged(
                state.stable_observed_identifiers, seen.identifiers
            ),
            "last_execution_status": status,
            "last_error_class": failure,
            "task_incomplete_boolean": task_incomplete,
        }
    )


def state_json(state: State) -> str:
    """Canonical JSON (RFC 8785) of all twelve fields."""
    return canonical_json({name: getattr(state, name) for name in STATE_FIELDS}).decode()


def state_digest(state: State) -> str:
    """SHA-256 of the UTF-8 bytes of `state_json`, as 64 hexadecimal digits."""
    return sha256_hex(state_json(state).encode())


def _merged(old: tuple[str, ...], new: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(new.union(old))) if new else old


def _failure(status: str, error: str | None) -> str | None:
    """Return the error class of a turn, which has one exactly when it failed."""
    if status not in COMPLETED | FAILED:
        raise StateError(
            f"A tool turn cannot have the status {status!r}.",
            "Give ok, executed, error or blocked.",
        )
    if (error is not None) != (status in FAILED):
        raise StateError(
            f"The status {status!r} and the error {error!r} contradict each other.",
            "Give an error with the statuses error and blocked, and with no other.",
        )
    if error is None:
        return None
    try:
        return error_class(error)
    except ValueError as unknown:
        raise StateError(
            f"The error {error!r} has no known class.",
            "Start it with a class of the closed list and a colon.",
        ) from unknown


def _check_reach(status: str, failure: str | None, reached: bool) -> None:
    """Refuse turns that say of the endpoint what cannot be."""
    if reached != (status in COMPLETED) and (status != "error" or failure in TURNED_AWAY):
        raise StateError(
            f"A call with the status {status!r} ({failure}) cannot have "
            f"{'reached' if reached else 'missed'} its endpoint.",
            "Take status, error and reached from the same execution.",
        )
