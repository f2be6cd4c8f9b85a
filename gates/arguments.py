"""Logged arguments of a call, parsed as the protocol's section 4 says: nothing is repaired."""

from __future__ import annotations

import json
from typing import Any, Final

from gates.results import Row

_DEEPEST: Final = 64
"""How deep arguments may be nested; deeper ones do not parse (results/README.md)."""


def parse_arguments(call: Row) -> dict[str, Any] | None:
    """Return logged arguments; None where they are not a JSON object of plain values."""
    try:
        value = json.loads(call["arguments"], object_pairs_hook=_object)
        # What has no canonical form was turned away: NaN, bare surrogates, oversized integers.
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    plain = isinstance(value, dict) and bool(call["name"]) and _is_plain(value)
    return value if plain else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("doubled key")
    return dict(pairs)


def _is_plain(value: Any) -> bool:
    """Whether every integer is one that JSON readers keep, and nothing is nested beyond the bound.

    Level by level and not by recursion: an agent may nest its arguments as deeply as JSON is read.
    """
    level = [value]
    for _ in range(_DEEPEST + 1):
        if any(isinstance(item, int) and abs(item) >= 1 << 53 for item in level):
            return False
        nested = [item for item in level if isinstance(item, dict | list)]
        if not nested:
            return True
        level = [
            child
            for item in nested
            for child in (item.values() if isinstance(item, dict) else item)
        ]
    return False
