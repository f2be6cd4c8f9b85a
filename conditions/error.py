"""Errors of the conditions: each says what is wrong and what to do."""

from __future__ import annotations

from surface.error import StudyError

__all__ = ["ConditionError", "StateError"]


class StateError(StudyError):
    """A state, an update of it or a rendered query that breaks the frozen state contract."""


class ConditionError(StudyError):
    """A condition, its parameters or a turn's outcome that the protocol does not know."""
