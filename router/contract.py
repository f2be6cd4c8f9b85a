"""What a tool declares about itself: tools, endpoints, parameters and output fields.

These records describe capabilities. Nothing in them can call one. Typing (semantic ids, units,
qualifiers, identifiers) is declared by whoever registers the tool, never inferred from names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, Self

from pydantic import Field, model_validator

from router.access import AuthRequirementSet, ServerProjectionSpec
from router.error import UnknownRouteError
from router.fingerprint import endpoint_fingerprint, tool_fingerprint
from router.frozen import FrozenDict, freeze
from router.record import Json, Name, Opaque, Qualifiers, Record
from router.unit import UnitNormalizationSpec

__all__ = ["EndpointSpec", "FieldSpec", "ParameterSpec", "ToolSpec", "route_id"]

_EMPTY = Field(default_factory=FrozenDict)


class FieldSpec(Record):
    """A field of an endpoint's observation."""

    name: Name
    """The field's name: the last key of its path."""
    semantic_id: str | None = None
    """What the value means, shared between producers and consumers, such as ``order.id``."""
    description: str = ""
    json_schema: Json = _EMPTY
    aliases: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    """Where the field stands; ``[]`` walks through an array: ``("items[]", "order_id")``."""
    result_path: tuple[str, ...] = ()
    """Where the field stands in a result that was normalised, if elsewhere."""
    unit: Name | None = None
    dimension: str | None = None
    unit_normalization: UnitNormalizationSpec | None = None
    qualifiers: Qualifiers = _EMPTY
    identifier: bool = False
    source_type: str | None = None
    license: str | None = None

    @model_validator(mode="after")
    def _has_source_unit(self) -> Self:
        if self.unit_normalization is not None and self.unit is None:
            raise ValueError("a unit is normalised from the provider's unit: declare it as `unit`")
        return self

    @property
    def pointer(self) -> str:
        """The path as one string (``items[].order_id``); the name where no path is declared."""
        return ".".join(self.path) if self.path else self.name

    @property
    def projection_path(self) -> tuple[str, ...]:
        """The path; the name where no path is declared."""
        return self.path or (self.name,)

    @property
    def result_projection_path(self) -> tuple[str, ...]:
        """Where the field stands in a normalised result."""
        return self.result_path or self.projection_path


class ParameterSpec(Record):
    """An argument of an endpoint."""

    name: Name
    wire_name: str | None = None
    """The provider's name for it, where the name differs."""
    description: str = ""
    required: bool = False
    location: Literal["path", "query", "header", "cookie", "body", "body_root", "argument"] = (
        "argument"
    )
    style: str | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    json_schema: Json = _EMPTY
    aliases: tuple[str, ...] = ()
    semantic_id: str | None = None
    unit: Name | None = None
    dimension: str | None = None
    qualifiers: Qualifiers = _EMPTY
    identifier: bool = False


class EndpointSpec(Record):
    """One operation of a tool, with its arguments and what it answers."""

    name: Name
    description: str = ""
    operation_aliases: tuple[str, ...] = ()
    parameters: tuple[ParameterSpec, ...] = ()
    input_schema: Json = _EMPTY
    output_fields: tuple[FieldSpec, ...] = ()
    output_schema: Json = _EMPTY
    method: str | None = None
    path: str | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    server_projection: ServerProjectionSpec | None = None
    auth_requirements: tuple[AuthRequirementSet, ...] = ()
    """Alternatives: any one of the sets is enough."""
    execution_metadata: Json = _EMPTY
    """How the host calls the endpoint. Part of the fingerprint; of no meaning to the router."""
    metadata: Opaque = _EMPTY

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        _refuse_twice("parameter", (item.name for item in self.parameters))
        _refuse_twice("output field", (item.pointer for item in self.output_fields))
        return self

    @property
    def auth_required(self) -> bool:
        """Whether no declared alternative is anonymous."""
        return bool(self.auth_requirements) and all(one.schemes for one in self.auth_requirements)

    @property
    def argument_schema(self) -> Json:
        """The declared input schema; one object of the parameters where none is declared."""
        if self.input_schema:
            return self.input_schema
        required = [item.name for item in self.parameters if item.required]
        derived: Json = freeze(
            {
                "type": "object",
                "properties": {item.name: item.json_schema for item in self.parameters},
                "additionalProperties": False,
                **({"required": required} if required else {}),
            }
        )
        return derived

    @property
    def observation_schema(self) -> Json:
        """The declared output schema; else one flat object of the output fields, if any."""
        if self.output_schema or not self.output_fields:
            return self.output_schema
        properties = {item.name: item.json_schema for item in self.output_fields}
        derived: Json = freeze({"type": "object", "properties": properties})
        return derived

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the declaration without its metadata, computed anew each time."""
        return endpoint_fingerprint(self)


class ToolSpec(Record):
    """A tool: a named group of endpoints."""

    name: Name
    namespace: str | None = None
    description: str = ""
    endpoints: tuple[EndpointSpec, ...] = ()
    source_type: str | None = None
    license: str | None = None
    provider: str | None = None
    access_mode: str | None = None
    remote: bool = False
    execution_metadata: Json = _EMPTY
    metadata: Opaque = _EMPTY

    @property
    def key(self) -> str:
        """The tool's name across a catalog: ``namespace.name``."""
        return f"{self.namespace}.{self.name}" if self.namespace else self.name

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the declaration without its metadata, computed anew each time."""
        return tool_fingerprint(self)

    def endpoint(self, name: str) -> EndpointSpec:
        """The endpoint of a name.

        Raises
        ------
        UnknownRouteError
            When the tool has no such endpoint.
        """
        for endpoint in self.endpoints:
            if endpoint.name == name:
                return endpoint
        raise UnknownRouteError(f"The tool {self.key!r} has no endpoint {name!r}.")


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(f"{what} declared more than once: {', '.join(twice)}")


def route_id(tool: ToolSpec, endpoint: EndpointSpec) -> str:
    """The name of an endpoint across a catalog: ``tool.endpoint``, after the tool's namespace."""
    return f"{tool.key}.{endpoint.name}"
