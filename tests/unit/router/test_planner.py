from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from pydantic import ValidationError

from router import (
    EndpointSpec,
    EvidenceRequirements,
    KeywordAnalyzer,
    PlanningError,
    PlanRequest,
    QueryIntent,
    RegistryView,
    SchemaRouter,
    ToolSpec,
    UnknownRouteError,
)
from tests.unit.router.shop import SHOP

Answer = Callable[[PlanRequest, RegistryView], QueryIntent]


class Analyzer:
    """Answers what it is told to and remembers what it was asked."""

    def __init__(self, answer: Answer | QueryIntent) -> None:
        self.answer = answer
        self.asked: list[tuple[PlanRequest, RegistryView]] = []

    def analyze(self, request: PlanRequest, registry: RegistryView) -> QueryIntent:
        self.asked.append((request, registry))
        return (
            self.answer if isinstance(self.answer, QueryIntent) else self.answer(request, registry)
        )


class AsyncAnalyzer(Analyzer):
    async def analyze(self, request: PlanRequest, registry: RegistryView) -> QueryIntent:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().analyze(request, registry)


def shop(**options: object) -> SchemaRouter:
    router = SchemaRouter(**options)  # type: ignore[arg-type]
    for tool in SHOP:
        router.add_tool(tool)
    return router


def routes(router: SchemaRouter, request: PlanRequest | str, k: int = 50) -> list[str]:
    return [one.route_id for one in router.retrieve(request, k=k).candidates]


QUERY = "list the bins that hold an article"


def test_without_an_analyser_the_request_speaks_for_itself() -> None:
    router = shop()
    assert isinstance(router.planner.analyzer, KeywordAnalyzer)
    assert routes(router, PlanRequest(query=QUERY)) == routes(router, QUERY)


def test_the_analyser_sees_request_and_catalog() -> None:
    analyzer = Analyzer(QueryIntent())
    router = shop(analyzer=analyzer)
    assert router.planner.analyzer is analyzer
    router.retrieve(QUERY)
    [(request, registry)] = analyzer.asked
    assert request == PlanRequest(query=QUERY)
    assert registry.keys() == ("orders", "returns", "warehouse")
    assert registry.version == router.registry.version
    assert registry.snapshot is router.registry.snapshot()
    assert registry.endpoint("orders", "search").name == "search"
    assert [tool.name for tool in registry.tools()] == ["orders", "returns", "warehouse"]


def test_the_analyser_does_not_see_what_is_hidden() -> None:
    analyzer = Analyzer(QueryIntent())
    router = shop(analyzer=analyzer)
    router.registry.set_visibility("orders.search", False)
    router.registry.set_visibility("returns", False)
    router.retrieve(QUERY)
    [(_, registry)] = analyzer.asked
    assert registry.keys() == ("orders", "warehouse")
    assert [one.name for one in registry.get("orders").endpoints] == ["find_orders", "cancel_order"]
    for tool, endpoint in [("orders", "search"), ("returns", "refund")]:
        with pytest.raises(UnknownRouteError):
            registry.endpoint(tool, endpoint)


def test_preferred_tools_come_first() -> None:
    router = shop()
    plain = router.retrieve(QUERY, k=50).candidates
    found = router.retrieve(PlanRequest(query=QUERY, preferred_tools=("returns",)), k=50).candidates
    assert [one.tool for one in found[:2]] == ["returns", "returns"]
    assert [one.route_id for one in found[2:]] == [
        one.route_id for one in plain if one.tool != "returns"
    ]
    for one in found[:2]:
        [component] = one.score_components
        assert (component.kind, component.matched) == ("preferred_tool", "returns")
        # What is left of the score is what the text says.
        text = next(other.score for other in plain if other.route_id == one.route_id)
        assert one.score == component.value + text
        assert one.matched


def test_preferred_endpoints_come_before_preferred_tools() -> None:
    intent = QueryIntent(preferred_tools=("orders",), preferred_endpoints=("returns.refund",))
    found = shop(analyzer=Analyzer(intent)).retrieve(QUERY, k=50).candidates
    assert found[0].route_id == "returns.refund"
    assert found[0].score_components[0].kind == "preferred_endpoint"
    assert [one.tool for one in found[1:4]] == ["orders"] * 3


def test_preferences_outweigh_even_a_named_route() -> None:
    intent = QueryIntent(preferred_tools=("returns",))
    router = shop(analyzer=Analyzer(intent))
    found = router.retrieve("call orders.find_orders", k=3).candidates
    assert [one.tool for one in found] == ["returns", "returns", "orders"]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_unknown_and_hidden_preferences_do_nothing() -> None:
    intent = QueryIntent(
        preferred_tools=("nothing", "returns"),
        preferred_endpoints=("orders.nothing", "refund", "returns.refund"),
    )
    router = shop(analyzer=Analyzer(intent))
    router.registry.set_visibility("returns", False)
    hidden = shop()
    hidden.registry.set_visibility("returns", False)
    assert router.retrieve(QUERY) == hidden.retrieve(QUERY)


def test_concepts_are_searched_with_the_query() -> None:
    request = PlanRequest(query="please help", concepts=("article", "please"))
    intent = QueryIntent(concepts=("bins", "help", "bins"))
    router = shop(analyzer=Analyzer(intent))
    # Words that the query has already, and repetitions, add nothing.
    expected = shop().retrieve("please help\narticle\nbins", k=50)
    found = router.retrieve(request, k=50)
    assert found.candidates == expected.candidates
    assert found.query == "please help"


def test_either_kind_of_analyser_answers_the_asynchronous_methods() -> None:
    intent = QueryIntent(preferred_endpoints=("returns.refund",))
    expected = shop(analyzer=Analyzer(intent)).retrieve(QUERY)
    for analyzer in (Analyzer(intent), AsyncAnalyzer(intent)):
        router = shop(analyzer=analyzer)
        assert asyncio.run(router.aretrieve(QUERY)) == expected


