from __future__ import annotations

from typing import Any

import pytest

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.access import AuthRequirementSet, AuthSchemeRequirement
from router.interchange import InterchangeError, openapi_from_tool, tool_from_openapi


def document(paths: Any, **members: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, **members}


def operation(method: str = "get", path: str = "/orders", **members: Any) -> EndpointSpec:
    return tool_from_openapi("t", document({path: {method: members}})).endpoints[0]


def body(schema: Any, **members: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}, **members}


ORDER = {
    "type": "object",
    "required": ["id", "lines"],
    "properties": {
        "id": {"type": "string", "description": "Order number", "x-semantic-id": "order.id"},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"sku": {"type": "string"}}},
        },
    },
}
ORDERS = document(
    {
        "/orders/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "operationId": "getOrder",
                "summary": "Get an order",
                "description": "With its lines.",
                "parameters": [
                    {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}},
                    {"name": "session", "in": "cookie", "schema": {"type": "string"}},
                    {
                        "name": "fields",
                        "in": "query",
                        "style": "form",
                        "explode": False,
                        "allowReserved": True,
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                    {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
                ],
                "responses": {
                    "404": body(ORDER, description="No such order"),
                    "200": {"$ref": "#/components/responses/Order"},
                },
            },
            "put": {
                "x-destructive": True,
                "requestBody": body(
                    {
                        "type": "object",
                        "required": ["id", "note", "revision"],
                        "properties": {
                            "id": {"type": "string"},
                            "note": {"type": "string", "description": "A note"},
                            "weight": {"type": "number", "x-unit": "kg", "x-dimension": "mass"},
                            "revision": {"type": "integer", "readOnly": True},
                        },
                    },
                    required=True,
                ),
                "responses": {"204": {"description": "Done"}},
            },
        }
    },
    components={
        "parameters": {
            "Id": {
                "name": "id",
                "in": "path",
                "required": True,
                "description": "Order number",
                "x-semantic-id": "order.id",
                "schema": {"type": "string", "x-identifier": True},
            }
        },
        "responses": {"Order": body({"$ref": "#/components/schemas/Order"}, description="")},
        "schemas": {"Order": ORDER},
    },
)
ORDERS["info"]["description"] = "Sells things"


def test_operations_become_endpoints() -> None:
    tool = tool_from_openapi("shop", ORDERS, namespace="eu")
    assert (tool.key, tool.description) == ("eu.shop", "Sells things")
    get, put = tool.endpoints
    assert get.description == "Get an order\n\nWith its lines."
    assert (get.name, get.method, get.path) == ("getOrder", "GET", "/orders/{id}")
    assert get.parameters == (
        ParameterSpec(
            name="id",
            location="path",
            required=True,
            description="Order number",
            json_schema={"type": "string"},
            semantic_id="order.id",
            identifier=True,
        ),
        ParameterSpec(name="If-None-Match", location="header", json_schema={"type": "string"}),
        ParameterSpec(name="session", location="cookie", json_schema={"type": "string"}),
        ParameterSpec(
            name="fields",
            location="query",
            style="form",
            explode=False,
            allow_reserved=True,
            json_schema={"type": "array", "items": {"type": "string"}},
        ),
    )
    assert get.input_schema == {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Order number"},
            "If-None-Match": {"type": "string"},
            "session": {"type": "string"},
            "fields": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["id"],
        "additionalProperties": False,
    }
    assert get.output_fields == (
        FieldSpec(
            name="id",
            path=("id",),
            description="Order number",
            json_schema={"type": "string"},
            semantic_id="order.id",
        ),
        FieldSpec(name="sku", path=("lines[]", "sku"), json_schema={"type": "string"}),
    )
    # An unnamed operation, and a name used in two locations, as the published package has them.
    assert put.name == "put_orders_{id}"
    assert [
        (item.name, item.wire_name, item.location, item.required) for item in put.parameters
    ] == [
        ("path__id", "id", "path", True),
        ("body__id", "id", "body", True),
        ("note", None, "body", True),
        ("weight", None, "body", False),
    ]
    assert (put.parameters[3].unit, put.parameters[3].dimension) == ("kg", "mass")
    assert put.input_schema["required"] == ["path__id", "body__id", "note"]
    assert "additionalProperties" not in put.input_schema
    assert (put.output_fields, put.output_schema) == ((), {})


@pytest.mark.parametrize(("method", "declared", "read_only", "destructive"), [
    ("get", {}, True, None),
    ("head", {}, None, None),
    ("post", {}, None, None),
    ("delete", {}, None, None),
    ("get", {"x-read-only": False}, False, None),
    ("get", {"x-read-only": None}, None, None),
    ("post", {"x-read-only": True, "x-destructive": False}, True, False),
    ("delete", {"x-destructive": True}, None, True),
])  # fmt: skip
def test_effects_are_declared_except_that_get_reads(
    method: str, declared: dict[str, Any], read_only: bool | None, destructive: bool | None
) -> None:
    endpoint = operation(method, **declared)
    assert (endpoint.read_only, endpoint.destructive) == (read_only, destructive)


