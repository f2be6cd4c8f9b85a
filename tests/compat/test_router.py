"""Random catalogs through both routers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compat.published import BOTH, by_route, checked, make
from tests.compat.strategies import catalogs, declared, key, namespaced_catalogs, routes, states

# Nothing in a catalog has these letters: every score is 0 and the ranking is the order of routes.
UNKNOWN = "qqqq"


@st.composite
def scenes(
    draw: st.DrawFn, drawn: st.SearchStrategy[list[dict[str, Any]]] = catalogs
) -> dict[str, Any]:
    catalog = draw(drawn)
    names = routes(catalog)
    return {
        "catalog": catalog,
        "state": draw(states),
        "k": draw(st.integers(1, len(names) + 2)),
        "unavailable": draw(st.lists(st.sampled_from(names), unique=True, max_size=2)),
        **draw(declared(names)),
    }


def router_of(package: Any, scene: dict[str, Any]) -> Any:
    router = package.SchemaRouter()
    for tool in scene["catalog"]:
        assert router.add_tool(make(package, "ToolSpec", tool)) == key(tool)
    for route in scene["unavailable"]:
        owner = next(
            tool
            for tool in scene["catalog"]
            if route in [f"{key(tool)}.{one['name']}" for one in tool["endpoints"]]
        )
        router.mark_access_unavailable(key(owner), route.removeprefix(f"{key(owner)}."))
    return router


def arguments(package: Any, scene: dict[str, Any]) -> dict[str, Any]:
    return {
        "execution_state": make(package, "TypedExecutionState", scene["state"]),
        "k": scene["k"],
        "state_requirements": by_route(package, "CapabilityFieldContract", scene["requirements"]),
        "state_preconditions": by_route(package, "CapabilityPrecondition", scene["preconditions"]),
    }


def described(result: Any) -> tuple[Any, ...]:
    return (
        result.query,
        result.registry_version,
        result.requested_k,
        result.total_ranked,
        checked(result.candidates),
        checked(getattr(result, "excluded", ())),
    )


@given(scenes())
def test_routers_answer_alike(scene: dict[str, Any]) -> None:
    """Everything but scores and prose: candidates, exclusions, reasons, and their order."""
    found = []
    for package in BOTH:
        router, given_ = router_of(package, scene), arguments(package, scene)
        plain = router.retrieve(UNKNOWN, k=scene["k"])
        found.append(
            (
                [(one.rank, one.route_id, one.tool, one.endpoint) for one in plain.candidates],
                (plain.query, plain.registry_version, plain.requested_k, plain.total_ranked),
                described(router.retrieve_state_aware(UNKNOWN, **given_)),
                described(router.reretrieve_state_aware(UNKNOWN, **given_)),
                router.unavailable_access_paths(),
            )
        )
    assert found[0] == found[1]


@given(scenes(namespaced_catalogs), st.text("abcxyz_. q", max_size=12))
def test_eligibility_does_not_depend_on_the_ranking(scene: dict[str, Any], query: str) -> None:
    """With a query that matches, ranks are each package's own; who is eligible is not."""
    found = []
    for package in BOTH:
        given_ = {**arguments(package, scene), "k": 1000}
        result = router_of(package, scene).reretrieve_state_aware(query, **given_)
        ranks = [one.candidate.rank for one in result.excluded]
        assert ranks == sorted(ranks)
        found.append(
            (
                {route: verdict for _, route, verdict in checked(result.candidates)},
                {route: verdict for _, route, verdict in checked(result.excluded)},
                result.total_ranked,
            )
        )
    assert found[0] == found[1]


DESCRIBED = (
    "tool",
    "endpoint",
    "tool_description",
    "endpoint_description",
    "input_schema",
    "output_schema",
    "read_only",
    "destructive",
    "source_type",
    "license",
    "provider",
    "access_mode",
    "selection_source",
)
effects = st.fixed_dictionaries(
    {"read_only": st.none() | st.booleans(), "destructive": st.none() | st.booleans()}
)


@given(namespaced_catalogs, st.lists(effects, min_size=16, max_size=16))
def test_candidates_are_described_alike(
    catalog: list[dict[str, Any]], of_endpoints: list[dict[str, Any]]
) -> None:
    marked = [
        {
            **tool,
            "endpoints": [
                {**endpoint, **effect}
                for endpoint, effect in zip(tool["endpoints"], of_endpoints, strict=False)
            ],
        }
        for tool in catalog
    ]
    found = []
    for package in BOTH:
        router = router_of(package, {"catalog": marked, "unavailable": []})
        found.append(
            {
                one.route_id: {name: getattr(one, name) for name in DESCRIBED}
                for one in router.retrieve(UNKNOWN, k=1000).candidates
            }
        )
    assert found[0] == found[1]


class _Preferring:
    """A host's analyser that prefers one endpoint, asynchronously."""

    def __init__(self, package: Any, route: str) -> None:
        self.package = package
        self.route = route

    async def analyze(self, request: Any, registry: Any) -> Any:
        await asyncio.sleep(0)
        assert registry.keys()
        return self.package.QueryIntent(preferred_endpoints=[self.route])


@given(scenes(), st.data())
def test_a_hosts_analyser_is_followed_alike(scene: dict[str, Any], data: st.DataObject) -> None:
    preferred = data.draw(st.sampled_from(routes(scene["catalog"])))
    found = []
    for package in BOTH:
        router = router_of(package, scene)
        router.planner.analyzer = _Preferring(package, preferred)
        result = asyncio.run(router.areretrieve_state_aware(UNKNOWN, **arguments(package, scene)))
        filtered = asyncio.run(router.aretrieve_state_aware(UNKNOWN, **arguments(package, scene)))
        plain = asyncio.run(router.aretrieve(UNKNOWN, k=scene["k"]))
        found.append(
            (
                described(result),
                described(filtered),
                [(one.rank, one.route_id) for one in plain.candidates],
            )
        )
        with pytest.raises(package.PlanningError):
            router.retrieve(UNKNOWN)
    assert found[0] == found[1]


@given(scenes())
def test_preferred_tools_come_first_alike(scene: dict[str, Any]) -> None:
    chosen = key(scene["catalog"][-1])
    found = []
    for package in BOTH:
        request = package.PlanRequest(query=UNKNOWN, preferred_tools=[chosen])
        result = router_of(package, scene).retrieve(request, k=1000)
        found.append([one.route_id for one in result.candidates])
    assert found[0] == found[1]


@given(
    namespaced_catalogs,
    st.lists(st.sampled_from(["add", "replace", "remove"]), max_size=5),
    st.data(),
)
def test_registries_change_alike(
    catalog: list[dict[str, Any]], changes: list[str], data: st.DataObject
) -> None:
    chosen = [data.draw(st.sampled_from(catalog)) for _ in changes]
    found = []
    for package in BOTH:
        router = package.SchemaRouter()
        router.add_tool(make(package, "ToolSpec", catalog[0]))
        steps: list[Any] = []
        for change, tool in zip(changes, chosen, strict=True):
            made = make(package, "ToolSpec", tool)
            try:
                if change == "remove":
                    router.remove_tool(key(tool))
                else:
                    router.add_tool(made, replace=change == "replace")
            except package.RegistrationError:
                steps.append("refused")
            steps.append(tuple(sorted(router.registry.keys())))
        found.append(steps)
    assert found[0] == found[1]
