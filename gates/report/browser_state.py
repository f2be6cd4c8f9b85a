"""What a tool turn changed in the execution state, field by field (protocol, section 3)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Change:
    """One field of the state: what it no longer holds, and what it holds now."""

    name: str
    removed: tuple[str, ...]
    added: tuple[str, ...]


def changes(before: str, after: str) -> tuple[Change, ...]:
    """Return how two states differ, in the order of the fields.

    Parameters
    ----------
    before, after
        Canonical JSON of the states.

    Returns
    -------
    tuple of Change
        Of a field that holds a list, the members that went and came. One whose members only
        changed their order went and came whole.
    """
    old, new = json.loads(before), json.loads(after)
    return tuple(
        _change(name, old.get(name), new.get(name))
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    )


def _change(name: str, old: Any, new: Any) -> Change:
    before, after = _members(old), _members(new)
    if set(before) == set(after):
        return Change(name, before, after)
    return Change(
        name,
        tuple(member for member in before if member not in after),
        tuple(member for member in after if member not in before),
    )


def _members(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(map(_shown, value))
    return () if value is None else (_shown(value),)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
