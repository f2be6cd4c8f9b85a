"""What a tool declares about itself: tools, endpoints, parameters and output fields.

These records describe capabilities. Nothing in them can call one. Typing (semantic ids, units,
qualifiers, identifiers) is declared by whoever registers the tool, never inferred from names.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

__all__ = ["EndpointSpec", "FieldSpec", "ParameterSpec", "ToolSpec", "route_id"]


def _own(value: Any) -> Any:
    """Copy containers all the way down: the caller's later edits must not reach the record."""
    if isinstance(value, dict):
        return {key: _own(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_own(item) for item in value]
    return value


Schema = Annotated[dict[str, JsonValue], AfterValidator(_own)]
Qualifiers = Annotated[dict[str, str], AfterValidator(_own)]
Name = Annotated[str, Field(min_length=1)]


class _Spec(BaseModel):
    """Frozen record. Its JSON members are the record's own copies and are to be read only."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FieldSpec(_Spec):
    """A field of an endpoint's observation."""

    name: Name
    """The field's name: the last key of its path."""
    semantic_id: str | None = None
    """What the value means, shared between producers and consumers, such as ``order.id``."""
    description: str = ""
    json_schema: Schema = {}
    path: tuple[str, ...] = ()
    """Where the field stands; ``[]`` walks through an array: ``("items[]", "order_id")``."""
    unit: str | None = None
    dimension: str | None = None
    qualifiers: Qualifiers = {}
    identifier: bool = False

    @property
    def pointer(self) -> str:
        """The path as one string (``items[].order_id``); the name where no path is declared."""
        return ".".join(self.path) if self.path else self.name


class ParameterSpec(_Spec):
    """An argument of an endpoint."""

    name: Name
    description: str = ""
    required: bool = False
    json_schema: Schema = {}
    semantic_id: str | None = None
    unit: str | None = None
    dimension: str | None = None
    qualifiers: Qualifiers = {}
    identifier: bool = False


class EndpointSpec(_Spec):
    """One operation of a tool, with its arguments and what it answers."""

    name: Name
    description: str = ""
    parameters: tuple[ParameterSpec, ...] = ()
    input_schema: Schema = {}
    output_fields: tuple[FieldSpec, ...] = ()
    output_schema: Schema = {}
    read_only: bool | None = None
    destructive: bool | None = None

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        _refuse_twice("parameter", [item.name for item in self.parameters])
        _refuse_twice("output field", [item.pointer for item in self.output_fields])
        return self


class ToolSpec(_Spec):
    """A tool: a named group of endpoints."""

    name: Name
    description: str = ""
    endpoints: tuple[EndpointSpec, ...] = ()


def _refuse_twice(what: str, names: list[str]) -> None:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(f"{what} declared more than once: {', '.join(twice)}")


def route_id(tool: ToolSpec, endpoint: EndpointSpec) -> str:
    """The name of an endpoint across a catalog: ``tool.endpoint``."""
    return f"{tool.name}.{endpoint.name}"
