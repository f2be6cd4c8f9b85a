"""A registry as a caller may see it."""

from __future__ import annotations

from router.contract import EndpointSpec, ToolSpec
from router.error import UnknownRouteError
from router.snapshot import CatalogSnapshot

__all__ = ["RegistryView"]


class RegistryView:
    """The visible tools at one moment, to be read by an analyser.

    Parameters
    ----------
    snapshot
        The visible catalog.
    version
        The registry's version that it belongs to.
    """

    __slots__ = ("_snapshot", "_version")

    def __init__(self, snapshot: CatalogSnapshot, version: int) -> None:
        self._snapshot = snapshot
        self._version = version

    @property
    def snapshot(self) -> CatalogSnapshot:
        """The visible catalog."""
        return self._snapshot

    @property
    def version(self) -> int:
        """The version of the registry when it was looked at."""
        return self._version

    def keys(self) -> tuple[str, ...]:
        """The keys of the visible tools, in code point order."""
        return tuple(self._snapshot.tools)

    def tools(self) -> tuple[ToolSpec, ...]:
        """The visible tools with their visible endpoints, in the order of their keys."""
        return tuple(self._snapshot.tools.values())

    def get(self, key: str) -> ToolSpec:
        """A visible tool.

        Raises
        ------
        UnknownRouteError
            When no visible tool has that key.
        """
        try:
            return self._snapshot.tools[key]
        except KeyError:
            raise UnknownRouteError(f"There is no tool {key!r}.") from None

    def endpoint(self, tool_key: str, endpoint_name: str) -> EndpointSpec:
        """A visible endpoint.

        Raises
        ------
        UnknownRouteError
            When no visible tool has that key, or the tool no such visible endpoint.
        """
        return self.get(tool_key).endpoint(endpoint_name)
