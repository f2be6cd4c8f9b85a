"""Laws of retrieval over random catalogs, states and declarations."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from router import (
    CatalogSnapshot,
    Fusion,
    LexicalIndex,
    PlanRequest,
    SchemaRouter,
    StateConditionedCapabilityRetrieval,
    ToolSpec,
    TypedExecutionState,
    filter_retrieval_by_state,
    route_id,
)
from tests.property.router.state_strategies import contexts, contracts, preconditions, states
from tests.property.router.strategies import catalogs, texts

ALL = 1000


def router_of(tools: list[ToolSpec]) -> SchemaRouter:
    router = SchemaRouter()
    for tool in tools:
        router.add_tool(tool)
    return router


def routes_of(tools: list[ToolSpec]) -> list[str]:
    return [route_id(tool, endpoint) for tool in tools for endpoint in tool.endpoints]


@st.composite
def scenes(draw: st.DrawFn) -> dict[str, Any]:
    tools = draw(catalogs)
    some = st.sampled_from([*routes_of(tools), "nowhere.x"])
    return {
        "tools": tools,
        "unavailable": draw(st.sets(some, max_size=2)) - {"nowhere.x"},
        "hidden": draw(st.sets(some, max_size=3)) - {"nowhere.x"},
        "query": draw(texts),
        "k": draw(st.integers(1, 8)),
        "given": {
            "execution_state": draw(states),
            "state_requirements": draw(
                st.dictionaries(some, st.lists(contracts, max_size=2), max_size=6)
            ),
            "state_preconditions": draw(
                st.dictionaries(some, st.lists(preconditions, max_size=2), max_size=4)
            ),
            "context": draw(st.none() | contexts),
        },
    }


def prepared(scene: dict[str, Any]) -> SchemaRouter:
    router = router_of(scene["tools"])
    for tool in scene["tools"]:
        for endpoint in tool.endpoints:
            if route_id(tool, endpoint) in scene["unavailable"]:
                router.mark_access_unavailable(tool.key, endpoint.name)
    for route in scene["hidden"]:
        router.registry.set_visibility(route, False)
    return router


@given(catalogs, texts)
def test_retrieval_is_the_ranking(tools: list[ToolSpec], text: str) -> None:
    snapshot = CatalogSnapshot.of(tools)
    ranking = Fusion(snapshot, [(LexicalIndex(snapshot), 1)]).rank(text)
    found = router_of(tools).retrieve(text, k=ALL)
    assert tuple(one.route_id for one in found.candidates) == ranking.routes
    assert tuple(one.score for one in found.candidates) == ranking.scores
    assert tuple(one.matched for one in found.candidates) == ranking.matched
    assert found.total_ranked == len(ranking.routes)


MARKED = st.tuples(texts, st.sampled_from(["[EXECUTION_STATE]", "[EXECUTION_STATE] {}"]), texts)


@given(catalogs, MARKED.map("\n".join), states)
def test_retrieval_knows_no_state(
    tools: list[ToolSpec], text: str, state: TypedExecutionState
) -> None:
    """Neither from the text, nor from an earlier call."""
    snapshot = CatalogSnapshot.of(tools)
    expected = Fusion(snapshot, [(LexicalIndex(snapshot), 1)]).rank(text).routes
    router = router_of(tools)
    router.reretrieve_state_aware(text, execution_state=state)
    assert tuple(one.route_id for one in router.retrieve(text, k=ALL).candidates) == expected


@given(scenes())
def test_the_first_eligible_ones_are_taken_in_order(scene: dict[str, Any]) -> None:
    router = prepared(scene)
    ranked = router.retrieve(scene["query"], k=ALL)
    kept = filter_retrieval_by_state(
        ranked,
        scene["given"]["execution_state"],
        requirements_by_route=scene["given"]["state_requirements"],
        preconditions_by_route=scene["given"]["state_preconditions"],
        context=scene["given"]["context"],
    ).candidates
    found = router.reretrieve_state_aware(scene["query"], k=scene["k"], **scene["given"])
    assert found.candidates == kept[: scene["k"]]
    # Everything else that can be seen is excluded, by rank, and says why.
    eligible = {one.candidate.rank for one in kept}
    rest = [one for one in ranked.candidates if one.rank not in eligible]
    assert [one.candidate for one in found.excluded] == rest
    for one in found.excluded:
        assert not one.eligibility.eligible
        assert one.eligibility.reasons
    assert found.total_ranked == len(ranked.candidates) == len(kept) + len(rest)
    # Filtering looks at the first K only.
    filtered = router.retrieve_state_aware(scene["query"], k=scene["k"], **scene["given"])
    assert filtered.candidates == tuple(one for one in kept if one.candidate.rank <= scene["k"])


@given(scenes())
def test_what_is_hidden_was_never_there(scene: dict[str, Any]) -> None:
    shown = [
        tool.model_copy(update={"endpoints": endpoints})
        for tool in scene["tools"]
        if (
            endpoints := tuple(
                one for one in tool.endpoints if route_id(tool, one) not in scene["hidden"]
            )
        )
    ]
    without = prepared({**scene, "tools": shown, "hidden": set()})
    with_hidden = prepared(scene)

    def ask(router: SchemaRouter) -> StateConditionedCapabilityRetrieval:
        found = router.reretrieve_state_aware(scene["query"], k=ALL, **scene["given"])
        # Versions count changes, and the two have been changed differently.
        return found.model_copy(update={"registry_version": 0})

    assert ask(with_hidden) == ask(without)
    seen = {
        one.candidate.route_id for one in (*ask(with_hidden).candidates, *ask(with_hidden).excluded)
    }
    assert seen == set(routes_of(shown)) - scene["unavailable"]


@given(scenes())
def test_asynchronous_answers_are_the_same(scene: dict[str, Any]) -> None:
    router = prepared(scene)
    query, k, given_ = scene["query"], scene["k"], scene["given"]

    async def ask() -> tuple[object, ...]:
        return (
            await router.aretrieve(query, k=k),
            await router.aretrieve_state_aware(query, k=k, **given_),
            await router.areretrieve_state_aware(query, k=k, **given_),
        )

    assert asyncio.run(ask()) == (
        router.retrieve(query, k=k),
        router.retrieve_state_aware(query, k=k, **given_),
        router.reretrieve_state_aware(query, k=k, **given_),
    )


@given(catalogs, texts, st.data())
def test_preferences_put_first_and_leave_the_rest(
    tools: list[ToolSpec], text: str, data: st.DataObject
) -> None:
    router = router_of(tools)
    preferred = data.draw(st.sets(st.sampled_from([*(tool.key for tool in tools), "nobody"])))
    plain = router.retrieve(text, k=ALL).candidates
    request = PlanRequest(query=text, preferred_tools=tuple(sorted(preferred)))
    found = router.retrieve(request, k=ALL).candidates
    first = [one.route_id for one in plain if one.tool in preferred]
    rest = [one.route_id for one in plain if one.tool not in preferred]
    assert [one.route_id for one in found] == first + rest
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)


@given(scenes())
def test_results_survive_json(scene: dict[str, Any]) -> None:
    found = prepared(scene).reretrieve_state_aware(scene["query"], k=scene["k"], **scene["given"])
    again = StateConditionedCapabilityRetrieval.model_validate_json(found.model_dump_json())
    assert again == found
