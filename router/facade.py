"""The facade: tools go in, candidates come out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from router.availability import AccessAvailability, cooldown
from router.config import RunConfig
from router.contract import ToolSpec
from router.core import RetrievalCore
from router.lexical import LexicalIndex
from router.methods import RetrievalMethods
from router.planner import QueryAnalyzer, SchemaPlanner
from router.ranked_surface import ChannelFactory
from router.registry import ToolRegistry

__all__ = ["ConfiguredSchemaRouter", "SchemaRouter"]


class SchemaRouter(RetrievalMethods):
    """Retrieves capabilities for a request, and in view of a state that the host declares.

    It ranks and describes. It does not call, plan, authorize or retry anything, and its results
    cannot either. All methods may be called from several threads and tasks.

    Parameters
    ----------
    analyzer
        The host's query analyser, synchronous or asynchronous; also ``planner.analyzer``.
    registry
        The tools; a new registry where none is given.
    channels
        Makers of the ranking's channels, each with a positive integer weight. The default, the
        lexical channel alone, needs no model. They are called again whenever the visible catalog
        has changed.
    unavailable_cooldown_seconds
        How long a route stays away after :meth:`mark_access_unavailable`, unless said otherwise.
    clock
        Seconds that never run backwards, for the cooldowns.

    Raises
    ------
    ValueError
        When the cooldown is negative or not finite.
    """

    def __init__(
        self,
        *,
        analyzer: QueryAnalyzer | None = None,
        registry: ToolRegistry | None = None,
        channels: Sequence[tuple[ChannelFactory, int]] = ((LexicalIndex, 1),),
        unavailable_cooldown_seconds: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cooldown = cooldown("unavailable_cooldown_seconds", unavailable_cooldown_seconds)
        self._core = RetrievalCore(
            ToolRegistry() if registry is None else registry,
            SchemaPlanner(analyzer),
            AccessAvailability(clock),
            channels,
        )

    @property
    def registry(self) -> ToolRegistry:
        """The tools."""
        return self._core.registry

    @property
    def planner(self) -> SchemaPlanner:
        """Holds the analyser."""
        return self._core.planner

    def add_tool(self, tool: ToolSpec, *, replace: bool = False, visible: bool = True) -> str:
        """Register a tool and return its key; see :meth:`ToolRegistry.add_tool`.

        Marks of unavailability of a tool that is replaced are taken back.
        """
        key = self.registry.add_tool(tool, replace=replace, visible=visible)
        self._core.availability.forget(key)
        return key

    def remove_tool(self, tool_key: str) -> ToolSpec:
        """Remove a tool and return it; see :meth:`ToolRegistry.remove`."""
        tool = self.registry.remove(tool_key)
        self._core.availability.forget(tool_key)
        return tool

    def mark_access_unavailable(
        self, tool_key: str, endpoint: str, *, cooldown_seconds: float | None = None
    ) -> None:
        """Keep a route out of all retrieval for a while.

        Parameters
        ----------
        tool_key, endpoint
            The route.
        cooldown_seconds
            How long; the router's own cooldown where it is not given. A later mark replaces it.

        Raises
        ------
        UnknownRouteError
            When the registry has no such endpoint.
        ValueError
            When the cooldown is negative or not finite.
        """
        self.registry.endpoint(tool_key, endpoint)
        seconds = self._cooldown if cooldown_seconds is None else cooldown_seconds
        self._core.availability.mark_unavailable(
            (tool_key, endpoint), cooldown("cooldown_seconds", seconds)
        )

    def mark_access_available(self, tool_key: str, endpoint: str) -> None:
        """Let a route be retrieved again before its cooldown has passed.

        Raises
        ------
        UnknownRouteError
            When the registry has no such endpoint.
        """
        self.registry.endpoint(tool_key, endpoint)
        self._core.availability.mark_available((tool_key, endpoint))

    def unavailable_access_paths(self) -> tuple[tuple[str, str], ...]:
        """Tool key and endpoint name of each route that is kept out now, in code point order."""
        return self._core.availability.unavailable()

    def with_config(self, config: RunConfig | Mapping[str, Any] | None) -> ConfiguredSchemaRouter:
        """The router with a configuration beside it.

        Raises
        ------
        ValidationError
            When the configuration has members that are not known.
        """
        checked = RunConfig() if config is None else RunConfig.model_validate(config)
        return ConfiguredSchemaRouter(self, checked)


class ConfiguredSchemaRouter(RetrievalMethods):
    """The retrieving side of a router, with a configuration beside it.

    It shares registry, analyser and availability with the router.

    Parameters
    ----------
    router
        The router.
    config
        The configuration.
    """

    def __init__(self, router: SchemaRouter, config: RunConfig) -> None:
        self.router = router
        self.config = config
        self._core = router._core
