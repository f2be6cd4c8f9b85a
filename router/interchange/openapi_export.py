"""From a tool to the operations of an OpenAPI 3.1 document."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from router.contract import EndpointSpec, ParameterSpec, ToolSpec
from router.interchange.arguments import argument_schema, described, written_schema
from router.interchange.budget import Budget
from router.interchange.media import JSON_TYPE
from router.interchange.observation import observation_schema
from router.interchange.openapi import DESTRUCTIVE, METHODS, READ_ONLY, UNBOUND
from router.interchange.place import Place
from router.interchange.request import BODY_ROOT, LOCATIONS
from router.interchange.security import security_of, security_scheme

__all__ = ["openapi_from_tool"]


def openapi_from_tool(tool: ToolSpec) -> dict[str, Any]:
    """Export a tool as an OpenAPI 3.1 document.

    Parameters
    ----------
    tool
        The tool; its endpoints become operations. One without method and path becomes a POST of
        its arguments to a path made of its name, marked ``x-unbound``.

    Returns
    -------
    dict
        The document. Typing stands in extension keywords of the schemas, effects in
        ``x-read-only`` and ``x-destructive``.

    Raises
    ------
    InterchangeError
        When two endpoints have one method and path, or a schema cannot be written; the pointer
        leads into the tool's own JSON.

    Notes
    -----
    Importing it again under the tool's name and namespace gives an equal tool, up to the
    following. Operations of one path stand together. The input schema of an endpoint with method
    and path is the object of its parameters, closed unless it has a body that is open; that of
    another endpoint is any object schema that lists the parameters. What a field's schema says
    stands in the output schema; fields have their path; references are followed. An argument
    without a location is taken for a property of the body. Left out is what the form has no place
    for: aliases, unit conversions, server projections, licenses and providers, metadata.
    """
    budget = Budget()
    paths: dict[str, dict[str, Any]] = {}
    schemes: dict[str, Any] = {}
    for index, endpoint in enumerate(tool.endpoints):
        place = Place(None, ("endpoints", str(index)))
        path, method, operation = _operation(endpoint, place, budget)
        if method in paths.setdefault(path, {}):
            raise place.error(
                "A second endpoint has this method and path.", "Export one of them only."
            )
        paths[path][method] = operation
        for requirement in endpoint.auth_requirements:
            for scheme in requirement.schemes:
                described_scheme = security_scheme(scheme)
                if schemes.setdefault(scheme.name, described_scheme) != described_scheme:
                    raise place.error(
                        f"The security scheme {scheme.name[:80]!a} is declared in two ways.",
                        "Rename one of them.",
                    )
    info = {"title": tool.name, "version": "0"}
    if tool.description:
        info["description"] = tool.description
    document: dict[str, Any] = {"openapi": "3.1.0", "info": info, "paths": paths}
    return {**document, "components": {"securitySchemes": schemes}} if schemes else document


def _operation(
    endpoint: EndpointSpec, place: Place, budget: Budget
) -> tuple[str, str, dict[str, Any]]:
    """Path, method and operation of an endpoint."""
    operation: dict[str, Any] = {"operationId": endpoint.name}
    if endpoint.description:
        operation["description"] = endpoint.description
    method = (endpoint.method or "").lower()
    if method and endpoint.path:
        if method not in METHODS:
            raise place.child("method", None).error(
                f"OpenAPI has no method {endpoint.method!a}.", f"Use one of {', '.join(METHODS)}."
            )
        path = endpoint.path
        operation |= _request(endpoint, place, budget)
    else:
        path, method = f"/{quote(endpoint.name, safe='')}", "post"
        operation[UNBOUND] = True
        if endpoint.input_schema or endpoint.parameters:
            operation |= _body(argument_schema(endpoint, place, budget), is_required=True)
    output = observation_schema(endpoint, place, budget)
    if output:
        operation["responses"] = {
            "200": {"description": "Success", "content": {JSON_TYPE: {"schema": output}}}
        }
    if endpoint.auth_requirements:
        operation["security"] = security_of(endpoint.auth_requirements)
    # What GET says by itself is repeated, or taken back.
    if endpoint.read_only is not None or (method == "get" and UNBOUND not in operation):
        operation[READ_ONLY] = endpoint.read_only
    if endpoint.destructive is not None:
        operation[DESTRUCTIVE] = endpoint.destructive
    return path, method, operation


def _request(endpoint: EndpointSpec, place: Place, budget: Budget) -> dict[str, Any]:
    """``parameters`` and ``requestBody`` of an operation."""
    request: dict[str, Any] = {}
    listed: list[dict[str, Any]] = []
    body: dict[str, Any] = {}
    required: list[str] = []
    for index, parameter in enumerate(endpoint.parameters):
        here = place.child("parameters", None).child(str(index), None)
        declared = written_schema(parameter.json_schema, here.child("json_schema", None), budget)
        schema = described(declared, parameter)
        name = parameter.wire_name or parameter.name
        if parameter.location == BODY_ROOT:
            request = _body(schema, is_required=parameter.required)
        elif parameter.location in LOCATIONS:
            listed.append(_parameter(parameter, name, schema))
        else:
            body[name] = schema
            required += [name] if parameter.required else []
    if body:
        if request:
            raise place.error("A body is declared whole and in parts.", "Declare it in one way.")
        closed = endpoint.input_schema.get("additionalProperties") is False
        root: dict[str, Any] = {"type": "object", "properties": body}
        root |= {"required": required} if required else {}
        root |= {"additionalProperties": False} if closed else {}
        request = _body(root, is_required=bool(required))
    return {"parameters": listed, **request} if listed else request


def _parameter(parameter: ParameterSpec, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "in": parameter.location, "schema": schema}
    # The description stands where OpenAPI has it.
    if "description" in schema:
        found["description"] = schema.pop("description")
    if parameter.required:
        found["required"] = True
    if parameter.style is not None:
        found["style"] = parameter.style
    if parameter.explode is not None:
        found["explode"] = parameter.explode
    if parameter.allow_reserved:
        found["allowReserved"] = True
    return found


def _body(schema: dict[str, Any], *, is_required: bool) -> dict[str, Any]:
    body: dict[str, Any] = {"content": {JSON_TYPE: {"schema": schema}}}
    return {"requestBody": {**body, "required": True} if is_required else body}
