"""Between the result of MCP's ``tools/list`` and a tool."""

from __future__ import annotations

from typing import Any

from router.contract import EndpointSpec, ToolSpec
from router.interchange.arguments import argument_schema, read_arguments
from router.interchange.budget import Budget
from router.interchange.building import built, refuse_twice
from router.interchange.observation import observation_schema, read_observation
from router.interchange.place import Place
from router.interchange.schema import SchemaReader

__all__ = ["mcp_from_tool", "tool_from_mcp"]

_HINTS = {"readOnlyHint": "read_only", "destructiveHint": "destructive"}


def tool_from_mcp(
    name: str, tools_list_result: Any, *, description: str = "", namespace: str | None = None
) -> ToolSpec:
    """Import what an MCP server lists as one tool, each listed tool an endpoint.

    Parameters
    ----------
    name
        Name of the tool; a listing does not name its server.
    tools_list_result
        The parsed result of ``tools/list``, or its ``tools`` array. A listing in pages is joined
        by the host first.
    description
        Description of the tool, such as the server's instructions.
    namespace
        Namespace of the tool.

    Returns
    -------
    ToolSpec
        ``inputSchema`` as parameters, ``outputSchema`` as output fields, ``readOnlyHint`` and
        ``destructiveHint`` where the server declares them. A hint that is not given stays unknown.

    Raises
    ------
    InterchangeError
        When the listing cannot be imported as it stands.
    """
    root = Place(tools_list_result)
    if isinstance(tools_list_result, list):
        listed = root
    else:
        listed = root.need("tools")
        cursor = root.at("nextCursor")
        if cursor is not None and cursor.value is not None:
            raise cursor.error("The listing has further pages.", "Join their tools first.")
    budget = Budget()
    endpoints = [(place, _endpoint(place, budget)) for place in listed.items()]
    refuse_twice(endpoints)
    return built(
        ToolSpec,
        root,
        name=name,
        description=description,
        namespace=namespace,
        endpoints=tuple(endpoint for _, endpoint in endpoints),
    )


def mcp_from_tool(tool: ToolSpec) -> dict[str, Any]:
    """Export a tool in the form of a ``tools/list`` result.

    Parameters
    ----------
    tool
        The tool; its endpoints become the listed tools.

    Returns
    -------
    dict
        ``{"tools": [...]}``. Typing stands in extension keywords of the schemas.

    Raises
    ------
    InterchangeError
        When a schema of the tool cannot be written; the pointer leads into the tool's own JSON.

    Notes
    -----
    Importing it again under the tool's name, description and namespace gives an equal tool, up to
    the following. The input schema is an object schema that lists the parameters; what a field's
    schema says stands in the output schema; fields have their path; references are followed.
    Left out are an output that is no object, since MCP has none, and what describes a binding:
    methods, paths, locations, authentication, aliases, metadata.
    """
    budget = Budget()
    return {
        "tools": [
            _listed(endpoint, Place(None, ("endpoints", str(index))), budget)
            for index, endpoint in enumerate(tool.endpoints)
        ]
    }


def _endpoint(place: Place, budget: Budget) -> EndpointSpec:
    budget.spend(place)
    schema = place.need("inputSchema")
    members = read_arguments(schema, SchemaReader(schema, budget))
    output = place.at("outputSchema")
    if output is not None and output.value is not None:
        members |= read_observation(output, SchemaReader(output, budget))
        if members["output_schema"].setdefault("type", "object") != "object":
            raise output.error("A result is not described as an object.", "Wrap it in one.")
    annotations = place.at("annotations")
    if annotations is not None and annotations.value is not None:
        members |= {member: annotations.optional_flag(hint) for hint, member in _HINTS.items()}
    return built(
        EndpointSpec,
        place,
        name=place.need("name").name(),
        description=place.optional_text("description") or place.optional_text("title"),
        **members,
    )


def _listed(endpoint: EndpointSpec, place: Place, budget: Budget) -> dict[str, Any]:
    listed: dict[str, Any] = {"name": endpoint.name}
    if endpoint.description:
        listed["description"] = endpoint.description
    listed["inputSchema"] = argument_schema(endpoint, place, budget)
    output = observation_schema(endpoint, place, budget)
    if output and output.get("type", "object") == "object":
        listed["outputSchema"] = {"type": "object", **output}
    hints = {
        hint: value
        for hint, member in _HINTS.items()
        if (value := getattr(endpoint, member)) is not None
    }
    return {**listed, "annotations": hints} if hints else listed
