from __future__ import annotations

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.document import FieldWeights, pieces
from tests.unit.router.shop import ORDERS


def test_an_endpoint_is_read_field_by_field() -> None:
    found = list(pieces(ORDERS, ORDERS.endpoints[0], FieldWeights()))
    assert [(weight, text) for weight, text in found if text] == [
        (12, "find_orders"),
        (8, "orders"),
        (4, "List the orders of a customer with their stage."),
        (2, "customer_id"),
        (2, "Customer number"),
        (2, "^CUS-  $"),
        (2, "stage"),
        (2, "Stage of an order"),
        (2, "open"),
        (2, "packed"),
        (2, "delivered"),
        (1, "Orders of the web shop."),
        (1, "order_id"),
        (1, "Order number"),
    ]


def test_schemas_are_read_where_nothing_is_declared() -> None:
    endpoint = EndpointSpec(
        name="e",
        input_schema={
            "properties": {
                "zone": {"description": "Zone of the site", "enum": ["north", 1, None]},
                "mode": {"const": "fast"},
            },
        },
        output_schema={"properties": {"rows": {"items": {"properties": {"batch": {}}}}}},
    )
    texts = [text for _, text in pieces(ToolSpec(name="t"), endpoint, FieldWeights()) if text]
    assert texts == ["e", "t", "mode", "zone", "Zone of the site", "fast", "north", "rows", "batch"]


def test_literals_inside_arrays_and_alternatives_are_read() -> None:
    parameter = ParameterSpec(
        name="p",
        json_schema={
            "type": "array",
            "items": {"anyOf": [{"enum": ["red"]}, {"pattern": r"^INV\d{3}-[A-Z]+$"}]},
            "examples": ["blue"],
        },
    )
    endpoint = EndpointSpec(name="e", parameters=(parameter,))
    texts = [text for _, text in pieces(ToolSpec(name="t"), endpoint, FieldWeights()) if text]
    assert texts == ["e", "t", "p", "blue", "red", "^INV  - +$"]


def test_other_names_count_like_names() -> None:
    endpoint = EndpointSpec(
        name="e",
        operation_aliases=("listThings",),
        parameters=(ParameterSpec(name="p", aliases=("q",)),),
        output_fields=(FieldSpec(name="f", aliases=("g", "h")),),
    )
    tool = ToolSpec(name="t", namespace="eu.shop", endpoints=(endpoint,))
    found = [(weight, text) for weight, text in pieces(tool, endpoint, FieldWeights()) if text]
    assert found == [
        (12, "e"),
        (12, "listThings"),
        (8, "eu.shop.t"),
        (2, "p"),
        (2, "q"),
        (1, "f"),
        (1, "g"),
        (1, "h"),
    ]
