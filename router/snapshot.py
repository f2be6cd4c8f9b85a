"""An immutable, fingerprinted view of a catalog: what a ranking is a function of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from router.contract import EndpointSpec, ToolSpec, route_id
from router.error import DuplicateRouteError, UnknownRouteError
from router.fingerprint import catalog_fingerprint

__all__ = ["CatalogSnapshot"]


@dataclass(frozen=True, slots=True, eq=False)
class CatalogSnapshot:
    """The endpoints of some tools in one fixed order.

    Build it with :meth:`of`. Two snapshots are equal when their fingerprints are.
    """

    routes: tuple[str, ...]
    """Route ids sorted by code point; positions in score arrays follow this order."""
    endpoints: tuple[EndpointSpec, ...]
    """The endpoint of each route, parallel to :attr:`routes`."""
    owners: tuple[ToolSpec, ...]
    """The tool of each route, parallel to :attr:`routes`."""
    tools: Mapping[str, ToolSpec]
    """Tools by key, in code point order."""
    fingerprint: str
    """SHA-256 over the canonical JSON of the tools, whatever the order they were given in."""
    _positions: Mapping[str, int] = field(repr=False)
    _array: NDArray[np.object_] = field(repr=False)

    @classmethod
    def of(cls, tools: Iterable[ToolSpec]) -> CatalogSnapshot:
        """Take a snapshot of tools given in any order.

        Raises
        ------
        DuplicateRouteError
            When two tools share a name, or two endpoints a route id. Nothing is renamed: a suffix
            would depend on the order of registration.
        CanonicalError
            When a tool holds a value without a canonical JSON form, such as NaN.
        """
        by_key: dict[str, ToolSpec] = {}
        by_route: dict[str, tuple[ToolSpec, EndpointSpec]] = {}
        for tool in sorted(tools, key=lambda item: item.key):
            if tool.key in by_key:
                raise DuplicateRouteError(f"Two tools are named {tool.key!r}. Rename one of them.")
            by_key[tool.key] = tool
            for endpoint in tool.endpoints:
                route = route_id(tool, endpoint)
                if route in by_route:
                    raise DuplicateRouteError(
                        f"Two endpoints have the route id {route!r}. Rename one of them."
                    )
                by_route[route] = (tool, endpoint)
        routes = tuple(sorted(by_route))
        return cls(
            routes=routes,
            endpoints=tuple(by_route[route][1] for route in routes),
            owners=tuple(by_route[route][0] for route in routes),
            tools=MappingProxyType(by_key),
            fingerprint=catalog_fingerprint(by_key.values()),
            _positions=MappingProxyType({route: index for index, route in enumerate(routes)}),
            _array=np.array(routes, dtype=np.object_),
        )

    def position(self, route: str) -> int:
        """Index of a route in :attr:`routes`.

        Raises
        ------
        UnknownRouteError
            When the snapshot does not hold the route.
        """
        try:
            return self._positions[route]
        except KeyError:
            raise UnknownRouteError(
                f"The catalog has no route {route!r}. Use one of the snapshot's routes."
            ) from None

    def routes_at(self, positions: NDArray[np.intp]) -> tuple[str, ...]:
        """The routes at some positions, in that order; quick for thousands of them."""
        return tuple(self._array[positions].tolist())

    def endpoint(self, route: str) -> EndpointSpec:
        """The endpoint of a route.

        Raises
        ------
        UnknownRouteError
            When the snapshot does not hold the route.
        """
        return self.endpoints[self.position(route)]

    def __contains__(self, route: object) -> bool:
        return route in self._positions

    def __len__(self) -> int:
        return len(self.routes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CatalogSnapshot):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        # Mapping proxies do not pickle; the tools do, and the rest follows from them.
        return CatalogSnapshot.of, (tuple(self.tools.values()),)
