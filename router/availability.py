"""Routes that a host cannot reach for a while."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Lock

__all__ = ["AccessAvailability", "cooldown"]

Access = tuple[str, str]
"""A tool's key and an endpoint's name."""


class AccessAvailability:
    """Marks that hide a route until a cooldown has passed.

    Parameters
    ----------
    clock
        Seconds from an arbitrary start that never run backwards.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._until: dict[Access, float] = {}

    def mark_unavailable(self, access: Access, seconds: float) -> None:
        """Hide a route for some seconds from now on, instead of an earlier mark."""
        with self._lock:
            self._until[access] = self._clock() + seconds

    def mark_available(self, access: Access) -> None:
        """Take back a mark, if there is one."""
        with self._lock:
            self._until.pop(access, None)

    def forget(self, tool_key: str) -> None:
        """Take back all marks of a tool."""
        with self._lock:
            self._until = {one: until for one, until in self._until.items() if one[0] != tool_key}

    def unavailable(self) -> tuple[Access, ...]:
        """The routes that are marked now, in code point order. The deadline itself is over."""
        if not self._until:
            return ()
        with self._lock:
            now = self._clock()
            self._until = {one: until for one, until in self._until.items() if now < until}
            return tuple(sorted(self._until))


def cooldown(name: str, seconds: float) -> float:
    """A duration that a mark can last.

    Raises
    ------
    ValueError
        When it is negative or not finite.
    """
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(f"{name} is {seconds!r}. Use a finite number of seconds, at least 0.")
    return seconds
