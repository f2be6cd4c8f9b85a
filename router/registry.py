"""The mutable side of a catalog: registering tools and choosing what a caller may see."""

from __future__ import annotations

from collections import Counter
from threading import RLock

from router.contract import EndpointSpec, ToolSpec, route_id
from router.error import DuplicateRouteError, UnknownRouteError
from router.snapshot import CatalogSnapshot

__all__ = ["ToolRegistry"]


class ToolRegistry:
    """Tools of a host, each route visible or hidden.

    Hidden routes never reach a snapshot: they are neither ranked nor counted, so that retrieval
    cannot reveal that they exist. All methods may be called from several threads.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._tools: dict[str, ToolSpec] = {}
        self._owner: dict[str, str] = {}  # tool key of each route
        self._hidden: set[str] = set()
        self._snapshot: CatalogSnapshot | None = None
        self._version = 0

    @property
    def version(self) -> int:
        """How often the visible catalog has changed. Hidden tools leave it alone."""
        return self._version

    def add_tool(self, tool: ToolSpec, *, visible: bool = True, replace: bool = False) -> str:
        """Register a tool with all its endpoints.

        Parameters
        ----------
        tool
            The tool.
        visible
            Whether snapshots hold its routes.
        replace
            Whether a tool of the same key gives way. Its routes' visibility is forgotten.

        Returns
        -------
        str
            The tool's key.

        Raises
        ------
        DuplicateRouteError
            When the tool's key or one of its routes is registered already; nothing changes then.
        """
        with self._lock:
            earlier = self._tools.get(tool.key) if replace else None
            freed = set(self._routes(earlier)) if earlier is not None else set()
            routes = self._routes(tool)
            counts = Counter(routes)
            clash = sorted(
                route
                for route in counts
                if counts[route] > 1 or (route in self._owner and route not in freed)
            )
            if (tool.key in self._tools and not replace) or clash:
                what = f"the route id {clash[0]!r}" if clash else f"the tool name {tool.key!r}"
                raise DuplicateRouteError(
                    f"The registry already holds {what}. Remove it first, or rename the new one."
                )
            shown = bool(freed - self._hidden)
            self._forget(freed)
            self._tools[tool.key] = tool
            self._owner.update(dict.fromkeys(routes, tool.key))
            if not visible:
                self._hidden.update(routes)
            self._changed(shown or (visible and bool(routes)))
            return tool.key

    def register(self, tool: ToolSpec, *, replace: bool = False) -> str:
        """Register a visible tool; see :meth:`add_tool`."""
        return self.add_tool(tool, replace=replace)

    def remove(self, name: str) -> ToolSpec:
        """Remove a tool and its endpoints.

        Returns
        -------
        ToolSpec
            The tool that was removed.

        Raises
        ------
        UnknownRouteError
            When no tool has that key.
        """
        with self._lock:
            if name not in self._tools:
                raise UnknownRouteError(f"The registry has no tool {name!r}. Nothing was removed.")
            tool = self._tools.pop(name)
            routes = set(self._routes(tool))
            shown = bool(routes - self._hidden)
            self._forget(routes)
            self._changed(shown)
            return tool

    def unregister(self, key: str) -> None:
        """Remove a tool; see :meth:`remove`."""
        self.remove(key)

    def get(self, key: str) -> ToolSpec:
        """A registered tool, visible or not, with all its endpoints.

        Raises
        ------
        UnknownRouteError
            When no tool has that key.
        """
        with self._lock:
            if key not in self._tools:
                raise UnknownRouteError(f"The registry has no tool {key!r}. Register it first.")
            return self._tools[key]

    def endpoint(self, tool_key: str, endpoint_name: str) -> EndpointSpec:
        """An endpoint of a registered tool, visible or not.

        Raises
        ------
        UnknownRouteError
            When no tool has that key, or the tool no such endpoint.
        """
        return self.get(tool_key).endpoint(endpoint_name)

    def keys(self) -> tuple[str, ...]:
        """The keys of all tools, visible or not, in the order of registration."""
        with self._lock:
            return tuple(self._tools)

    def tools(self) -> tuple[ToolSpec, ...]:
        """All tools, visible or not, in the order of registration."""
        with self._lock:
            return tuple(self._tools.values())

    def set_visibility(self, name: str, visible: bool) -> None:
        """Show or hide one route, or all routes of a tool.

        Parameters
        ----------
        name
            A route id, or the key of a tool.
        visible
            Whether snapshots hold the route.

        Raises
        ------
        UnknownRouteError
            When neither a tool nor a route has that name.
        """
        with self._lock:
            routes = set(self._routes(self._tools[name]) if name in self._tools else [name])
            for route in routes:
                self.visibility(route)
            before = len(self._hidden)
            if visible:
                self._hidden -= routes
            else:
                self._hidden |= routes
            self._changed(len(self._hidden) != before)

    def visibility(self, route: str) -> bool:
        """Whether a registered route is visible.

        Raises
        ------
        UnknownRouteError
            When no endpoint has that route id.
        """
        with self._lock:
            if route not in self._owner:
                raise UnknownRouteError(
                    f"The registry has no route {route!r}. Register its tool first."
                )
            return route not in self._hidden

    def snapshot(self) -> CatalogSnapshot:
        """The visible routes as they are now; the same object until something changes."""
        return self.versioned_snapshot()[0]

    def versioned_snapshot(self) -> tuple[CatalogSnapshot, int]:
        """The visible routes and the version that they belong to."""
        with self._lock:
            if self._snapshot is None:
                self._snapshot = CatalogSnapshot.of(
                    shown for tool in self._tools.values() if (shown := self._visible(tool))
                )
            return self._snapshot, self._version

    def _changed(self, seen: bool) -> None:
        if seen:
            self._snapshot = None
            self._version += 1

    def _forget(self, routes: set[str]) -> None:
        self._hidden -= routes
        for route in routes:
            del self._owner[route]

    @staticmethod
    def _routes(tool: ToolSpec) -> list[str]:
        return [route_id(tool, endpoint) for endpoint in tool.endpoints]

    def _visible(self, tool: ToolSpec) -> ToolSpec | None:
        """The tool without its hidden endpoints; nothing when no endpoint is left."""
        shown = tuple(item for item in tool.endpoints if route_id(tool, item) not in self._hidden)
        if not shown:
            return None
        return (
            tool
            if len(shown) == len(tool.endpoints)
            else tool.model_copy(update={"endpoints": shown})
        )
