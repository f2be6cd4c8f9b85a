"""Values by path as nested objects, as records hold what is reported of parts of a study."""

from __future__ import annotations

from collections.abc import Mapping

from gates.number import Json

Path = tuple[str, ...]


def nested(items: Mapping[Path, Json]) -> dict[str, Json]:
    """Return values by path as nested objects, in the order given.

    Raises
    ------
    TypeError
        If a path goes on below a value.
    """
    found: dict[str, Json] = {}
    for path, value in items.items():
        node = found
        for name in path[:-1]:
            child = node.setdefault(name, {})
            if not isinstance(child, dict):
                raise TypeError(f"{name} is not a branch")
            node = child
        node[path[-1]] = value
    return found
