"""Between a list of OpenAI functions and a tool."""

from __future__ import annotations

import re
from typing import Any, Final

from router.contract import EndpointSpec, ToolSpec
from router.interchange.arguments import argument_schema, read_arguments
from router.interchange.budget import Budget
from router.interchange.building import built, refuse_twice
from router.interchange.place import Place
from router.interchange.schema import SchemaReader

__all__ = ["openai_from_tool", "tool_from_openai"]

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")


def tool_from_openai(
    name: str, functions: Any, *, description: str = "", namespace: str | None = None
) -> ToolSpec:
    """Import a list of OpenAI functions as one tool, each function an endpoint.

    Parameters
    ----------
    name
        Name of the tool; a list of functions has none.
    functions
        The parsed array, in the form of the chat API (``{"type": "function", "function": ...}``),
        of the responses API (``{"type": "function", "name": ...}``), or the bare functions.
    description
        Description of the tool.
    namespace
        Namespace of the tool.

    Returns
    -------
    ToolSpec
        ``parameters`` as parameters. The form says nothing about outputs and effects: endpoints
        have no output fields, and it is unknown whether they only read.

    Raises
    ------
    InterchangeError
        When the list cannot be imported as it stands.
    """
    root = Place(functions)
    budget = Budget()
    endpoints = [(place, _endpoint(place, budget)) for place in root.items()]
    refuse_twice(endpoints)
    return built(
        ToolSpec,
        root,
        name=name,
        description=description,
        namespace=namespace,
        endpoints=tuple(endpoint for _, endpoint in endpoints),
    )


def openai_from_tool(tool: ToolSpec) -> list[dict[str, Any]]:
    """Export a tool as OpenAI functions, in the form of the chat API.

    Parameters
    ----------
    tool
        The tool; its endpoints become the functions.

    Returns
    -------
    list of dict
        The functions. Typing stands in extension keywords of the schemas.

    Raises
    ------
    InterchangeError
        When an endpoint's name is none that the API takes, or a schema cannot be written; the
        pointer leads into the tool's own JSON.

    Notes
    -----
    Importing it again under the tool's name, description and namespace gives an equal tool, up to
    the following. The input schema, if any, is an object schema that lists the parameters, its
    references followed. Left out is what the form has no place for: output fields and schemas,
    effects, methods, paths, locations, authentication, aliases, metadata.
    """
    budget = Budget()
    return [
        _function(endpoint, Place(None, ("endpoints", str(index))), budget)
        for index, endpoint in enumerate(tool.endpoints)
    ]


def _endpoint(place: Place, budget: Budget) -> EndpointSpec:
    budget.spend(place)
    kind = place.at("type")
    if kind is not None and kind.text() != "function":
        raise kind.error(f"{kind.text()[:80]!a} is not a function.", "Leave it out.")
    function = place.at("function") or place
    parameters = function.at("parameters")
    members: dict[str, Any] = {}
    if parameters is not None and parameters.value is not None:
        members = read_arguments(parameters, SchemaReader(parameters, budget))
    return built(
        EndpointSpec,
        function,
        name=function.need("name").name(),
        description=function.optional_text("description"),
        **members,
    )


def _function(endpoint: EndpointSpec, place: Place, budget: Budget) -> dict[str, Any]:
    if _NAME.match(endpoint.name) is None:
        raise place.child("name", None).error(
            f"{endpoint.name[:80]!a} is no name of a function.",
            "Rename the endpoint with letters, digits, '_' and '-', at most 64.",
        )
    function: dict[str, Any] = {"name": endpoint.name}
    if endpoint.description:
        function["description"] = endpoint.description
    if endpoint.input_schema or endpoint.parameters:
        function["parameters"] = argument_schema(endpoint, place, budget)
    return {"type": "function", "function": function}
