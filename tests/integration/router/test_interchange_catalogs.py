"""The study's own catalogs go through every form that can carry them."""

from __future__ import annotations

import json

from router import CatalogSnapshot, EndpointSpec
from router.interchange import (
    mcp_from_tool,
    openai_from_tool,
    openapi_from_tool,
    tool_from_mcp,
    tool_from_openai,
    tool_from_openapi,
)
from surface.catalog import load_catalogs


def test_the_largest_catalog_comes_back() -> None:
    snapshot = load_catalogs()[500].snapshot
    tools = snapshot.tools.values()
    from_openapi = [
        tool_from_openapi(tool.name, json.loads(json.dumps(openapi_from_tool(tool))))
        for tool in tools
    ]
    from_mcp = [
        tool_from_mcp(
            tool.name, json.loads(json.dumps(mcp_from_tool(tool))), description=tool.description
        )
        for tool in tools
    ]
    assert CatalogSnapshot.of(from_openapi).fingerprint == snapshot.fingerprint
    assert CatalogSnapshot.of(from_mcp).fingerprint == snapshot.fingerprint


def test_openai_brings_back_the_arguments() -> None:
    for tool in load_catalogs()[500].snapshot.tools.values():
        functions = json.loads(json.dumps(openai_from_tool(tool)))
        again = tool_from_openai(tool.name, functions, description=tool.description)
        expected = tuple(
            EndpointSpec(
                name=endpoint.name,
                description=endpoint.description,
                parameters=endpoint.parameters,
                input_schema=endpoint.input_schema,
            )
            for endpoint in tool.endpoints
        )
        assert again.endpoints == expected
