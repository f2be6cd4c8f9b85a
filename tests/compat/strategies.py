"""Plain data that both packages take: few names, so that things meet, and gaps everywhere."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TYPE_NAMES = ["string", "integer", "number", "boolean", "null", "array", "object", "geo"]
SEMANTIC_IDS = ["order.id", "purchase.id", "Order.id", "weight", "distance"]
UNITS = ["kg", "g", "m", "km"]
DIMENSIONS = ["mass", "length"]

Plain = dict[str, Any]

types: st.SearchStrategy[Any] = st.sampled_from(TYPE_NAMES) | st.lists(
    st.sampled_from(TYPE_NAMES), min_size=1, max_size=3
)
schemas: st.SearchStrategy[Plain] = st.one_of(
    st.just({}),
    st.builds(lambda one: {"type": one}, types),
    st.builds(lambda one: {"type": one, "enum": ["a"]}, types),
    st.builds(lambda one: {"type": "array", "items": {"type": one}}, types),
    st.sampled_from(
        [
            {"anyOf": [{"type": "string"}]},
            {"enum": ["a"]},
            {"$ref": "#/$defs/x"},
            {"type": []},
            {"type": 5},
            {"type": None},
            {"type": {"a": "string"}},
        ]
    ),
)
qualifiers = st.dictionaries(st.sampled_from(["source", "day"]), st.sampled_from(["1", "2"]))
# Most contracts are complete, or next to nothing would be eligible.
contracts: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {"semantic_id": st.sampled_from(SEMANTIC_IDS)},
    optional={
        "json_schema": st.sampled_from([{"type": "number"}, {"type": "integer"}]) | schemas,
        "unit": st.sampled_from(UNITS),
        "dimension": st.sampled_from(DIMENSIONS),
        "qualifiers": qualifiers,
    },
)
plain_contracts: st.SearchStrategy[Plain] = st.builds(
    lambda meaning, one: {"semantic_id": meaning, "json_schema": {"type": one}},
    st.sampled_from(SEMANTIC_IDS[:3]),
    st.sampled_from(["string", "string", "number", "integer"]),
)
any_contracts: st.SearchStrategy[Plain] = contracts | plain_contracts
contexts: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {},
    optional={
        "semantic_equivalences": st.lists(
            st.fixed_dictionaries(
                {"canonical_id": st.sampled_from(SEMANTIC_IDS)},
                optional={"aliases": st.sets(st.sampled_from(SEMANTIC_IDS), max_size=2)},
            ),
            max_size=3,
        ),
        "unit_conversions": st.lists(
            st.fixed_dictionaries(
                {
                    "dimension": st.sampled_from(DIMENSIONS),
                    "from_unit": st.sampled_from(UNITS),
                    "to_unit": st.sampled_from(UNITS),
                }
            ),
            max_size=6,
        ),
    },
)
identifiers = st.none() | st.sampled_from(["", "A", "AB", "b", "주문"])
observations: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {"contract": any_contracts}, optional={"stable_identifier": identifiers}
)
routes_done = st.lists(st.sampled_from(["a.x", "a.y", "b.x"]), unique=True, max_size=2)
states: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {"observed_fields": st.lists(observations, max_size=5)},
    optional={
        "original_request_ref": st.none() | st.text(max_size=3),
        "completed_route_ids": routes_done,
        "last_status": st.sampled_from(["success", "failure", "partial", "unknown"]),
        "error_class": st.none() | st.sampled_from(["timeout", ""]),
        "task_incomplete": st.booleans(),
    },
)
preconditions: st.SearchStrategy[Plain] = st.one_of(
    st.builds(lambda meaning: {"semantic_id": meaning}, st.sampled_from(SEMANTIC_IDS)),
    st.fixed_dictionaries(
        {
            "semantic_id": st.sampled_from(SEMANTIC_IDS),
            "operator": st.sampled_from(["exists", "equals", "contains"]),
            "value": st.sampled_from(["", "A", "B", "주"]),
        }
    ),
)

# Letters that no query of the comparison has, so that nothing matches and both packages rank by
# route; ASCII without the characters before the full stop, so that both spell that order alike.
# Whether an endpoint only reads is left open, and there are no namespaces: the published package
# lets ties go by these first.
_names = st.text("abcxyz_", min_size=1, max_size=3)
parameters: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {"name": _names},
    optional={"required": st.booleans(), "json_schema": schemas, "description": _names},
)
fields: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {"name": _names},
    optional={
        "json_schema": schemas,
        "semantic_id": _names,
        "aliases": st.lists(_names, max_size=2),
    },
)
endpoints: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {"name": _names},
    optional={
        "description": _names,
        "parameters": st.lists(parameters, max_size=2, unique_by=lambda one: one["name"]),
        "output_fields": st.lists(fields, max_size=2, unique_by=lambda one: one["name"]),
        "input_schema": st.sampled_from([{}, {"type": "object", "minProperties": 1}]),
        "output_schema": st.sampled_from([{}, {"type": "array"}]),
        "metadata": st.dictionaries(_names, st.integers(), max_size=1),
    },
)
tools: st.SearchStrategy[Plain] = st.fixed_dictionaries(
    {
        "name": _names,
        "endpoints": st.lists(endpoints, min_size=1, max_size=4, unique_by=lambda one: one["name"]),
    },
    optional={
        "description": _names,
        "provider": st.none() | _names,
        "license": st.none() | _names,
        "source_type": st.none() | _names,
        "access_mode": st.none() | _names,
    },
)


def key(tool: dict[str, Any]) -> str:
    """The key of a plain tool."""
    return f"{tool['namespace']}.{tool['name']}" if tool.get("namespace") else tool["name"]


def routes(catalog: list[dict[str, Any]]) -> list[str]:
    """The route ids of a plain catalog."""
    return [f"{key(tool)}.{one['name']}" for tool in catalog for one in tool["endpoints"]]


catalogs = st.lists(tools, min_size=1, max_size=4, unique_by=key)
namespaced_catalogs = st.lists(
    st.builds(lambda tool, space: {**tool, "namespace": space}, tools, st.none() | _names),
    min_size=1,
    max_size=4,
    unique_by=key,
)


@st.composite
def declared(draw: st.DrawFn, names: list[str]) -> dict[str, Any]:
    """Requirements and preconditions for some of the routes, and for one that does not exist."""
    some = st.sampled_from([*names, "nowhere.x"])
    return {
        "requirements": draw(
            st.dictionaries(some, st.lists(any_contracts, max_size=3), max_size=5)
        ),
        "preconditions": draw(
            st.dictionaries(some, st.lists(preconditions, max_size=2), max_size=4)
        ),
    }
