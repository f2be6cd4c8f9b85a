"""Documents that are wrong, hostile or huge raise one error, with a pointer, within bounds."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router import ToolSpec
from router.interchange import (
    InterchangeError,
    mcp_from_tool,
    openai_from_tool,
    openapi_from_tool,
    tool_from_mcp,
    tool_from_openai,
    tool_from_openapi,
)

ORDER = {
    "type": "object",
    "description": "An order",
    "properties": {
        "id": {"type": "string", "x-semantic-id": "order.id", "x-identifier": True},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
    },
    "required": ["id"],
    "$defs": {
        "Line": {
            "allOf": [{"properties": {"weight": {"type": "number", "x-unit": "kg"}}}],
            "properties": {"sku": {"type": "string", "x-qualifiers": {"source": "seller"}}},
        }
    },
}
MCP = {
    "tools": [
        {
            "name": "find",
            "title": "Find",
            "inputSchema": ORDER,
            "outputSchema": ORDER,
            "annotations": {"readOnlyHint": True, "destructiveHint": None},
        }
    ],
    "nextCursor": None,
}
OPENAI = [{"type": "function", "function": {"name": "find", "parameters": ORDER}}]
OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "Orders", "version": "1", "description": "Sells"},
    "security": [{"key": []}, {}],
    "paths": {
        "/orders/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "operationId": "find",
                "summary": "Find",
                "parameters": [
                    {"name": "page", "in": "query", "schema": {"type": "integer"}, "explode": True}
                ],
                "responses": {"200": {"$ref": "#/components/responses/Order"}},
            },
            "put": {
                "x-destructive": True,
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/O"}}},
                },
            },
        }
    },
    "components": {
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "x-unit": "kg"}},
        "responses": {
            "Order": {
                "description": "",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/O"}}},
            }
        },
        "schemas": {"O": {"properties": {"id": {"type": "string"}, "n": {"type": ["null"]}}}},
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "login": {"type": "http", "scheme": "bearer"},
        },
    },
}
Import = Callable[[Any], ToolSpec]
FORMS: dict[str, tuple[Any, Import, Callable[[ToolSpec], Any]]] = {
    "mcp": (MCP, lambda document: tool_from_mcp("t", document), mcp_from_tool),
    "openai": (OPENAI, lambda document: tool_from_openai("t", document), openai_from_tool),
    "openapi": (OPENAPI, lambda document: tool_from_openapi("t", document), openapi_from_tool),
}


def places(value: Any, keys: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The keys to every value of a document."""
    found = [keys]
    if isinstance(value, dict):
        for key, item in value.items():
            found += places(item, (*keys, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += places(item, (*keys, index))
    return found


def replaced(document: Any, keys: tuple[Any, ...], value: Any) -> Any:
    if not keys:
        return value
    result = copy.deepcopy(document)
    node = result
    for key in keys[:-1]:
        node = node[key]
    node[keys[-1]] = value
    return result


def deep(depth: int, key: str = "not") -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {key: value}
    return value


def circular() -> dict[str, Any]:
    value: dict[str, Any] = {"type": "object"}
    value["properties"] = {"again": value}
    value["not"] = value
    return value


wrong = st.one_of(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    st.sampled_from(
        [
            2**60, 10**400, float("nan"), float("-inf"), b"bytes", (1, 2), {1, 2}, object(), 1j,
            "\ud800", {"\udfff": 1}, {1: 2}, {None: {}}, [], {}, [[]], [{}], "", " ", "#", "#/",
            {"$ref": "#"}, {"$ref": 1}, {"$ref": "#/tools/0"}, {"$ref": "#/paths"},
            {"$ref": "#/%ff"}, {"$ref": "file:///etc/passwd"}, {"$ref": "#/~2"},
            {"properties": {"": {}}}, {"properties": {"a[]": {}}}, {"properties": {"a.b": {}, "a":
            {"properties": {"b": {}}}}}, {"required": "id"}, {"items": [1]}, {"x-unit": ""},
            {"$dynamicRef": "#x"}, {"allOf": {}}, {"properties": {"id": {"x-unit": "g"}}},
            {"oneOf": [{"properties": {"id": {"x-unit": unit}}} for unit in ("g", "kg")]},
        ]
    ),
    st.builds(deep, st.sampled_from([50, 99, 101, 20_000])),
    st.builds(circular),
)  # fmt: skip


@given(st.sampled_from(sorted(FORMS)), st.data())
def test_a_damaged_document_is_refused_with_a_pointer_or_imported(
    form: str, data: st.DataObject
) -> None:
    document, read, write = FORMS[form]
    keys = data.draw(st.sampled_from(places(document)))
    document = replaced(document, keys, data.draw(wrong))
    try:
        tool = read(document)
        written = write(tool)
    except InterchangeError as error:
        refused = error
    else:
        json.dumps(written, allow_nan=False)
        assert tool.fingerprint
        return
    assert refused.pointer == "" or refused.pointer.startswith("/")
    assert f"{refused.pointer[:99]}".encode("utf-8", "backslashreplace").decode() in str(refused)
    str(refused).encode("utf-8")


@pytest.mark.parametrize("form", sorted(FORMS))
def test_the_whole_documents_import(form: str) -> None:
    document, read, _ = FORMS[form]
    before = copy.deepcopy(document)
    assert read(document).endpoints
    assert document == before


def bomb(levels: int) -> dict[str, Any]:
    """Each level refers twice to the next: 2**levels values, few bytes."""
    names = [f"L{level}" for level in range(levels)]
    schemas: dict[str, Any] = {names[-1]: {"type": "string"}}
    for name, following in pairwise(names):
        reference = {"$ref": f"#/$defs/{following}"}
        schemas[name] = {"properties": {"a": reference, "b": reference}}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/L0"}}, "$defs": schemas}


def listing(schema: Any) -> dict[str, Any]:
    return {"tools": [{"name": "t", "inputSchema": schema}]}


def test_references_that_multiply_are_cut_off() -> None:
    with pytest.raises(InterchangeError, match="more than 250000 values"):
        tool_from_mcp("t", listing(bomb(25)))


def test_many_small_bombs_share_one_budget() -> None:
    tools = [{"name": f"t{n}", "inputSchema": bomb(15)} for n in range(5)]
    with pytest.raises(InterchangeError, match="more than 250000 values") as caught:
        tool_from_mcp("t", {"tools": tools})
    assert caught.value.pointer.startswith("/tools/2/")


def test_the_parameters_of_a_path_count_for_each_operation() -> None:
    shared = [{"name": f"p{n}", "in": "query"} for n in range(10_000)]
    operations = {method: {} for method in ("get", "put", "post", "delete", "patch", "head")}
    document = {"openapi": "3.1.0", "paths": {"/": {"parameters": shared, **operations}}}
    with pytest.raises(InterchangeError, match="more than 250000 values"):
        tool_from_openapi("t", document)


def test_a_long_chain_of_references_is_cut_off() -> None:
    chain = {f"D{n}": {"$ref": f"#/$defs/D{n + 1}"} for n in range(5_000)}
    schema = {"$ref": "#/$defs/D0", "$defs": {**chain, "D5000": {"type": "object"}}}
    with pytest.raises(InterchangeError, match="nested deeper than 100"):
        tool_from_mcp("t", listing(schema))


@pytest.mark.parametrize("schema", [
    deep(100_000), deep(100_000, "items"), deep(100_000, "default"), circular(),
], ids=["schemas", "arrays", "data", "circular"])  # fmt: skip
def test_depth_is_cut_off(schema: dict[str, Any]) -> None:
    with pytest.raises(InterchangeError, match="nested deeper than 100"):
        tool_from_mcp("t", listing({"type": "object", "properties": {"x": schema}}))


def test_depth_within_the_bound_is_taken() -> None:
    schema = {"type": "object", "properties": {"x": deep(95)}}
    tool = tool_from_mcp("t", listing(schema))
    assert tool.endpoints[0].input_schema == schema
    assert tool_from_mcp("t", mcp_from_tool(tool)) == tool


@pytest.mark.parametrize("target", [
    "https://example.org/schema.json", "other.json#/$defs/A", "file:///etc/passwd", "//host/x",
    "/etc/passwd", "", "#anchor", "#/$defs/Missing", "#/$defs/A/0", "#/$defs/List/01",
    "#/$defs/List/-1", "#/$defs/List/9999999999999999999999", "#/%24defs/%41%",
])  # fmt: skip
def test_only_references_into_the_document_are_followed(target: str) -> None:
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": target}},
        "$defs": {"A": {"type": "string"}, "List": [{}]},
    }
    with pytest.raises(InterchangeError) as caught:
        tool_from_mcp("t", listing(schema))
    assert caught.value.pointer == "/tools/0/inputSchema/properties/x"
