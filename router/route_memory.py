"""The routes that a session has met, each in one generation of its contract."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from router.checkpoint import MAX_CHARACTERS, MAX_MEMBERS, CheckpointError

__all__ = ["RouteMemory", "session_route"]

MAX_KEY_CHARACTERS: Final = 512
"""Longest route id with its fingerprint."""

_MARK: Final = "@"
# Room for the envelope of a checkpoint, and for the quotes and marks of a key.
_BUDGET: Final = MAX_CHARACTERS - 256
_KEY_MARKS: Final = 3


class _Generation(NamedTuple):
    """How a route was recorded; a route that is held was recorded in at least one way."""

    bare: bool
    """Recorded without a fingerprint: it counts under every contract."""
    fingerprint: str | None
    """The contract under which the route was recorded last."""


class RouteMemory:
    """A set of routes that neither schema churn nor the number of calls can make grow.

    A route holds at most two keys: its id, where it was recorded without a fingerprint, and
    ``id@fingerprint`` of the last contract under which it was recorded. Beyond
    :data:`~router.checkpoint.MAX_MEMBERS` keys, or beyond what fits a checkpoint, the routes that
    were recorded longest ago are dropped; a route that is not held is always the careful answer.
    """

    def __init__(self) -> None:
        self._generations: dict[str, _Generation] = {}  # recorded longest ago first
        self._n_keys = 0
        self._size = 0

    @classmethod
    def of(cls, keys: Iterable[object], what: str) -> RouteMemory:
        """Restore a memory from the keys of a checkpoint.

        A checkpoint from before compaction may hold several fingerprints of one route. It does not
        say which is the latest, so that the one last by code point is kept: always the same one,
        and a miss where it is not the current contract.

        Raises
        ------
        CheckpointError
            When a key is no route id with an optional fingerprint, or too long.
        """
        found: dict[str, _Generation] = {}
        for key in keys:
            route, fingerprint = _parsed(key, what)
            bare, latest = found.get(route, _Generation(False, None))
            if fingerprint is None:
                bare = True
            elif latest is None or fingerprint > latest:
                latest = fingerprint
            found[route] = _Generation(bare, latest)
        memory = cls()
        for route in sorted(found):
            memory._put(route, found[route])
        return memory

    def record(self, tool: str, endpoint: str, fingerprint: str | None) -> None:
        """Hold a route; a new fingerprint replaces the one before.

        Raises
        ------
        ValueError
            When a name or the fingerprint is blank, or the key could not be read back: it is too
            long, the route id has an ``@``, or there is a lone surrogate.
        """
        route, fingerprint = session_route(tool, endpoint, fingerprint)
        key = _key(route, fingerprint)
        if _MARK in route or len(key) > MAX_KEY_CHARACTERS or not _is_text(key):
            raise ValueError(
                f"The route {route[:80]!a} cannot be kept in a checkpoint. Use names without "
                f"{_MARK!r} and lone surrogates, at most {MAX_KEY_CHARACTERS} characters with the "
                "fingerprint."
            )
        held = self._take(route)
        self._put(
            route,
            _Generation(
                bare=held.bare or fingerprint is None,
                fingerprint=held.fingerprint if fingerprint is None else fingerprint,
            ),
        )

    def holds(self, tool: str, endpoint: str, fingerprint: str | None) -> bool:
        """Whether a route was recorded without a fingerprint, or under this one last.

        Raises
        ------
        ValueError
            When a name or the fingerprint is blank.
        """
        route, fingerprint = session_route(tool, endpoint, fingerprint)
        held = self._generations.get(route)
        return held is not None and (
            held.bare or (fingerprint is not None and held.fingerprint == fingerprint)
        )

    def forget(self, tool: str, endpoint: str) -> None:
        """Drop a route in every form; nothing happens where it is not held.

        Raises
        ------
        ValueError
            When a name is blank.
        """
        self._take(session_route(tool, endpoint, None)[0])

    def clear(self) -> None:
        """Drop every route."""
        self._generations.clear()
        self._n_keys = self._size = 0

    def keys(self) -> list[str]:
        """Every key that is held, in code point order."""
        return sorted(
            key for route, held in self._generations.items() for key in _keys(route, held)
        )

    def _take(self, route: str) -> _Generation:
        held = self._generations.pop(route, None)
        if held is None:
            return _Generation(False, None)
        self._n_keys -= len(_keys(route, held))
        self._size -= _size(route, held)
        return held

    def _put(self, route: str, held: _Generation) -> None:
        self._generations[route] = held
        self._n_keys += len(_keys(route, held))
        self._size += _size(route, held)
        while self._n_keys > MAX_MEMBERS or self._size > _BUDGET:
            self._take(next(iter(self._generations)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RouteMemory):
            return NotImplemented
        return self._generations == other._generations

    __hash__ = None  # type: ignore[assignment]


def session_route(tool: str, endpoint: str, fingerprint: str | None) -> tuple[str, str | None]:
    """The route id of a call and its fingerprint, without surrounding white space.

    Raises
    ------
    ValueError
        When a name or the fingerprint is blank.
    """
    tool, endpoint = tool.strip(), endpoint.strip()
    if not tool or not endpoint:
        raise ValueError("A tool or endpoint name is blank. Name the route that was called.")
    if fingerprint is not None:
        fingerprint = fingerprint.strip()
        if not fingerprint:
            raise ValueError("An endpoint fingerprint is blank. Pass None where there is none.")
    return f"{tool}.{endpoint}", fingerprint


def _key(route: str, fingerprint: str | None) -> str:
    return route if fingerprint is None else f"{route}{_MARK}{fingerprint}"


def _keys(route: str, held: _Generation) -> list[str]:
    keys = [route] if held.bare else []
    return keys if held.fingerprint is None else [*keys, _key(route, held.fingerprint)]


def _size(route: str, held: _Generation) -> int:
    """Characters that a route takes in a checkpoint, its escapes included."""
    return sum(len(json.dumps(key)) + _KEY_MARKS for key in _keys(route, held))


def _parsed(key: object, what: str) -> tuple[str, str | None]:
    """Route id and fingerprint of a key: the first ``@`` stands between them."""
    if not isinstance(key, str) or len(key) > MAX_KEY_CHARACTERS or not _is_text(key):
        raise CheckpointError(
            f"The checkpoint of {what} holds a route that is no text of at most "
            f"{MAX_KEY_CHARACTERS} characters. Restore another one."
        )
    route, mark, fingerprint = key.partition(_MARK)
    if not _is_route(route) or (mark and not fingerprint.strip()):
        raise CheckpointError(
            f"The checkpoint of {what} holds {key[:80]!a}, which is not tool.endpoint with an "
            f"optional {_MARK}fingerprint. Restore another one."
        )
    return route, fingerprint if mark else None


def _is_route(route: str) -> bool:
    """Whether some dot has a name on either side; the outermost characters are not blank."""
    return "." in route.strip()[1:-1]


def _is_text(key: str) -> bool:
    """Whether a key can be written: it holds no lone surrogate."""
    try:
        key.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
