from __future__ import annotations

from typing import Any

import pytest

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.interchange import InterchangeError, mcp_from_tool, tool_from_mcp

FIND: dict[str, Any] = {
    "name": "find_shipments",
    "description": "List the shipments of a customer.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "customer_id": {
                "type": "string",
                "description": "Customer number",
                "x-semantic-id": "customer.id",
                "x-identifier": True,
            },
            "max_weight": {"type": "number", "x-unit": "kg", "x-dimension": "mass"},
        },
        "required": ["customer_id"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "shipments": {
                "type": "array",
                "description": "The shipments",
                "items": {
                    "type": "object",
                    "properties": {
                        "shipment_id": {"type": "string", "x-semantic-id": "shipment.id"},
                        "weight": {
                            "type": "number",
                            "description": "Declared weight",
                            "x-unit": "lb",
                            "x-qualifiers": {"source": "declared"},
                        },
                        "tags": {
                            "type": "array",
                            "description": "Tags",
                            "items": {"type": "string"},
                        },
                    },
                },
            },
            "total": {"type": "integer"},
        },
        "required": ["shipments"],
    },
    "annotations": {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": True},
}
IMPORTED = EndpointSpec(
    name="find_shipments",
    description="List the shipments of a customer.",
    parameters=(
        ParameterSpec(
            name="customer_id",
            description="Customer number",
            required=True,
            json_schema={"type": "string"},
            semantic_id="customer.id",
            identifier=True,
        ),
        ParameterSpec(
            name="max_weight", json_schema={"type": "number"}, unit="kg", dimension="mass"
        ),
    ),
    input_schema={
        "type": "object",
        "properties": {
            "customer_id": {"type": "string", "description": "Customer number"},
            "max_weight": {"type": "number"},
        },
        "required": ["customer_id"],
        "additionalProperties": False,
    },
    output_fields=(
        FieldSpec(
            name="shipment_id",
            path=("shipments[]", "shipment_id"),
            json_schema={"type": "string"},
            semantic_id="shipment.id",
        ),
        FieldSpec(
            name="weight",
            path=("shipments[]", "weight"),
            description="Declared weight",
            json_schema={"type": "number"},
            unit="lb",
            qualifiers={"source": "declared"},
        ),
        FieldSpec(
            name="tags",
            path=("shipments[]", "tags[]"),
            description="Tags",
            json_schema={"type": "string"},
        ),
        FieldSpec(name="total", path=("total",), json_schema={"type": "integer"}),
    ),
    output_schema={
        "type": "object",
        "properties": {
            "shipments": {
                "type": "array",
                "description": "The shipments",
                "items": {
                    "type": "object",
                    "properties": {
                        "shipment_id": {"type": "string"},
                        "weight": {"type": "number"},
                        "tags": {
                            "type": "array",
                            "description": "Tags",
                            "items": {"type": "string"},
                        },
                    },
                },
            },
            "total": {"type": "integer"},
        },
        "required": ["shipments"],
    },
    read_only=True,
    destructive=False,
)


def listed(**members: Any) -> dict[str, Any]:
    return {"tools": [{"name": "t", "inputSchema": {"type": "object"}, **members}]}


def test_a_listing_becomes_a_tool() -> None:
    tool = tool_from_mcp("freight", {"tools": [FIND]}, description="Freight", namespace="eu")
    assert tool == ToolSpec(
        name="freight", namespace="eu", description="Freight", endpoints=(IMPORTED,)
    )
    assert [field.pointer for field in IMPORTED.output_fields] == [
        "shipments[].shipment_id", "shipments[].weight", "shipments[].tags[]", "total",
    ]  # fmt: skip
    assert tool_from_mcp("freight", [FIND]).endpoints == (IMPORTED,)


def test_a_tool_becomes_a_listing() -> None:
    exported = mcp_from_tool(ToolSpec(name="freight", endpoints=(IMPORTED,)))["tools"]
    expected: dict[str, Any] = {
        **FIND,
        "annotations": {"readOnlyHint": True, "destructiveHint": False},
    }
    # An array's description is its plain items' too.
    shipments = expected["outputSchema"]["properties"]["shipments"]["items"]["properties"]
    items = exported[0]["outputSchema"]["properties"]["shipments"]["items"]["properties"]
    assert items["tags"]["items"] == {"type": "string", "description": "Tags"}
    items["tags"]["items"] = shipments["tags"]["items"]
    assert exported == [expected]


def test_a_hint_that_is_not_given_stays_unknown() -> None:
    (silent,) = tool_from_mcp("t", listed()).endpoints
    assert (silent.read_only, silent.destructive) == (None, None)
    (one,) = tool_from_mcp("t", listed(annotations={"destructiveHint": True})).endpoints
    assert (one.read_only, one.destructive) == (None, True)
    assert "annotations" not in mcp_from_tool(ToolSpec(name="t", endpoints=(silent,)))["tools"][0]