@pytest.mark.parametrize(("path", "name"), [
    ("/", "get_root"), ("/a/b-c/{id}.json", "get_a_b-c_{id}.json"), ("/x//y/", "get_x__y"),
])  # fmt: skip
def test_unnamed_operations_are_named_as_the_published_package_does(path: str, name: str) -> None:
    assert operation(path=path).name == name


@pytest.mark.parametrize("schema", [
    {"type": "array", "items": {"type": "string"}},
    {"type": "object"},
    {"type": "object", "properties": {}},
    {"oneOf": [{"properties": {"a": {}}}]},
    {"properties": {"a": {}}, "additionalProperties": {"type": "string"}},
    {"properties": {"a": {}}, "minProperties": 1},
    {"type": ["object", "null"], "properties": {"a": {}}},
])  # fmt: skip
def test_a_body_that_is_no_plain_object_is_one_parameter(schema: dict[str, Any]) -> None:
    (parameter,) = operation(
        "post", requestBody=body({**schema, "description": "All", "x-unit": "kg"}, required=True)
    ).parameters
    assert parameter == ParameterSpec(
        name="body",
        location="body_root",
        required=True,
        description="All",
        unit="kg",
        json_schema=schema,
    )


def test_the_properties_of_an_optional_body_are_optional() -> None:
    schema = {"properties": {"a": {}}, "required": ["a"], "additionalProperties": False}
    endpoint = operation("post", requestBody=body(schema))
    assert endpoint.parameters == (ParameterSpec(name="a", location="body"),)
    assert endpoint.input_schema == {
        "type": "object", "properties": {"a": {}}, "additionalProperties": False,
    }  # fmt: skip


def test_json_is_found_among_representations() -> None:
    content = {
        "text/html": {"schema": {}},
        "application/problem+json": {"schema": {"properties": {"problem": {}}}},
        "application/json; charset=utf-8": {"schema": {"properties": {"later": {}}}},
        "application/json": {"schema": {"properties": {"plain": {}}}},
    }
    found = operation(responses={"200": {"content": content}}).output_fields
    assert [field.name for field in found] == ["plain"]
    del content["application/json"], content["application/json; charset=utf-8"]
    found = operation(responses={"200": {"content": content}}).output_fields
    assert [field.name for field in found] == ["problem"]


def test_the_first_success_with_json_is_the_output() -> None:
    def named(name: str) -> dict[str, Any]:
        return body({"properties": {name: {}}})

    responses = {"default": named("d"), "2XX": named("x"), "500": named("e"), "204": {}}
    assert [item.name for item in operation(responses=responses).output_fields] == ["x"]
    responses = {"202": named("b"), "2XX": named("x"), "201": named("a")}
    assert [item.name for item in operation(responses=responses).output_fields] == ["a"]
    assert operation(responses={"default": named("d")}).output_fields == ()


def test_an_operation_replaces_the_parameters_of_its_path() -> None:
    paths = {
        "/": {
            "parameters": [
                {"name": "a", "in": "query", "description": "shared"},
                {"name": "a", "in": "header"},
            ],
            "get": {"parameters": [{"name": "a", "in": "query", "description": "own"}]},
        }
    }
    (endpoint,) = tool_from_openapi("t", document(paths)).endpoints
    assert [(item.name, item.description) for item in endpoint.parameters] == [
        ("query__a", "own"), ("header__a", ""),
    ]  # fmt: skip


def test_a_choice_of_operations_leaves_the_others_unread() -> None:
    paths = {
        "/a": {"get": {"operationId": "good"}, "post": {"operationId": "bad", "requestBody": {}}},
        "/x-not-an-extension": {"get": {}},
        "x-extension": 1,
    }
    tool = tool_from_openapi("t", document(paths), operations=["good"])
    assert [endpoint.name for endpoint in tool.endpoints] == ["good"]
    with pytest.raises(InterchangeError, match="no operation 'missing'"):
        tool_from_openapi("t", document(paths), operations={"good", "missing"})
    with pytest.raises(InterchangeError, match="no 'content'"):
        tool_from_openapi("t", document(paths))


def test_authentication_is_declared_and_comes_back() -> None:
    schemes = {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "login": {"type": "oauth2", "flows": {}},
        "token": {"type": "http", "scheme": "bearer"},
        "tls": {"type": "mutualTLS"},
    }
    paths = {
        "/a": {"get": {}, "post": {"security": [{"key": [], "login": ["read"]}, {}]}},
        "/b": {"get": {"security": []}},
    }
    tool = tool_from_openapi(
        "t",
        document(
            paths, security=[{"token": []}, {"tls": []}], components={"securitySchemes": schemes}
        ),
    )
    token = AuthSchemeRequirement(
        name="token", kind="http", http_scheme="bearer", declared_type="http"
    )
    tls = AuthSchemeRequirement(name="tls", kind="unsupported", declared_type="mutualTLS")
    key = AuthSchemeRequirement(
        name="key", kind="api_key", location="header", parameter_name="X-Key",
        declared_type="apiKey",
    )  # fmt: skip
    login = AuthSchemeRequirement(
        name="login", kind="oauth2", scopes=("read",), declared_type="oauth2"
    )
    assert [endpoint.auth_requirements for endpoint in tool.endpoints] == [
        (AuthRequirementSet(schemes=(token,)), AuthRequirementSet(schemes=(tls,))),
        (AuthRequirementSet(schemes=(key, login)), AuthRequirementSet()),
        (),
    ]
    assert tool_from_openapi("t", openapi_from_tool(tool)) == tool


