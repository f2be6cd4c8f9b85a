"""What a form carries comes back; what is not in its normal form gets there in one step."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.interchange import (
    InterchangeError,
    mcp_from_tool,
    openai_from_tool,
    openapi_from_tool,
    tool_from_mcp,
    tool_from_openai,
    tool_from_openapi,
)
from tests.property.router.interchange import catalog


def through_text(document: Any) -> Any:
    """The document as a JSON parser returns it."""
    return json.loads(json.dumps(document, allow_nan=False))


def again_from_mcp(tool: ToolSpec) -> ToolSpec:
    return tool_from_mcp(
        tool.name,
        through_text(mcp_from_tool(tool)),
        description=tool.description,
        namespace=tool.namespace,
    )


def again_from_openai(tool: ToolSpec) -> ToolSpec:
    return tool_from_openai(
        tool.name,
        through_text(openai_from_tool(tool)),
        description=tool.description,
        namespace=tool.namespace,
    )


def again_from_openapi(tool: ToolSpec) -> ToolSpec:
    document = through_text(openapi_from_tool(tool))
    return tool_from_openapi(tool.name, document, namespace=tool.namespace)


@given(catalog.tools(catalog.unbound_endpoints()))
def test_mcp_carries_arguments_outputs_typing_and_effects(tool: ToolSpec) -> None:
    assert again_from_mcp(tool) == tool


@given(catalog.tools(catalog.unbound_endpoints(effects=False)))
def test_openai_carries_arguments_and_typing(tool: ToolSpec) -> None:
    assert again_from_openai(tool) == tool


@given(catalog.tools(catalog.unbound_endpoints() | catalog.bound_endpoints()))
def test_openapi_carries_bindings_as_well(tool: ToolSpec) -> None:
    again = again_from_openapi(tool)
    # The operations of one path stand together.
    assert in_order(again) == in_order(tool)


def in_order(tool: ToolSpec) -> ToolSpec:
    ordered = sorted(tool.endpoints, key=lambda endpoint: endpoint.name)
    return tool.model_copy(update={"endpoints": tuple(ordered)})


def rarely(wrong: list[Any], right: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 30).flatmap(lambda n: right if n else st.sampled_from(wrong))


def with_rare(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A schema, now and then with what cannot be exported."""
    wrong = [
        {"$ref": "#"},
        {"$ref": "https://example.org/x"},
        {"maximum": 2**60},
        {"maximum": float("nan")},
        {"x-semantic-id": 1},
        {"description": 1},
    ]
    return rarely(wrong, st.just({})).map(lambda more: {**schema, **more})


# Schemas as people write them into a spec by hand: anything, including what no form carries.
loose_schemas = st.recursive(
    catalog.parameter_schemas,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": rarely([3, "string"], st.sampled_from(["object", "array"])),
            "properties": st.dictionaries(catalog.names, inner | st.booleans(), max_size=2),
            "items": inner | st.booleans(),
            "anyOf": st.lists(inner, max_size=2),
            "allOf": st.lists(inner, max_size=2),
            "required": st.lists(catalog.names, max_size=2),
            "description": catalog.prose,
            "x-semantic-id": st.just("a.id"),
            "$defs": st.just({"d": {"type": "string", "x-unit": "kg"}}),
            "readOnly": st.booleans(),
        },
    ).flatmap(with_rare),
    max_leaves=5,
) | st.just({"properties": {"id": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"x-unit": "kg"}}})
loose_tools = st.builds(
    ToolSpec,
    name=catalog.words,
    endpoints=st.lists(
        st.builds(
            EndpointSpec,
            name=catalog.plain_names,
            description=catalog.prose,
            method=st.sampled_from([None, "get", "POST", "FETCH"]),
            path=st.sampled_from([None, "/x", ""]),
            input_schema=loose_schemas,
            output_schema=loose_schemas,
            parameters=st.lists(
                st.builds(
                    ParameterSpec,
                    name=catalog.names,
                    wire_name=st.none() | catalog.names,
                    location=st.sampled_from(["argument", "body", "body_root", "query", "path"]),
                    required=st.booleans(),
                    json_schema=loose_schemas,
                ),
                max_size=2,
                unique_by=lambda item: item.name,
            ).map(tuple),
            output_fields=st.lists(
                st.builds(
                    FieldSpec,
                    name=catalog.names,
                    path=st.lists(
                        catalog.words | st.sampled_from(["id[]", "[]", "a[][]"]), max_size=3
                    ).map(tuple),
                    description=catalog.prose,
                    unit=catalog.identifiers,
                    json_schema=loose_schemas,
                ),
                max_size=2,
                unique_by=lambda item: item.pointer,
            ).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
)


@given(loose_tools, st.sampled_from([again_from_mcp, again_from_openai, again_from_openapi]))
def test_any_tool_is_refused_or_reaches_its_normal_form(tool: ToolSpec, again: Any) -> None:
    try:
        normal = again(tool)
    except InterchangeError:
        return
    assert again(normal) == normal