def test_names_type_nothing() -> None:
    properties = {"order_id": {"type": "string", "format": "uuid"}, "weight_kg": {"type": "number"}}
    tool = tool_from_mcp(
        "t",
        listed(
            name="delete_order",
            inputSchema={"type": "object", "properties": properties},
            outputSchema={"type": "object", "properties": properties},
        ),
    )
    (endpoint,) = tool.endpoints
    for item in (*endpoint.parameters, *endpoint.output_fields):
        assert (item.semantic_id, item.unit, item.identifier) == (None, None, False)
    assert endpoint.destructive is None


def test_a_title_stands_in_for_a_description() -> None:
    assert tool_from_mcp("t", listed(title="Title")).endpoints[0].description == "Title"
    both = listed(title="Title", description="Text")
    assert tool_from_mcp("t", both).endpoints[0].description == "Text"


def test_an_output_that_is_no_object_is_left_out_of_a_listing() -> None:
    field = FieldSpec(name="id", path=("[]", "id"))
    endpoint = EndpointSpec(name="e", output_fields=(field,))
    assert mcp_from_tool(ToolSpec(name="t", endpoints=(endpoint,))) == {
        "tools": [{"name": "e", "inputSchema": {"type": "object"}}]
    }


def test_what_schemas_lack_is_added_from_parameters_and_fields() -> None:
    endpoint = EndpointSpec(
        name="e",
        parameters=(ParameterSpec(name="p", required=True, description="P", unit="kg"),),
        output_fields=(
            FieldSpec(name="a", json_schema={"type": "string"}),
            FieldSpec(name="b", path=("rows[]", "deep", "b[]"), semantic_id="b.id"),
        ),
    )
    (exported,) = mcp_from_tool(ToolSpec(name="t", endpoints=(endpoint,)))["tools"]
    assert exported["inputSchema"] == {
        "type": "object",
        "properties": {"p": {"description": "P", "x-unit": "kg"}},
        "required": ["p"],
    }
    b = {"type": "array", "items": {"x-semantic-id": "b.id"}}
    row = {
        "type": "object",
        "properties": {"deep": {"type": "object", "properties": {"b": b}}},
    }
    assert exported["outputSchema"] == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "rows": {"type": "array", "items": row}},
    }


@pytest.mark.parametrize(("document", "pointer", "what"), [
    (None, "", "should be an object"),
    ({}, "", "no 'tools'"),
    ({"tools": {}}, "/tools", "should be an array"),
    ({"tools": [], "nextCursor": "x"}, "/nextCursor", "further pages"),
    ({"tools": [1]}, "/tools/0", "should be an object"),
    ({"tools": [{"name": "t"}]}, "/tools/0", "no 'inputSchema'"),
    ({"tools": [{"inputSchema": {}}]}, "/tools/0", "no 'name'"),
    (listed(name=" "), "/tools/0/name", "blank"),
    (listed(inputSchema={"type": "array"}), "/tools/0/inputSchema", "not described as an object"),
    (listed(outputSchema={"type": "array"}), "/tools/0/outputSchema", "not described as an object"),
    (listed(inputSchema=None), "/tools/0/inputSchema", "should be an object"),
    (listed(annotations={"readOnlyHint": "yes"}), "/tools/0/annotations/readOnlyHint", "true or"),
    (listed(inputSchema={"properties": {"a/b~": {"x-unit": 1}}}),
     "/tools/0/inputSchema/properties/a~1b~0/x-unit", "should be a string"),
    (listed(outputSchema={"properties": {"a": {"x-qualifiers": {"k": 1}}}}),
     "/tools/0/outputSchema/properties/a/x-qualifiers/k", "should be a string"),
    (listed(outputSchema={"properties": {"a[]": {}}}), "/tools/0/outputSchema", "marks arrays"),
    ([listed()["tools"][0]] * 2, "/1", "second endpoint"),
])  # fmt: skip
def test_what_cannot_be_imported_is_named(document: Any, pointer: str, what: str) -> None:
    with pytest.raises(InterchangeError, match=what) as caught:
        tool_from_mcp("t", document)
    assert caught.value.pointer == pointer
    assert str(caught.value).startswith(f"At #{pointer}: ")


def test_what_cannot_be_exported_is_named() -> None:
    scalar = {"type": "object", "properties": {"a": {"type": "string"}}}
    endpoint = EndpointSpec(
        name="e", output_schema=scalar, output_fields=(FieldSpec(name="b", path=("a", "b")),)
    )
    with pytest.raises(InterchangeError, match="no place in the output schema") as caught:
        mcp_from_tool(ToolSpec(name="t", endpoints=(endpoint,)))
    assert caught.value.pointer == "/endpoints/0/output_fields/0"
    endpoint = EndpointSpec(
        name="e", parameters=(ParameterSpec(name="p", json_schema={"maximum": 2**53}),)
    )
    with pytest.raises(InterchangeError, match="beyond") as caught:
        mcp_from_tool(ToolSpec(name="t", endpoints=(endpoint,)))
    assert caught.value.pointer == "/endpoints/0/parameters/0/json_schema/maximum"