def test_an_asynchronous_analyser_cannot_answer_at_once() -> None:
    router = shop(analyzer=AsyncAnalyzer(QueryIntent()))
    with pytest.raises(PlanningError, match="asynchronous"):
        router.retrieve(QUERY)


def test_an_awaitable_that_is_no_coroutine_is_refused_too() -> None:
    class Deferred:
        def analyze(self, request: PlanRequest, registry: RegistryView) -> Awaitable[QueryIntent]:
            class Later:
                def __await__(self):  # type: ignore[no-untyped-def]
                    yield
                    return QueryIntent()

            return Later()

    with pytest.raises(PlanningError, match="asynchronous"):
        shop(analyzer=Deferred()).retrieve(QUERY)


@pytest.mark.parametrize("answer", [None, {"concepts": ["x"]}, "x"])
def test_an_answer_is_an_intent(answer: object) -> None:
    router = shop(analyzer=Analyzer(lambda *_: answer))  # type: ignore[arg-type]
    with pytest.raises(PlanningError, match="QueryIntent"):
        router.retrieve(QUERY)
    with pytest.raises(PlanningError, match="QueryIntent"):
        asyncio.run(router.aretrieve(QUERY))


def test_an_analysers_error_is_the_callers() -> None:
    def fail(*_: object) -> QueryIntent:
        raise RuntimeError("the model is away")

    router = shop(analyzer=Analyzer(fail))
    with pytest.raises(RuntimeError, match="the model is away"):
        router.retrieve(QUERY)


def test_the_analyser_can_be_exchanged() -> None:
    router = shop()
    router.planner.analyzer = Analyzer(QueryIntent(preferred_endpoints=("returns.refund",)))
    assert routes(router, QUERY, k=1) == ["returns.refund"]


def test_what_changes_during_analysis_counts() -> None:
    """A tool that was hidden while the analyser thought must not be offered."""
    secret = ToolSpec(name="vault", endpoints=(EndpointSpec(name="open"),))

    def meanwhile(*_: object) -> QueryIntent:
        router.registry.set_visibility("warehouse", False)
        router.mark_access_unavailable("orders", "search")
        router.add_tool(secret)
        return QueryIntent(preferred_endpoints=("warehouse.find_bins", "vault.open"))

    router = shop(analyzer=AsyncAnalyzer(meanwhile))
    found = asyncio.run(router.aretrieve(QUERY, k=50))
    offered = [one.route_id for one in found.candidates]
    assert offered[0] == "vault.open"
    assert sorted(offered) == [
        "orders.cancel_order",
        "orders.find_orders",
        "returns.find_orders",
        "returns.refund",
        "vault.open",
    ]
    assert found.registry_version == router.registry.version


def test_requests_in_flight_do_not_mix() -> None:
    """Each task gets the answer to its own request, whatever the others do meanwhile."""
    everything = list(shop().registry.snapshot().routes)

    class Slow:
        async def analyze(self, request: PlanRequest, registry: RegistryView) -> QueryIntent:
            for _ in range(len(request.query) % 5):
                await asyncio.sleep(0)
            return QueryIntent(preferred_endpoints=(request.query,))

    router = shop(analyzer=Slow())

    async def ask(number: int) -> None:
        route = everything[number % len(everything)]
        if number % 10 == 3:
            router.add_tool(ToolSpec(name=f"t{number}", endpoints=(EndpointSpec(name="e"),)))
        found = await router.aretrieve(route, k=1)
        assert (found.query, found.candidates[0].route_id) == (route, route)

    async def main() -> None:
        await asyncio.gather(*(ask(number) for number in range(100)))

    asyncio.run(main())


@pytest.mark.parametrize(
    "members",
    [
        {"max_calls": 0},
        {"max_calls": 33},
        {"max_fallbacks": 9},
        {"retrieval_mode": "all"},
        {"fallback_scope": "everywhere"},
        {"field_evidence": {"": {}}},
        {"field_evidence": {" x": {}}},
        {"surprise": 1},
    ],
)
def test_a_senseless_request_is_refused(members: dict[str, object]) -> None:
    PlanRequest.model_validate({"query": "q"})
    with pytest.raises(ValidationError):
        PlanRequest.model_validate({"query": "q", **members})


def test_a_plain_request_has_the_published_defaults() -> None:
    assert PlanRequest(query="q").model_dump() == {
        "query": "q",
        "concepts": (),
        "preferred_tools": (),
        "arguments": {},
        "evidence": {"provenance": False, "license": False, "units": False, "source_type": None},
        "field_evidence": {},
        "max_calls": 1,
        "retrieval_mode": "coverage",
        "fallback_scope": "disabled",
        "max_fallbacks": 2,
    }


def test_what_is_meant_for_a_planner_changes_nothing() -> None:
    request = PlanRequest(
        query=QUERY,
        arguments={"article_id": 7},
        evidence=EvidenceRequirements(units=True, license=True),
        field_evidence={"order.id": EvidenceRequirements(provenance=True)},
        max_calls=8,
        retrieval_mode="corroborate",
        fallback_scope="cross_provider",
    )
    assert shop().retrieve(request) == shop().retrieve(QUERY)
    with pytest.raises(TypeError):
        request.arguments["article_id"] = 8


@pytest.mark.parametrize("request_", [None, 5, b"find", ["find"]])
def test_a_request_is_a_text_or_a_plan_request(request_: object) -> None:
    with pytest.raises(TypeError, match="PlanRequest or a text"):
        shop().retrieve(request_)  # type: ignore[arg-type]
