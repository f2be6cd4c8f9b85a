"""Between the schema of an endpoint's arguments and its parameters."""

from __future__ import annotations

from typing import Any

from router.contract import EndpointSpec, ParameterSpec
from router.interchange.budget import Budget
from router.interchange.building import built
from router.interchange.extension import take_typing, write_typing
from router.interchange.place import Place
from router.interchange.schema import SchemaReader, as_object

__all__ = ["argument_schema", "described", "read_arguments", "written_schema"]


def read_arguments(place: Place, reader: SchemaReader) -> dict[str, Any]:
    """``parameters`` and ``input_schema`` of an endpoint, from the schema of its arguments.

    Each property at the top is a parameter. The input schema is the schema as it stands, with its
    references followed and without the typing, which the parameters carry.

    Raises
    ------
    InterchangeError
        When it is no schema of an object.
    """
    schema = reader.read(place)
    if schema.setdefault("type", "object") != "object":
        raise place.error("Arguments are not described as an object.", "Wrap them in one.")
    required = set(schema.get("required", ()))
    parameters = []
    for name, value in schema.get("properties", {}).items():
        found = schema["properties"][name] = as_object(value)
        typing = take_typing(found)
        parameters.append(
            built(
                ParameterSpec,
                place,
                name=name,
                description=found.get("description", ""),
                required=name in required,
                json_schema={key: item for key, item in found.items() if key != "description"},
                **typing,
            )
        )
    return {"parameters": tuple(parameters), "input_schema": schema}


def argument_schema(endpoint: EndpointSpec, place: Place, budget: Budget) -> dict[str, Any]:
    """The schema of an endpoint's arguments, with what its parameters declare.

    The input schema is the base; what it lacks of a parameter is added.

    Raises
    ------
    InterchangeError
        When the input schema, or a parameter's, cannot be read.
    """
    declared = written_schema(endpoint.input_schema, place.child("input_schema", None), budget)
    schema = {"type": "object", **declared}
    for index, parameter in enumerate(endpoint.parameters):
        properties = schema.setdefault("properties", {})
        known = properties.get(parameter.name)
        if known is None:
            here = place.child("parameters", None).child(str(index), None)
            known = written_schema(parameter.json_schema, here.child("json_schema", None), budget)
            if parameter.required and parameter.name not in schema.setdefault("required", []):
                schema["required"].append(parameter.name)
        properties[parameter.name] = described(as_object(known), parameter)
    return schema


def described(schema: dict[str, Any], parameter: ParameterSpec) -> dict[str, Any]:
    """A schema with the description and typing of a parameter."""
    if parameter.description:
        schema["description"] = parameter.description
    write_typing(schema, parameter)
    return schema


def written_schema(schema: dict[str, Any], place: Place, budget: Budget) -> dict[str, Any]:
    """A copy of a schema that a tool declares, with its references followed.

    Raises
    ------
    InterchangeError
        As :meth:`SchemaReader.read`.
    """
    root = Place(schema, place.keys)
    return SchemaReader(root, budget).read(root)
