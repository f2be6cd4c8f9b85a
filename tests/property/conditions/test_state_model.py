"""The state against a second model of the contract, written apart from the first.

The second model keeps a flat list of paths and applies section 3 of the protocol to them one rule
at a time, with plain dictionaries and lists.
"""

from __future__ import annotations

import json
import string
from itertools import pairwise
from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conditions.state import (
    STATE_FIELDS,
    State,
    empty_state,
    read_state,
    render_query,
    split_query,
    state_digest,
    state_json,
    update_state,
)
from router.canonical import sha256_hex
from router.contract import EndpointSpec, FieldSpec
from surface.failure import ERROR_CLASSES, TURNED_AWAY

CUMULATIVE = tuple(
    name for name in STATE_FIELDS if name.startswith(("executed", "observation", "stable"))
)

# Few keys, so that observations and registered fields meet often.
KEYS = st.sampled_from(
    ["a", "b", "order_id", "order_ids", "items", "status", "error", "weight", "ä", "_id", "x.y", ""]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**25), 10**25)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0.0, -0.0, 3.0, 2.5, 1e22])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
OBSERVATIONS = st.dictionaries(KEYS, VALUES, max_size=4)
LABELS = st.text(string.ascii_lowercase, min_size=1, max_size=3)
FIELDS = st.builds(
    lambda path, semantic, unit, dimension, qualifiers, identifier: FieldSpec(
        name=path[-1].removesuffix("[]") or "empty",
        path=path,
        semantic_id=semantic,
        unit=unit,
        dimension=dimension,
        qualifiers=qualifiers,
        identifier=identifier,
    ),
    st.lists(
        st.builds(lambda key, depth: key + "[]" * depth, KEYS, st.integers(0, 2)),
        min_size=1,
        max_size=3,
    ).map(tuple),
    st.none()
    | st.builds(lambda a, b: f"{a}.{b}", LABELS, st.sampled_from(["id", "identifier", "n"])),
    st.none() | st.sampled_from(["kg", "degC", "m"]),
    st.none() | st.sampled_from(["mass", "temperature"]),
    st.dictionaries(LABELS, LABELS, max_size=2),
    st.booleans(),
)
ENDPOINTS = st.builds(
    lambda name, fields: EndpointSpec(name=name, output_fields=tuple(fields)),
    st.sampled_from(["p", "q", "r"]),
    st.lists(FIELDS, max_size=5, unique_by=lambda field: field.pointer),
)


