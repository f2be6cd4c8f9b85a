"""What the memories of a session have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from router.checkpoint import checkpoint_digest
from router.route_memory import RouteMemory

__all__ = ["SessionMemory"]


class SessionMemory(ABC):
    """Routes that something happened to in a session, written down in one canonical way."""

    def __init__(self) -> None:
        self._memory = RouteMemory()

    @abstractmethod
    def snapshot(self) -> Mapping[str, object]:
        """What is remembered, in code point order; equal memories give equal snapshots."""

    def forget(self, tool: str, endpoint: str) -> None:
        """Drop a route, under every contract; for hosts that remove one.

        Raises
        ------
        ValueError
            When a name is blank.
        """
        self._memory.forget(tool, endpoint)

    def digest(self) -> str:
        """SHA-256 over the canonical JSON of :meth:`snapshot`."""
        return checkpoint_digest(self.snapshot())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.snapshot()!r})"
