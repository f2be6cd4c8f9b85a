"""Tool names that every provider accepts, and back to the routes they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from harness.error import ConfigError

SEPARATOR: Final = "__"
_VALID: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")


def tool_name(route: str) -> str:
    """Return the provider-safe name of a route: ``orders.find`` becomes ``orders__find``."""
    return route.replace(".", SEPARATOR)


def tool_names(routes: Iterable[str]) -> Mapping[str, str]:
    """Return the routes of a catalog by tool name.

    Raises
    ------
    ConfigError
        If a name is not valid for every provider or stands for two routes. Nothing is renamed: a
        suffix would depend on the order of registration.
    """
    routes_by_name: dict[str, str] = {}
    for route in routes:
        name = tool_name(route)
        if not _VALID.match(name):
            raise ConfigError(
                f"Route {route!r} has no valid tool name ({name!r}).",
                "Use letters, digits, underscores and hyphens, at most 64 characters.",
            )
        if name in routes_by_name:
            raise ConfigError(
                f"Routes {routes_by_name[name]!r} and {route!r} have one tool name.",
                "Rename one of them.",
            )
        routes_by_name[name] = route
    return MappingProxyType(routes_by_name)
