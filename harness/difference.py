"""What differs between two trees of values, by dotted key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

ABSENT: Final = "nothing"

_LONG: Final = 64
"""A value of as many characters is shortened in a message; a hash is one."""

_SHOWN: Final = 12


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield dotted key, old and new value of whatever differs; `ABSENT` where there is none."""
    before, after = dict(_leaves(old)), dict(_leaves(new))
    for name in sorted({*before, *after}):
        if before.get(name, ABSENT) != after.get(name, ABSENT):
            yield name, shown(before.get(name, ABSENT)), shown(after.get(name, ABSENT))


def shown(value: object) -> str:
    """Return a value as messages show it: whole unless it is as long as a hash."""
    text = str(value)
    return text if len(text) < _LONG else f"{text[:_SHOWN]}..."


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value of a tree by its dotted path."""
    for key, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
