"""Paths into an observation: concrete (``items[0].id``) and registered (``items[].id``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

_STEP: Final = re.compile(r"([^.\[\]]+)((?:\[\d+\])*)(?:\.|\Z)")
_INDEX: Final = re.compile(r"\[\d+\]")


def value_at(observation: Any, path: str) -> Any:
    """Return the value at a concrete path, or None where nothing stands there."""
    node = observation
    for name, indices in _STEP.findall(path):
        if not isinstance(node, dict) or name not in node:
            return None
        node = node[name]
        for index in _INDEX.findall(indices):
            position = int(index[1:-1])
            if not isinstance(node, list) or position >= len(node):
                return None
            node = node[position]
    return node


def values_at(observation: Any, pointer: str) -> list[Any]:
    """Return every value at a registered pointer: ``items[].id`` walks through all items."""
    nodes = [observation]
    for part in pointer.split("."):
        name = part.removesuffix("[]")
        nodes = [node[name] for node in nodes if isinstance(node, dict) and name in node]
        if part != name:
            nodes = [item for node in nodes if isinstance(node, list) for item in node]
    return nodes


def registered(path: str) -> str:
    """Return the registered pointer of a concrete path: ``items[0].id`` becomes ``items[].id``."""
    return _INDEX.sub("[]", path)


def leaves(value: Any) -> Iterator[Any]:
    """Yield every scalar in an observation, without recursion."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        else:
            yield item
