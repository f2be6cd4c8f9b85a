from __future__ import annotations

import pytest
from pydantic import JsonValue, ValidationError

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec, route_id


def test_a_pointer_joins_the_path() -> None:
    nested = FieldSpec(name="order_id", path=("items[]", "order_id"))
    assert nested.pointer == "items[].order_id"


def test_a_pointer_without_a_path_is_the_name() -> None:
    assert FieldSpec(name="total").pointer == "total"


def test_a_route_id_joins_tool_and_endpoint() -> None:
    endpoint = EndpointSpec(name="find_orders")
    assert route_id(ToolSpec(name="orders", endpoints=(endpoint,)), endpoint) == (
        "orders.find_orders"
    )


def test_records_are_frozen() -> None:
    endpoint = EndpointSpec(name="find_orders")
    with pytest.raises(ValidationError, match="frozen"):
        endpoint.name = "other"  # type: ignore[misc]


def test_unknown_members_are_refused() -> None:
    with pytest.raises(ValidationError, match="extra"):
        ToolSpec.model_validate({"name": "orders", "surprise": 1})


def test_a_record_owns_its_schema() -> None:
    inner: dict[str, JsonValue] = {"type": "string"}
    schema: dict[str, JsonValue] = {"items": inner}
    parameter = ParameterSpec(name="ids", json_schema=schema)
    inner["type"] = "integer"
    schema["items"] = None
    assert parameter.json_schema == {"items": {"type": "string"}}


def test_parameters_of_one_name_are_refused() -> None:
    twice = (ParameterSpec(name="a"), ParameterSpec(name="a", required=True))
    with pytest.raises(ValidationError, match="parameter declared more than once: a"):
        EndpointSpec(name="e", parameters=twice)


def test_output_fields_of_one_pointer_are_refused() -> None:
    twice = (FieldSpec(name="a.b"), FieldSpec(name="b", path=("a", "b")))
    with pytest.raises(ValidationError, match=r"output field declared more than once: a\.b"):
        EndpointSpec(name="e", output_fields=twice)


@pytest.mark.parametrize("model", [FieldSpec, ParameterSpec, EndpointSpec, ToolSpec])
def test_a_name_is_not_empty(model: type[FieldSpec]) -> None:
    with pytest.raises(ValidationError):
        model(name="")