def test_an_endpoint_without_address_gets_one_that_is_marked() -> None:
    endpoint = EndpointSpec(
        name="find orders/{x}",
        parameters=(ParameterSpec(name="q", json_schema={"type": "string"}, required=True),),
        input_schema={
            "type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"],
        },
        read_only=False,
    )  # fmt: skip
    tool = ToolSpec(name="t", description="D", endpoints=(endpoint, EndpointSpec(name="now")))
    exported = openapi_from_tool(tool)
    assert exported == {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "0", "description": "D"},
        "paths": {
            "/find%20orders%2F%7Bx%7D": {
                "post": {
                    "operationId": "find orders/{x}",
                    "x-unbound": True,
                    "requestBody": body(endpoint.input_schema, required=True),
                    "x-read-only": False,
                }
            },
            "/now": {"post": {"operationId": "now", "x-unbound": True}},
        },
    }
    assert tool_from_openapi("t", exported) == tool


@pytest.mark.parametrize(("found", "pointer", "what"), [
    ([], "", "an object"),
    ({}, "", "no 'openapi'"),
    ({"openapi": "3.0.3"}, "/openapi", "'3.0.3' is not 3.1"),
    ({"openapi": 3.1}, "/openapi", "a string"),
    (document([]), "/paths", "an object"),
    (document({"/a": {"get": []}}), "/paths/~1a/get", "an object"),
    (document({"/a": {"get": {"operationId": ""}}}), "/paths/~1a/get/operationId", "blank"),
    (document({"/a": {"$ref": "paths.yaml"}}), "/paths/~1a", "out of the document"),
    (document({"/a": {"get": {"operationId": "x"}}, "/b": {"get": {"operationId": "x"}}}),
     "/paths/~1b/get", "second endpoint"),
    (document({"/a": {"get": {"parameters": [{"name": "p", "in": "matrix"}]}}}),
     "/paths/~1a/get/parameters/0/in", "cannot stand in 'matrix'"),
    (document({"/a": {"get": {"parameters": [{"name": "p", "in": "query"}] * 2}}}),
     "/paths/~1a/get/parameters/1", "listed twice"),
    (document({"/a": {"get": {"parameters": [
        {"name": "p", "in": "query", "x-unit": "kg", "schema": {"x-unit": "lb"}}]}}}),
     "/paths/~1a/get/parameters/0", "typed in two ways"),
    (document({"/a": {"post": {"requestBody": {"content": {"text/csv": {"schema": {}}}}}}}),
     "/paths/~1a/post/requestBody/content", "no JSON with a schema"),
    (document({"/a": {"post": {"parameters": [{"name": "query__p", "in": "query"},
        {"name": "p", "in": "query"}, {"name": "p", "in": "header"}]}}}),
     "/paths/~1a/post/parameters/1", "named 'query__p' already"),
    (document({"/a": {"get": {"security": [{"k": []}]}}}), "/paths/~1a/get/security/0/k",
     "no security scheme 'k'"),
    (document({"/a": {"get": {"responses": {"200": body({"properties": {"a.b": {}, "a":
        {"properties": {"b": {}}}}})}}}}), "/paths/~1a/get", "more than once: a.b"),
    (document({"/a": {"get": {"responses": {"200": body({"$ref": "#/components/schemas/N"})}}}},
     components={"schemas": {"N": {"properties": {"n": {"$ref": "#/components/schemas/N"}}}}}),
     "/components/schemas/N/properties/n", "leads back"),
])  # fmt: skip
def test_what_cannot_be_imported_is_named(found: Any, pointer: str, what: str) -> None:
    with pytest.raises(InterchangeError, match=what) as caught:
        tool_from_openapi("t", found)
    assert caught.value.pointer == pointer


def test_what_cannot_be_exported_is_named() -> None:
    one = EndpointSpec(name="a", method="GET", path="/x")
    tool = ToolSpec(name="t", endpoints=(one, one.model_copy(update={"name": "b"})))
    with pytest.raises(InterchangeError, match="has this method and path") as caught:
        openapi_from_tool(tool)
    assert caught.value.pointer == "/endpoints/1"
    tool = ToolSpec(name="t", endpoints=(EndpointSpec(name="a", method="QUERY", path="/x"),))
    with pytest.raises(InterchangeError, match="no method 'QUERY'") as caught:
        openapi_from_tool(tool)
    assert caught.value.pointer == "/endpoints/0/method"