@st.composite
def turns(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the arguments of one update that an executor could give."""
    status = draw(st.sampled_from(["ok", "executed", "error", "blocked"]))
    error, reached = None, True
    if status == "blocked":
        error, reached = "destructive_policy_block: no", False
    elif status == "error":
        error = draw(st.sampled_from(sorted(ERROR_CLASSES)))
        reached = error not in TURNED_AWAY and draw(st.booleans())
        error += draw(st.sampled_from(["", ":", ": a: b"]))
    endpoint = draw(ENDPOINTS)
    registered = draw(st.booleans()) or reached
    return {
        "endpoint": endpoint if registered else None,
        "route_id": f"{draw(st.sampled_from(['s', 't']))}.{endpoint.name}",
        "observation": draw(st.none() | OBSERVATIONS),
        "status": status,
        "error": error,
        "reached": reached,
        "task_incomplete": draw(st.booleans()),
    }


EPISODES = st.lists(turns(), max_size=6)


def paths(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Every (path, value) below a value; the step into an array is the segment '[]'."""
    out: list[tuple[tuple[str, ...], Any]] = []
    if isinstance(value, dict):
        for key in value:
            out += [((*path, "." + key), value[key]), *paths(value[key], (*path, "." + key))]
    if isinstance(value, list):
        for item in value:
            out += [((*path, "[]"), item), *paths(item, (*path, "[]"))]
    return out


def pointer_of(path: tuple[str, ...]) -> str:
    return "".join(path)[1:]


def second_model(query: str, episode: list[dict[str, Any]]) -> dict[str, Any]:
    routes: list[str] = []
    kept: tuple[set[Any], ...] = tuple(set() for _ in range(7))
    names, types, identifiers, semantics, units, dimensions, qualifiers = kept
    status, failure, incomplete = "not_run", None, True
    for turn in episode:
        status, incomplete = turn["status"], turn["task_incomplete"]
        failure = turn["error"].split(":")[0] if turn["error"] else None
        if turn["reached"] and turn["endpoint"] and turn["route_id"] not in routes:
            routes.append(turn["route_id"])
        for path, value in paths(turn["observation"] or {}):
            if {".status", ".error"} & set(path):
                continue
            keys = [segment[1:] for segment in path if segment != "[]"]
            names.add(keys[-1])
            types.add(json_type(value))
            if status not in ("ok", "executed"):
                continue
            # The pointer of an element, and those of the arrays that it is an element of.
            pointers = {pointer_of(path)}
            while path[-1] == "[]":
                path = path[:-1]
                pointers.add(pointer_of(path))
            specs = [f for f in (turn["endpoint"].output_fields) if f.pointer in pointers]
            for spec in specs:
                semantics.add(spec.semantic_id)
                units.add(spec.unit)
                dimensions.add(spec.dimension)
                qualifiers.update("=".join(item) for item in spec.qualifiers.items())
            is_identifier = (
                keys[-1][-3:] == "_id"
                or any(spec.identifier for spec in specs)
                or any(str(s.semantic_id).split(".")[-1] in ("id", "identifier") for s in specs)
            )
            if is_identifier and json_type(value) in ("string", "integer"):
                identifiers.add(value if isinstance(value, str) else f"{int(value)}")
    return {
        "original_query": query,
        "executed_registered_route_ids": routes,
        "observation_field_names": sorted(names),
        "observation_semantic_ids": sorted(semantics - {None}),
        "observation_value_types": sorted(types),
        "observation_units": sorted(units - {None}),
        "observation_dimensions": sorted(dimensions - {None}),
        "observation_qualifiers": sorted(qualifiers),
        "stable_observed_identifiers": sorted(identifiers),
        "last_execution_status": status,
        "last_error_class": failure,
        "task_incomplete_boolean": incomplete,
    }


def json_type(value: Any) -> str:
    """Read the type off the value's JSON text."""
    text = json.dumps(value)
    if text[0] in '{["ntf':
        return {
            "{": "object",
            "[": "array",
            '"': "string",
            "n": "null",
            "t": "boolean",
            "f": "boolean",
        }[text[0]]
    return "integer" if value % 1 == 0 else "number"


def run(query: str, episode: list[dict[str, Any]]) -> list[State]:
    states = [empty_state(query)]
    for turn in episode:
        states.append(update_state(states[-1], **turn))
    return states


QUERIES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(QUERIES, EPISODES)
def test_both_models_agree(query: str, episode: list[dict[str, Any]]) -> None:
    state = run(query, episode)[-1]
    expected = second_model(query, episode)
    assert json.loads(state_json(state)) == expected
    # Sorted keys, no white space, no escapes beyond JSON's own: RFC 8785 for this alphabet.
    text = json.dumps(expected, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert state_json(state) == text
    assert state_digest(state) == sha256_hex(text.encode())


@given(QUERIES, EPISODES)
def test_cumulative_fields_never_lose_a_member(query: str, episode: list[dict[str, Any]]) -> None:
    states = run(query, episode)
    for before, after in pairwise(states):
        assert after.original_query == query
        for name in CUMULATIVE:
            assert set(getattr(before, name)) <= set(getattr(after, name))
        routes = before.executed_registered_route_ids
        assert after.executed_registered_route_ids[: len(routes)] == routes


@given(QUERIES, EPISODES)
def test_rendering_and_reading_are_inverse(query: str, episode: list[dict[str, Any]]) -> None:
    state = run(query, episode)[-1]
    text = render_query(state)
    found, fields = split_query(text)
    assert found == query
    assert fields is not None
    assert "original_query" not in fields
    assert read_state(found, fields) == state
    assert text.startswith(f"{query}\n\n[EXECUTION_STATE]\n{{")


def reversed_objects(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_objects(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [reversed_objects(item) for item in value]
    return value


@given(EPISODES)
def test_order_of_members_does_not_matter(episode: list[dict[str, Any]]) -> None:
    again = []
    for turn in episode:
        endpoint = turn["endpoint"]
        if endpoint is not None:
            fields = tuple(reversed(endpoint.output_fields))
            endpoint = EndpointSpec(name=endpoint.name, output_fields=fields)
        observation = reversed_objects(turn["observation"])
        again.append({**turn, "endpoint": endpoint, "observation": observation})
    assert [state_json(s) for s in run("Q", again)] == [state_json(s) for s in run("Q", episode)]


@given(EPISODES)
def test_states_do_not_keep_what_they_were_given(episode: list[dict[str, Any]]) -> None:
    states = run("Q", episode)
    before = [state_digest(state) for state in states]
    for turn in episode:
        if turn["observation"] is not None:
            turn["observation"].clear()
    assert [state_digest(state) for state in states] == before
    with pytest.raises(pydantic.ValidationError):
        states[-1].task_incomplete_boolean = False  # type: ignore[misc]


@given(EPISODES, st.booleans())
def test_only_the_flag_differs_when_only_the_flag_does(
    episode: list[dict[str, Any]], flag: bool
) -> None:
    state = run("Q", episode)[-1]
    flipped = run("Q", [{**turn, "task_incomplete": flag} for turn in episode])[-1]
    assert flipped.model_dump(exclude={"task_incomplete_boolean"}) == state.model_dump(
        exclude={"task_incomplete_boolean"}
    )


@given(EPISODES, st.text(st.characters(exclude_categories=["Cs"]), max_size=5))
def test_error_texts_and_what_status_and_error_hold_leave_no_trace(
    episode: list[dict[str, Any]], noise: str
) -> None:
    noisy = []
    for turn in episode:
        changed = dict(turn)
        if turn["error"] is not None:
            changed["error"] = turn["error"].split(":")[0] + ": " + noise
        if turn["observation"] is not None:
            changed["observation"] = {**turn["observation"], "error": noise, "status": [noise]}
        noisy.append(changed)
    assert [state_json(s) for s in run("Q", noisy)] == [state_json(s) for s in run("Q", episode)]
