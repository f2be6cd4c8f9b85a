"""The arguments of an OpenAPI operation: its parameters, and the properties of its JSON body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from router.contract import ParameterSpec
from router.interchange.budget import Budget
from router.interchange.building import built
from router.interchange.extension import TYPING, read_keyword, take_typing
from router.interchange.media import json_schema_of
from router.interchange.place import Place
from router.interchange.schema import SchemaReader, as_object

__all__ = ["BODY", "BODY_ROOT", "LOCATIONS", "read_request", "request_schema"]

LOCATIONS: Final = ("path", "query", "header", "cookie")
BODY: Final = "body"
"""Location of a parameter that is a property of the JSON body."""
BODY_ROOT: Final = "body_root"
"""Location of a parameter that is the JSON body; it is named after :data:`BODY`."""

# What a parameter costs to read, so that sharing many with many operations stays within the bound.
_PARAMETER_VALUES: Final = 5

# OpenAPI, Parameter Object: such headers are described elsewhere and shall be ignored.
_IGNORED_HEADERS: Final = frozenset({"accept", "authorization", "content-type"})

_PLAIN_BODY: Final = frozenset(
    {
        "$comment", "$schema", "additionalProperties", "deprecated", "description", "example",
        "examples", "externalDocs", "properties", "required", "title", "type", "xml",
    }
)  # fmt: skip
"""What the schema of a body may say, apart from extensions, and still be no more than the
parameters that its properties become."""


@dataclass(frozen=True)
class _Argument:
    """A parameter as it was read, before parameters of one name are told apart."""

    place: Place
    wire_name: str
    location: str
    schema: dict[str, Any]
    """Without description and typing."""
    members: dict[str, Any]
    """What else the parameter is made of."""


def read_request(
    operation: Place, shared: Sequence[Place], reader: SchemaReader, budget: Budget
) -> dict[str, Any]:
    """``parameters`` and ``input_schema`` of an operation.

    Where a name is used in several locations, each parameter is named ``location__name`` and keeps
    the name as its wire name. A body that is more than a plain object with properties is one
    parameter, ``body``. The input schema is one object of all parameters; it is open where a plain
    body is.

    Parameters
    ----------
    operation
        The operation.
    shared
        The parameters of its path, which the operation's own replace by name and location.
    reader
        Reads the document's schemas.
    budget
        What may still be read.

    Raises
    ------
    InterchangeError
        When a parameter or the body cannot be imported.
    """
    own = operation.at("parameters")
    found: dict[tuple[str, str], _Argument] = {}
    for group in (shared, own.items() if own is not None else []):
        here: set[tuple[str, str]] = set()
        for listed in group:
            budget.spend(listed, values=_PARAMETER_VALUES)
            argument = _parameter(reader.resolve(listed), reader)
            if argument is None:
                continue
            key = argument.location, argument.wire_name
            if key in here:
                raise listed.error("The parameter is listed twice.", "Leave one out.")
            here.add(key)
            found[key] = argument
    is_open, body = _body(operation, reader)
    return _composed([*found.values(), *body], is_open)


def request_schema(operation: Place, reader: SchemaReader) -> Place | None:
    """The schema of an operation's JSON body, where the operation takes a body.

    Raises
    ------
    InterchangeError
        When it takes a body that is no JSON, or not described.
    """
    listed = operation.at("requestBody")
    if listed is None:
        return None
    content = reader.resolve(listed).need("content")
    declared = json_schema_of(content)
    if declared is None:
        raise content.error(
            "The body has no JSON with a schema.", "Describe its JSON, or leave the operation out."
        )
    return declared


def _parameter(place: Place, reader: SchemaReader) -> _Argument | None:
    name, location = place.need("name").name(), place.need("in").text()
    if location not in LOCATIONS:
        raise place.need("in").error(
            f"A parameter cannot stand in {location[:80]!a}.", f"Use one of {', '.join(LOCATIONS)}."
        )
    if location == "header" and name.lower() in _IGNORED_HEADERS:
        return None
    content = place.at("content")
    declared = place.at("schema") if content is None else json_schema_of(content)
    schema = {} if declared is None else reader.read(declared)
    own = {
        TYPING[keyword]: read_keyword(keyword, value)
        for keyword, value in place.members()
        if keyword in TYPING
    }
    typing = take_typing(schema)
    if any(typing.get(member, value) != value for member, value in own.items()):
        raise place.error("The parameter is typed in two ways.", "Type it in one.")
    below = schema.pop("description", "")
    style = place.at("style")
    return _Argument(
        place=place,
        wire_name=name,
        location=location,
        schema=schema,
        members={
            **typing,
            **own,
            "description": place.optional_text("description") or below,
            # A path without one of its parameters is another path.
            "required": location == "path" or bool(place.optional_flag("required")),
            "style": None if style is None else style.text(),
            "explode": place.optional_flag("explode"),
            "allow_reserved": bool(place.optional_flag("allowReserved")),
        },
    )


def _body(operation: Place, reader: SchemaReader) -> tuple[bool, list[_Argument]]:
    """Whether the body may hold more than what is declared, and its parameters."""
    declared = request_schema(operation, reader)
    if declared is None:
        return False, []
    place = reader.resolve(operation.need("requestBody"))
    schema = reader.read(declared)
    is_required = bool(place.optional_flag("required"))
    properties = schema.get("properties", {})
    is_plain = (
        bool(properties)
        and schema.get("type", "object") == "object"
        and isinstance(schema.get("additionalProperties", True), bool)
        and all(key in _PLAIN_BODY or _is_foreign(key) for key in schema)
    )
    if not is_plain:
        typing = take_typing(schema)
        description = schema.pop("description", "") or place.optional_text("description")
        members = {**typing, "description": description, "required": is_required}
        return False, [_Argument(declared, BODY, BODY_ROOT, schema, members)]
    needed = set(schema.get("required", ())) if is_required else set()
    return schema.get("additionalProperties", True), list(_properties(declared, properties, needed))


def _properties(
    place: Place, properties: dict[str, Any], required: set[str]
) -> Iterator[_Argument]:
    for name, value in properties.items():
        schema = as_object(value)
        if schema.get("readOnly") is True:
            continue  # The provider fills it in; required or not, it is no argument.
        members = {
            **take_typing(schema),
            "description": schema.pop("description", ""),
            "required": name in required,
        }
        yield _Argument(place, name, BODY, schema, members)


def _is_foreign(key: str) -> bool:
    return key.startswith("x-") and key not in TYPING


def _composed(arguments: list[_Argument], is_open: bool) -> dict[str, Any]:
    uses = Counter(argument.wire_name for argument in arguments)
    parameters: dict[str, ParameterSpec] = {}
    for argument in arguments:
        wire_name = argument.wire_name
        shared = uses[wire_name] > 1
        name = f"{argument.location}__{wire_name}" if shared else wire_name
        if name in parameters:
            raise argument.place.error(
                f"Another parameter is named {name[:80]!a} already.", "Rename one of them."
            )
        parameters[name] = built(
            ParameterSpec,
            argument.place,
            name=name,
            wire_name=wire_name if shared else None,
            location=argument.location,
            json_schema=argument.schema,
            **argument.members,
        )
    required = [name for name, item in parameters.items() if item.required]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _described(item) for name, item in parameters.items()},
    }
    if required:
        schema["required"] = required
    if not is_open:
        schema["additionalProperties"] = False
    return {"parameters": tuple(parameters.values()), "input_schema": schema}


def _described(parameter: ParameterSpec) -> dict[str, Any]:
    notes = {"description": parameter.description} if parameter.description else {}
    return {**parameter.json_schema, **notes}
