"""What an endpoint declares about reaching it: authentication and selecting fields.

Declarations only, as they stand in an interface description. They hold no secret, and the router
neither authenticates nor calls anything.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from router.frozen import FrozenDict, freeze
from router.record import Name, Record, Trimmed

__all__ = ["AuthRequirementSet", "AuthSchemeRequirement", "ServerProjectionSpec"]


class AuthSchemeRequirement(Record):
    """One way to authenticate that a provider names."""

    name: Trimmed
    kind: Literal["api_key", "http", "oauth2", "openid_connect", "unsupported"]
    location: Literal["header", "query", "cookie"] | None = None
    """Where an API key travels."""
    parameter_name: str | None = None
    """Name of the header, query parameter or cookie that carries an API key."""
    http_scheme: str | None = None
    """Scheme of the HTTP ``Authorization`` header, such as ``bearer``."""
    scopes: tuple[str, ...] = ()
    declared_type: str | None = None
    """The provider's own word for a kind that is not listed."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "api_key" and not (self.location and self.parameter_name):
            raise ValueError("an API key needs the place and the name it is sent under")
        if self.kind == "http" and not self.http_scheme:
            raise ValueError("HTTP authentication needs its scheme")
        if len(set(self.scopes)) < len(self.scopes):
            raise ValueError("a scope is listed more than once")
        return self


class AuthRequirementSet(Record):
    """Schemes that are needed together. A set without schemes allows anonymous use."""

    schemes: tuple[AuthSchemeRequirement, ...] = ()

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len({scheme.name for scheme in self.schemes}) < len(self.schemes):
            raise ValueError("a scheme is listed more than once")
        return self


_FieldMap = Annotated[dict[Name, Name], AfterValidator(freeze)]


class ServerProjectionSpec(Record):
    """A query parameter by which the provider returns chosen fields only."""

    parameter: Name
    separator: Name = ","
    field_map: _FieldMap = Field(default_factory=FrozenDict)
    """The provider's selector of an output field, by the field's name, where they differ."""

    def selector_for(self, field: str) -> str:
        """The provider's selector of an output field."""
        return self.field_map.get(field, field)
