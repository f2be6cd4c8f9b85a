from __future__ import annotations

import pytest
from pydantic import JsonValue, ValidationError

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec, UnknownRouteError, route_id
from router.access import AuthRequirementSet, AuthSchemeRequirement, ServerProjectionSpec
from router.unit import UnitNormalizationSpec


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
    with pytest.raises(TypeError, match="belongs to a record"):
        parameter.json_schema["items"] = None


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


def test_a_namespace_stands_before_the_name() -> None:
    endpoint = EndpointSpec(name="find_orders")
    tool = ToolSpec(name="orders", namespace="shop.eu", endpoints=(endpoint,))
    assert tool.key == "shop.eu.orders"
    assert route_id(tool, endpoint) == "shop.eu.orders.find_orders"
    assert ToolSpec(name="orders", namespace="").key == "orders"


def test_a_tool_finds_its_endpoints() -> None:
    endpoint = EndpointSpec(name="find_orders")
    tool = ToolSpec(name="orders", endpoints=(EndpointSpec(name="search"), endpoint))
    assert tool.endpoint("find_orders") is endpoint
    with pytest.raises(KeyError) as caught:
        tool.endpoint("nothing")
    assert isinstance(caught.value, UnknownRouteError)
    assert str(caught.value) == "The tool 'orders' has no endpoint 'nothing'."


def test_a_declared_input_schema_is_the_argument_schema() -> None:
    schema: dict[str, JsonValue] = {"type": "object", "minProperties": 1}
    endpoint = EndpointSpec(name="e", input_schema=schema, parameters=(ParameterSpec(name="a"),))
    assert endpoint.argument_schema == schema


def test_parameters_make_an_argument_schema() -> None:
    text: dict[str, JsonValue] = {"type": "string"}
    parameters = (
        ParameterSpec(name="b", json_schema=text, required=True),
        ParameterSpec(name="a", wire_name="A"),
    )
    assert EndpointSpec(name="e", parameters=parameters).argument_schema == {
        "type": "object",
        "properties": {"b": text, "a": {}},
        "additionalProperties": False,
        "required": ["b"],
    }
    assert EndpointSpec(name="e").argument_schema == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_output_fields_make_an_observation_schema() -> None:
    fields = (FieldSpec(name="a", json_schema={"type": "string"}), FieldSpec(name="b"))
    assert EndpointSpec(name="e", output_fields=fields).observation_schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {}},
    }
    assert EndpointSpec(name="e").observation_schema == {}
    declared = EndpointSpec(name="e", output_schema={"type": "array"}, output_fields=fields)
    assert declared.observation_schema == {"type": "array"}


def test_a_field_may_stand_elsewhere_in_a_normalised_result() -> None:
    plain, moved = FieldSpec(name="a"), FieldSpec(name="a", path=("o", "a"), result_path=("r",))
    assert (plain.projection_path, plain.result_projection_path) == (("a",), ("a",))
    assert (moved.projection_path, moved.result_projection_path) == (("o", "a"), ("r",))


def test_a_normalised_unit_has_a_source() -> None:
    to_metres = UnitNormalizationSpec(dimension="length", canonical_unit="m", scale=1000)
    assert FieldSpec(name="a", unit="km", unit_normalization=to_metres).unit == "km"
    with pytest.raises(ValidationError, match="declare it as `unit`"):
        FieldSpec(name="a", unit_normalization=to_metres)


@pytest.mark.parametrize(
    "changed",
    [
        {"dimension": ""},
        {"dimension": " length"},
        {"canonical_unit": ""},
        {"scale": 0.0},
        {"scale": -1.0},
        {"scale": float("inf")},
        {"offset": float("nan")},
    ],
)
def test_a_senseless_conversion_is_refused(changed: dict[str, object]) -> None:
    sound = {"dimension": "length", "canonical_unit": "m"}
    UnitNormalizationSpec.model_validate(sound)
    with pytest.raises(ValidationError):
        UnitNormalizationSpec.model_validate({**sound, **changed})


def test_authentication_is_required_when_no_alternative_is_anonymous() -> None:
    key = AuthRequirementSet(
        schemes=(
            AuthSchemeRequirement(
                name="key", kind="api_key", location="header", parameter_name="X-Key"
            ),
        )
    )
    anonymous = AuthRequirementSet()
    for sets, required in [((), False), ((key,), True), ((key, anonymous), False)]:
        assert EndpointSpec(name="e", auth_requirements=sets).auth_required is required


@pytest.mark.parametrize(
    "declared",
    [
        {"name": "", "kind": "oauth2"},
        {"name": "k", "kind": "api_key", "location": "header"},
        {"name": "k", "kind": "api_key", "parameter_name": "X-Key"},
        {"name": "k", "kind": "http"},
        {"name": "k", "kind": "oauth2", "scopes": ["read", "read"]},
        {"name": "k", "kind": "other"},
    ],
)
def test_an_incomplete_scheme_is_refused(declared: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        AuthSchemeRequirement.model_validate(declared)


def test_a_scheme_stands_in_a_set_once() -> None:
    scheme = AuthSchemeRequirement(name="k", kind="oauth2")
    with pytest.raises(ValidationError, match="more than once"):
        AuthRequirementSet(schemes=(scheme, scheme))


def test_a_projection_names_selectors() -> None:
    projection = ServerProjectionSpec(parameter="fields", field_map={"weight": "wgt"})
    assert projection.selector_for("weight") == "wgt"
    assert projection.selector_for("stage") == "stage"
