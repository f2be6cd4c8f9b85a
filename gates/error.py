"""Errors of the gates: each says what is wrong and what to do."""

from __future__ import annotations

from surface.error import StudyError

__all__ = ["EstimationError"]


class EstimationError(StudyError, ValueError):
    """Input from which no estimate can be computed as the protocol demands."""
