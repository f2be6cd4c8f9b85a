"""The mutable side of a catalog: registering tools and choosing what a caller may see."""

from __future__ import annotations

from collections import Counter

from router.contract import ToolSpec, route_id
from router.snapshot import CatalogSnapshot, DuplicateRouteError, UnknownRouteError

__all__ = ["ToolRegistry"]


class ToolRegistry:
    """Tools of a host, each route visible or hidden.

    Hidden routes never reach a snapshot: they are neither ranked nor counted, so that retrieval
    cannot reveal that they exist.
    """

    def __init__(self) -> None:
        self._tools: dict[str, ToolSpec] = {}
        self._owner: dict[str, str] = {}  # tool name of each route
        self._hidden: set[str] = set()
        self._snapshot: CatalogSnapshot | None = None

    def add_tool(self, tool: ToolSpec, *, visible: bool = True) -> None:
        """Register a tool with all its endpoints.

        Raises
        ------
        DuplicateRouteError
            When the tool's name or one of its routes is registered already; nothing changes then.
        """
        routes = self._routes(tool)
        counts = Counter(routes)
        clash = sorted(route for route in counts if route in self._owner or counts[route] > 1)
        if tool.name in self._tools or clash:
            what = f"the route id {clash[0]!r}" if clash else f"the tool name {tool.name!r}"
            raise DuplicateRouteError(
                f"The registry already holds {what}. Remove it first, or rename the new one."
            )
        self._tools[tool.name] = tool
        self._owner.update(dict.fromkeys(routes, tool.name))
        if not visible:
            self._hidden.update(routes)
        self._snapshot = None

    def remove(self, name: str) -> None:
        """Remove a tool and its endpoints.

        Raises
        ------
        UnknownRouteError
            When no tool has that name.
        """
        if name not in self._tools:
            raise UnknownRouteError(f"The registry has no tool {name!r}. Nothing was removed.")
        routes = self._routes(self._tools.pop(name))
        self._hidden.difference_update(routes)
        for route in routes:
            del self._owner[route]
        self._snapshot = None

    def set_visibility(self, name: str, visible: bool) -> None:
        """Show or hide one route, or all routes of a tool.

        Parameters
        ----------
        name
            A route id, or the name of a tool.
        visible
            Whether snapshots hold the route.

        Raises
        ------
        UnknownRouteError
            When neither a tool nor a route has that name.
        """
        routes = self._routes(self._tools[name]) if name in self._tools else [name]
        for route in routes:
            self.visibility(route)
        if visible:
            self._hidden.difference_update(routes)
        else:
            self._hidden.update(routes)
        self._snapshot = None

    def visibility(self, route: str) -> bool:
        """Whether a registered route is visible.

        Raises
        ------
        UnknownRouteError
            When no endpoint has that route id.
        """
        if route not in self._owner:
            raise UnknownRouteError(
                f"The registry has no route {route!r}. Register its tool first."
            )
        return route not in self._hidden

    def snapshot(self) -> CatalogSnapshot:
        """The visible routes as they are now; the same object until something changes."""
        if self._snapshot is None:
            self._snapshot = CatalogSnapshot.of(
                visible for tool in self._tools.values() if (visible := self._visible(tool))
            )
        return self._snapshot

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
