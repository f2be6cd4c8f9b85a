"""Endpoints of one tool have names of their own."""

from __future__ import annotations

from collections.abc import Iterable

from router.contract import EndpointSpec
from router.interchange.place import Place

__all__ = ["refuse_twice"]


def refuse_twice(endpoints: Iterable[tuple[Place, EndpointSpec]]) -> None:
    """Refuse two endpoints of one name.

    Raises
    ------
    InterchangeError
        At the second of them. Nothing is renamed: a suffix would depend on the order.
    """
    seen: set[str] = set()
    for place, endpoint in endpoints:
        if endpoint.name in seen:
            raise place.error(
                f"A second endpoint is named {endpoint.name[:80]!a}.", "Rename one of them."
            )
        seen.add(endpoint.name)
