"""How much one import or export may read."""

from __future__ import annotations

from typing import Final, Protocol

from router.interchange.error import InterchangeError

__all__ = ["MAX_DEPTH", "MAX_NODES", "Budget", "Locus"]

MAX_DEPTH: Final = 100
"""Deepest nesting of objects and arrays below a schema, and longest chain of references."""

MAX_NODES: Final = 250_000
"""Most values that one import or export reads, each as often as references repeat it."""


class Locus(Protocol):
    """Where something is read, as far as an error has to name it."""

    def error(self, what: str, remedy: str) -> InterchangeError:
        """The error that names this place."""
        ...


class Budget:
    """What one import or export may still read."""

    def __init__(self) -> None:
        self._left = MAX_NODES

    def spend(self, place: Locus, depth: int = 0, *, values: int = 1) -> None:
        """Account for a value at some depth below a schema, or for what costs as much as several.

        Raises
        ------
        InterchangeError
            When nothing is left, or the value lies too deep.
        """
        self._left -= values
        if self._left < 0:
            raise place.error(
                f"The document, its references followed, has more than {MAX_NODES} values.",
                "Import it in parts.",
            )
        if depth > MAX_DEPTH:
            raise place.error(
                f"The document, its references followed, is nested deeper than {MAX_DEPTH}.",
                "Flatten it.",
            )
