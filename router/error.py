"""What the router raises."""

from __future__ import annotations

__all__ = [
    "DuplicateRouteError",
    "PlanningError",
    "RegistrationError",
    "SchemaRouterError",
    "UnknownRouteError",
]


class SchemaRouterError(Exception):
    """Base of the errors that the router raises about catalogs and requests."""


class RegistrationError(SchemaRouterError):
    """A tool that the registry cannot take, or does not have."""


class DuplicateRouteError(RegistrationError, ValueError):
    """Two endpoints, or two tools, want the same name."""


class UnknownRouteError(RegistrationError, KeyError):
    """A route or tool that the catalog does not hold."""

    # A KeyError prints the representation of its argument, quotes and all.
    __str__ = Exception.__str__


class PlanningError(SchemaRouterError):
    """A request that cannot be answered as it was made."""
