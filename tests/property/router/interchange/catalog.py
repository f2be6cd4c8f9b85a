"""Tools as each form carries them, built beside the package: schemas and specs from one tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec

# Names that mean something to JSON Schema or to JSON pointers are names like any other.
words = st.sampled_from(
    ["id", "order_id", "größe", "注文", "a.b", "a/b~c", "$ref", "items", "type"]
)
names = words | st.sampled_from(["x-unit", "properties", "required", "description", "$defs"])
plain_names = st.sampled_from(["find", "cancel_order", "a-b", "v2"])
prose = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
identifiers = st.none() | st.sampled_from(["order.id", "重さ"])

leaf_schemas = st.sampled_from(
    [
        {},
        {"type": "string", "pattern": "^SHP-[0-9]{6}$"},
        {"type": ["number", "null"], "minimum": -1.5},
        {"enum": ["a", None, {"$ref": "#/nowhere", "description": 3}]},
        {"const": {"x-unit": 1}, "title": "T", "x-other": [1]},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"not": {}},
    ]
)
parameter_schemas = leaf_schemas | st.sampled_from(
    [
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
        {"type": "object", "properties": {"inner": {"description": "kept", "x-unit": "kg"}}},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ]
)
typings = st.fixed_dictionaries(
    {},
    optional={
        "semantic_id": st.sampled_from(["order.id", "cargo.weight"]),
        "unit": st.sampled_from(["kg", "degC"]),
        "dimension": st.just("mass"),
        "qualifiers": st.dictionaries(prose, prose, min_size=1, max_size=2),
        "identifier": st.just(True),
    },
)


def noted(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description} if description else dict(schema)


@st.composite
def parameter_lists(draw: st.DrawFn) -> tuple[ParameterSpec, ...]:
    return tuple(
        ParameterSpec(
            name=name,
            description=draw(prose),
            required=draw(st.booleans()),
            json_schema=draw(parameter_schemas),
            **draw(typings),
        )
        for name in draw(st.lists(names, unique=True, max_size=4))
    )


def object_of(parameters: tuple[ParameterSpec, ...]) -> dict[str, Any]:
    """The object schema of some parameters."""
    required = [item.name for item in parameters if item.required]
    return {
        "type": "object",
        "properties": {item.name: noted(item.json_schema, item.description) for item in parameters},
        **({"required": required} if required else {}),
    }


@st.composite
def input_schemas(draw: st.DrawFn, parameters: tuple[ParameterSpec, ...]) -> dict[str, Any]:
    """An object schema that lists some parameters and may say more."""
    extra = st.sampled_from(
        [{}, {"additionalProperties": False}, {"minProperties": 1, "title": "T"}]
    )
    return {**object_of(parameters), **draw(extra)}


# A tree is a leaf (schema, typing), an array of a tree, or an object of trees with a typing.
@st.composite
def leaves(draw: st.DrawFn) -> tuple[str, Any, dict[str, Any], str]:
    return "leaf", draw(leaf_schemas), draw(typings), draw(prose)


trees = st.recursive(
    leaves(),
    lambda inner: (
        st.tuples(st.just("array"), inner)
        | st.tuples(
            st.just("object"),
            st.dictionaries(
                words.filter(lambda word: "." not in word), inner, min_size=1, max_size=3
            ),
            typings,
        )
    ),
    max_leaves=6,
)
roots = st.tuples(
    st.just("object"),
    st.dictionaries(words.filter(lambda word: "." not in word), trees, min_size=1, max_size=3),
    st.just({}),
)


def schema_of(tree: Any) -> dict[str, Any]:
    """The output schema of a tree: without typing, and without what its fields describe."""
    if tree[0] == "leaf":
        return dict(tree[1])
    if tree[0] == "array":
        return {"type": "array", "items": schema_of(tree[1])}
    return {
        "type": "object",
        "properties": {name: schema_of(child) for name, child in tree[1].items()},
    }


def fields_of(tree: Any, path: tuple[str, ...] = ()) -> Iterator[FieldSpec]:
    """The fields of a tree in document order."""
    typing: dict[str, Any] = {}
    description = ""
    if tree[0] == "leaf":
        typing, description = tree[2], tree[3]
    elif tree[0] == "object":
        typing = tree[2]
    # Of an array of arrays the inner one is a plain value.
    inner = tree[0] == "array" and path and path[-1].endswith("[]")
    if tree[0] == "leaf" or inner or (path and typing):
        yield FieldSpec(
            name=path[-1].removesuffix("[]"),
            path=path,
            description=description,
            json_schema=schema_of(tree),
            **typing,
        )
    if tree[0] == "object":
        for name, child in tree[1].items():
            yield from fields_of(child, (*path, name))
    if tree[0] == "array" and not inner:
        yield from fields_of(tree[1], (*path[:-1], path[-1] + "[]"))


def is_carried(tree: Any, in_items: bool = False) -> bool:
    """Below the inner of two nested arrays nothing has a path, so nothing can be typed there."""
    if tree[0] == "leaf":
        return True
    if tree[0] == "array":
        return is_untyped(tree[1]) if in_items else is_carried(tree[1], True)
    return all(is_carried(child) for child in tree[1].values())


def is_untyped(tree: Any) -> bool:
    if tree[0] == "leaf":
        return not tree[2] and not tree[3]
    if tree[0] == "array":
        return is_untyped(tree[1])
    return not tree[2] and all(is_untyped(child) for child in tree[1].values())


@st.composite
def observations(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {}
    tree = draw(roots.filter(is_carried))
    return {"output_fields": tuple(fields_of(tree)), "output_schema": schema_of(tree)}


@st.composite
def unbound_endpoints(draw: st.DrawFn, effects: bool = True) -> EndpointSpec:
    """Endpoints that an MCP server could list."""
    parameters = draw(parameter_lists())
    flags = st.none() | st.booleans()
    return EndpointSpec(
        name=draw(plain_names),
        description=draw(prose),
        parameters=parameters,
        input_schema=draw(input_schemas(parameters)),
        **(
            {"read_only": draw(flags), "destructive": draw(flags), **draw(observations())}
            if effects
            else {}
        ),
    )


BODY_LOCATIONS = ("body", "body_root")


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Parameters with locations, and the input schema that they make."""
    whole = draw(st.booleans())
    places = st.tuples(names, st.sampled_from(["path", "query", "header", "cookie"]))
    drawn = draw(st.lists(places, unique=True, max_size=4))
    if whole:
        drawn += draw(st.sampled_from([[], [("body", "body_root")]]))
    else:
        drawn += [(name, "body") for name in draw(st.lists(names, unique=True, max_size=3))]
    wires = [wire for wire, _ in drawn]
    parameters = []
    for wire, location in drawn:
        shared = wires.count(wire) > 1
        schema = draw(parameter_schemas)
        is_wire = location not in BODY_LOCATIONS
        parameters.append(
            ParameterSpec(
                name=f"{location}__{wire}" if shared else wire,
                wire_name=wire if shared else None,
                location=location,
                description=draw(prose),
                required=location == "path" or draw(st.booleans()),
                # A whole body with properties alone would be taken apart.
                json_schema={**schema, "minProperties": 0} if location == "body_root" else schema,
                style=draw(st.none() | st.just("simple")) if is_wire else None,
                explode=draw(st.none() | st.booleans()) if is_wire else None,
                allow_reserved=is_wire and draw(st.booleans()),
                **draw(typings),
            )
        )
    is_open = any(location == "body" for _, location in drawn) and draw(st.booleans())
    schema = object_of(tuple(parameters))
    return {
        "parameters": tuple(parameters),
        "input_schema": schema if is_open else {**schema, "additionalProperties": False},
    }


@st.composite
def bound_endpoints(draw: st.DrawFn) -> EndpointSpec:
    """Endpoints that an OpenAPI document could describe."""
    return EndpointSpec(
        name=draw(plain_names),
        description=draw(prose),
        method=draw(st.sampled_from(["GET", "POST", "DELETE", "PATCH"])),
        path=draw(st.sampled_from(["/orders/{id}", "/", "/a~b/ü"])),
        read_only=draw(st.none() | st.booleans()),
        destructive=draw(st.none() | st.booleans()),
        **draw(requests()),
        **draw(observations()),
    )


def tools(endpoints: st.SearchStrategy[EndpointSpec]) -> st.SearchStrategy[ToolSpec]:
    return st.builds(
        ToolSpec,
        name=words,
        namespace=st.none() | st.just("eu"),
        description=prose,
        endpoints=st.lists(
            endpoints,
            max_size=3,
            unique_by=(
                lambda item: item.name,
                lambda item: (item.method, item.path) if item.method else item.name,
            ),
        ).map(tuple),
    )
