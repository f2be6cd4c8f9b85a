from __future__ import annotations

import asyncio
import inspect
import threading
import typing

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from router import (
    SCALE,
    CapabilityFieldContract,
    CapabilityPrecondition,
    CatalogSnapshot,
    CompatibilityContext,
    DuplicateRouteError,
    EndpointSpec,
    FieldSpec,
    Fusion,
    LexicalIndex,
    ObservedStateField,
    PlanRequest,
    RegistrationError,
    RunConfig,
    SchemaRouter,
    SemanticEquivalence,
    StaleIndexError,
    ToolRegistry,
    ToolSpec,
    TypedExecutionState,
    filter_retrieval_by_state,
)
from tests.unit.router.shop import ORDERS, SHOP

TEXT = {"type": "string"}
ORDER = CapabilityFieldContract(semantic_id="order.id", json_schema=TEXT)
CUSTOMER = CapabilityFieldContract(semantic_id="customer.id", json_schema=TEXT)
NOTHING = TypedExecutionState()
HAS_ORDER = TypedExecutionState(observed_fields=(ObservedStateField(contract=ORDER),))
QUERY = "Cancel the order of the customer"
REQUIREMENTS = {"orders.cancel_order": [ORDER], "orders.find_orders": [CUSTOMER]}


@pytest.fixture
def router() -> SchemaRouter:
    router = SchemaRouter()
    for tool in SHOP:
        router.add_tool(tool)
    return router


def test_retrieval_is_the_ranking_of_the_visible_catalog(router: SchemaRouter) -> None:
    snapshot = CatalogSnapshot.of(SHOP)
    ranking = Fusion(snapshot, [(LexicalIndex(snapshot), 1)]).rank(QUERY)
    found = router.retrieve(QUERY, k=100)
    assert tuple(one.route_id for one in found.candidates) == ranking.routes
    assert tuple(one.score for one in found.candidates) == ranking.scores
    assert tuple(one.matched for one in found.candidates) == ranking.matched
    assert [one.rank for one in found.candidates] == list(range(1, 8))
    assert (found.query, found.registry_version, found.requested_k, found.total_ranked) == (
        QUERY,
        3,
        100,
        7,
    )


def test_the_first_five_are_the_default(router: SchemaRouter) -> None:
    found = router.retrieve(QUERY)
    assert found.requested_k == 5
    assert found.candidates == router.retrieve(QUERY, k=7).candidates[:5]


def test_a_candidate_describes_its_endpoint(router: SchemaRouter) -> None:
    first = router.retrieve("orders.find_orders with their order_id", k=1).candidates[0]
    endpoint = ORDERS.endpoints[0]
    assert first.model_dump(exclude={"score", "parameters", "output_fields"}) == {
        "rank": 1,
        "route_id": "orders.find_orders",
        "tool": "orders",
        "endpoint": "find_orders",
        "tool_description": "Orders of the web shop.",
        "endpoint_description": "List the orders of a customer with their stage.",
        "matched": True,
        "matched_fields": ("order_id",),
        "score_components": (),
        "selection_source": "deterministic",
        "input_schema": {
            "type": "object",
            "properties": {
                "customer_id": {"type": "string", "pattern": "^CUS-[0-9]{4}$"},
                "stage": {"type": "string", "enum": ["open", "packed", "delivered"]},
            },
            "additionalProperties": False,
            "required": ["customer_id"],
        },
        "output_schema": {"type": "object", "properties": {"order_id": {}}},
        "read_only": True,
        "destructive": None,
        "source_type": None,
        "license": None,
        "provider": None,
        "access_mode": None,
        "tool_fingerprint": ORDERS.fingerprint,
        "endpoint_fingerprint": endpoint.fingerprint,
    }
    assert first.parameters == endpoint.parameters
    assert first.output_fields == endpoint.output_fields
    # Made without validation, a candidate is what validation would make of it.
    again = type(first).model_validate(first.model_dump())
    assert again == first
    assert again.model_fields_set >= first.model_fields_set


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("the ORDER_TOTAL please", ("order_total",)),
        ("total of the order", ("order_total",)),
        ("the total", ()),
        ("what is the sum", ("order_total",)),
        ("purchase amount", ("order_total",)),
        ("order total, in other words the sum", ("order_total",)),
        ("sum and stage", ("order_total", "stage")),
        ("", ()),
    ],
)
def test_fields_are_matched_by_all_words_of_a_name(text: str, named: tuple[str, ...]) -> None:
    fields = (
        FieldSpec(name="order_total", semantic_id="purchase.amount", aliases=("sum",)),
        FieldSpec(name="stage"),
    )
    router = SchemaRouter()
    router.add_tool(ToolSpec(name="t", endpoints=(EndpointSpec(name="e", output_fields=fields),)))
    assert router.retrieve(text).candidates[0].matched_fields == named


def test_routes_that_match_nothing_form_the_tail(router: SchemaRouter) -> None:
    found = router.retrieve("zzz qqq", k=100)
    assert [one.route_id for one in found.candidates] == list(CatalogSnapshot.of(SHOP).routes)
    assert not any(one.matched or one.score for one in found.candidates)
    mixed = router.retrieve("refund", k=100).candidates
    matched = [one.matched for one in mixed]
    assert matched == sorted(matched, reverse=True)
    assert any(matched)
    tail = [one.route_id for one in mixed if not one.matched]
    assert tail == sorted(tail)


MARKER = "[EXECUTION_STATE]"


def test_state_in_a_query_is_text(router: SchemaRouter) -> None:
    """Public retrieval is stateless: it must not read what a host writes into the query."""
    snapshot = CatalogSnapshot.of(SHOP)
    index = LexicalIndex(snapshot)
    rendered = (
        f'{QUERY}\n{MARKER} {{"successful_routes":["orders.cancel_order"],"task_incomplete":true}}'
    )
    for text in (rendered, f"{MARKER}", f"{QUERY}\n{MARKER} not json"):
        expected = Fusion(snapshot, [(index, 1)]).rank(text)
        found = router.retrieve(text, k=7)
        assert tuple(one.route_id for one in found.candidates) == expected.routes
        assert found.query == text
    # The route that the state lists is a route that the text names: first, not demoted.
    assert router.retrieve(rendered).candidates[0].route_id == "orders.cancel_order"


def test_retrievals_leave_nothing_behind(router: SchemaRouter) -> None:
    before = router.retrieve(QUERY)
    router.reretrieve_state_aware(
        "something else", execution_state=HAS_ORDER, state_requirements=REQUIREMENTS
    )
    assert router.retrieve(QUERY) == before


@pytest.mark.parametrize("k", [0, -1, True, 2.0, "3", None])
def test_k_is_a_whole_number(router: SchemaRouter, k: int) -> None:
    for ask in (router.retrieve_state_aware, router.reretrieve_state_aware):
        with pytest.raises(ValueError, match="whole number"):
            ask(QUERY, k=k, execution_state=NOTHING)
    with pytest.raises(ValueError, match="whole number"):
        router.retrieve(QUERY, k=k)


def test_filtering_keeps_gaps_and_backfilling_closes_them(router: SchemaRouter) -> None:
    ranked = [one.route_id for one in router.retrieve(QUERY, k=7).candidates]
    assert ranked[0] == "orders.cancel_order"
    filtered = router.retrieve_state_aware(
        QUERY, execution_state=NOTHING, k=3, state_requirements=REQUIREMENTS
    )
    kept = [route for route in ranked[:3] if route not in REQUIREMENTS]
    assert [one.candidate.route_id for one in filtered.candidates] == kept
    refilled = router.reretrieve_state_aware(
        QUERY, execution_state=NOTHING, k=3, state_requirements=REQUIREMENTS
    )
    eligible = [route for route in ranked if route not in REQUIREMENTS]
    assert [one.candidate.route_id for one in refilled.candidates] == eligible[:3]
    for one in (*refilled.candidates, *refilled.excluded):
        assert one.candidate.rank == ranked.index(one.candidate.route_id) + 1
    assert [one.candidate.route_id for one in refilled.excluded] == [
        route for route in ranked if route in REQUIREMENTS
    ]
    assert [one.eligibility.status for one in refilled.excluded] == ["missing_required_state"] * 2
    assert (refilled.total_ranked, refilled.requested_k) == (7, 3)


def test_a_state_that_fits_changes_nothing(router: SchemaRouter) -> None:
    requirements = {"orders.cancel_order": [ORDER]}
    found = router.reretrieve_state_aware(
        QUERY, execution_state=HAS_ORDER, state_requirements=requirements
    )
    assert found.excluded == ()
    assert tuple(one.candidate for one in found.candidates) == router.retrieve(QUERY).candidates


def test_what_failed_or_succeeded_is_the_hosts_business(router: SchemaRouter) -> None:
    states = [
        TypedExecutionState(completed_route_ids=("orders.cancel_order",), last_status="success"),
        TypedExecutionState(last_status="failure", error_class="timeout", task_incomplete=True),
    ]
    plain = router.retrieve(QUERY).candidates
    for state in states:
        found = router.reretrieve_state_aware(QUERY, execution_state=state)
        assert tuple(one.candidate for one in found.candidates) == plain


def test_preconditions_exclude(router: SchemaRouter) -> None:
    paid = CapabilityPrecondition(semantic_id="order.id", operator="equals", value="ORD-1")
    found = router.reretrieve_state_aware(
        QUERY, execution_state=HAS_ORDER, state_preconditions={"orders.cancel_order": [paid]}
    )
    [excluded] = found.excluded
    assert excluded.candidate.route_id == "orders.cancel_order"
    assert excluded.eligibility.status == "precondition_failed"


def test_a_host_declares_synonyms(router: SchemaRouter) -> None:
    purchase = CapabilityFieldContract(semantic_id="purchase.id", json_schema=TEXT)
    requirements = {"orders.cancel_order": [purchase]}
    context = CompatibilityContext(
        semantic_equivalences=(
            SemanticEquivalence(canonical_id="order.id", aliases=frozenset({"purchase.id"})),
        )
    )
    for declared, excluded in ((None, 1), (context, 0)):
        found = router.reretrieve_state_aware(
            QUERY,
            execution_state=HAS_ORDER,
            state_requirements=requirements,
            context=declared,
        )
        assert len(found.excluded) == excluded
        kept = router.retrieve_state_aware(
            QUERY,
            execution_state=HAS_ORDER,
            state_requirements=requirements,
            context=declared,
            k=7,
        )
        assert len(kept.candidates) == 7 - excluded


def test_filtering_a_retrieval_is_retrieving_with_a_state(router: SchemaRouter) -> None:
    expected = router.retrieve_state_aware(
        QUERY, execution_state=NOTHING, k=4, state_requirements=REQUIREMENTS
    )
    assert expected == filter_retrieval_by_state(
        router.retrieve(QUERY, k=4), NOTHING, requirements_by_route=REQUIREMENTS
    )


def test_requirements_of_what_cannot_be_seen_leave_no_trace(router: SchemaRouter) -> None:
    router.registry.set_visibility("orders.search", False)
    router.mark_access_unavailable("returns", "refund")
    hidden = {"orders.search": [ORDER], "returns.refund": [ORDER], "vault.open": [ORDER]}
    found = router.reretrieve_state_aware(
        QUERY, execution_state=NOTHING, k=100, state_requirements=hidden
    )
    assert found.excluded == ()
    assert found.total_ranked == 5
    assert not any(route in found.model_dump_json() for route in hidden)


def test_hiding_is_the_same_as_never_registering() -> None:
    """Scores too: no weight may depend on a tool that cannot be seen."""
    without, hidden, late = SchemaRouter(), SchemaRouter(), SchemaRouter()
    secret = ToolSpec(name="vault", endpoints=(EndpointSpec(name="cancel_order"),))
    hidden.add_tool(secret, visible=False)
    for tool in SHOP:
        for each in (without, hidden, late):
            each.add_tool(tool)
    late.add_tool(secret, visible=False)
    expected = without.reretrieve_state_aware(QUERY, execution_state=NOTHING, k=100)
    for each in (hidden, late):
        assert each.reretrieve_state_aware(QUERY, execution_state=NOTHING, k=100) == expected


def test_an_empty_surface_has_no_candidates() -> None:
    for router in (SchemaRouter(), SchemaRouter()):
        found = router.retrieve(QUERY)
        assert (found.candidates, found.total_ranked, found.registry_version) == ((), 0, 0)
        router.add_tool(ORDERS, visible=False)
        assert router.retrieve(QUERY) == found


def test_the_index_follows_the_registry(router: SchemaRouter) -> None:
    made: list[str] = []

    def lexical(snapshot: CatalogSnapshot) -> LexicalIndex:
        made.append(snapshot.fingerprint)
        return LexicalIndex(snapshot)

    router = SchemaRouter(registry=router.registry, channels=((lexical, 1),))
    router.retrieve(QUERY)
    router.retrieve("refund")
    assert len(made) == 1
    router.registry.set_visibility("orders.search", False)
    assert router.retrieve(QUERY).total_ranked == 6
    assert len(made) == 2
    # The same catalog again, by another way: the channels still fit, the order is the new one's.
    reordered = ORDERS.model_copy(update={"endpoints": ORDERS.endpoints[:2][::-1]})
    router.add_tool(reordered, replace=True)
    router.retrieve(QUERY)
    assert len(made) == 2
    assert made[-1] == router.registry.snapshot().fingerprint


def test_a_candidate_shows_the_latest_declaration(router: SchemaRouter) -> None:
    find = ORDERS.endpoints[0]
    turned = find.model_copy(update={"parameters": find.parameters[::-1]})
    router.retrieve(QUERY)
    router.add_tool(
        ORDERS.model_copy(update={"endpoints": (turned, *ORDERS.endpoints[1:])}), replace=True
    )
    first = router.retrieve("orders.find_orders", k=1).candidates[0]
    assert first.parameters == find.parameters[::-1]


class Constant:
    """A channel that likes one route."""

    def __init__(self, snapshot: CatalogSnapshot, route: str) -> None:
        self.fingerprint = snapshot.fingerprint
        self._scores = np.zeros(len(snapshot), dtype=np.int64)
        self._scores[snapshot.position(route)] = SCALE

    def score(self, text: str) -> NDArray[np.int64]:
        return self._scores


def test_a_channel_can_be_added() -> None:
    router = SchemaRouter(
        channels=((LexicalIndex, 1), (lambda snapshot: Constant(snapshot, "returns.refund"), 5))
    )
    for tool in SHOP:
        router.add_tool(tool)
    assert router.retrieve(QUERY).candidates[0].route_id == "returns.refund"


def test_a_channel_is_not_changed_by_preferences() -> None:
    """Scores may be a channel's own array."""
    router = SchemaRouter(channels=((lambda snapshot: Constant(snapshot, "returns.refund"), 1),))
    for tool in SHOP:
        router.add_tool(tool)
    before = router.retrieve(QUERY)
    router.retrieve(PlanRequest(query=QUERY, preferred_tools=("orders",)))
    assert router.retrieve(QUERY) == before


def test_a_channel_of_another_catalog_is_refused(router: SchemaRouter) -> None:
    other = LexicalIndex(CatalogSnapshot.of(SHOP[1:]))
    stale = SchemaRouter(registry=router.registry, channels=((lambda _: other, 1),))
    with pytest.raises(StaleIndexError):
        stale.retrieve(QUERY)


def test_tools_come_and_go(router: SchemaRouter) -> None:
    namespaced = ToolSpec(
        name="orders", namespace="eu", endpoints=(EndpointSpec(name="find_orders"),)
    )
    assert router.add_tool(namespaced) == "eu.orders"
    first = router.retrieve("eu.orders.find_orders", k=1).candidates[0]
    assert (first.route_id, first.tool) == ("eu.orders.find_orders", "eu.orders")
    with pytest.raises(DuplicateRouteError):
        router.add_tool(ORDERS)
    with pytest.raises(RegistrationError):
        router.add_tool(ORDERS)
    assert router.add_tool(ORDERS, replace=True) == "orders"
    router.remove_tool("eu.orders")
    with pytest.raises(RegistrationError):
        router.remove_tool("eu.orders")


def test_a_registry_can_be_shared() -> None:
    registry = ToolRegistry()
    one, other = SchemaRouter(registry=registry), SchemaRouter(registry=registry)
    one.add_tool(ORDERS)
    assert one.retrieve(QUERY) == other.retrieve(QUERY)
    one.mark_access_unavailable("orders", "search")
    assert other.retrieve(QUERY).total_ranked == 3


def test_asynchronous_methods_answer_alike(router: SchemaRouter) -> None:
    async def main() -> None:
        for each in (router, router.with_config(None)):
            assert await each.aretrieve(QUERY, k=3) == router.retrieve(QUERY, k=3)
            assert await each.aretrieve_state_aware(
                QUERY, execution_state=NOTHING, k=3, state_requirements=REQUIREMENTS
            ) == each.retrieve_state_aware(
                QUERY, execution_state=NOTHING, k=3, state_requirements=REQUIREMENTS
            )
            assert await each.areretrieve_state_aware(
                QUERY, execution_state=NOTHING, k=3, state_requirements=REQUIREMENTS
            ) == each.reretrieve_state_aware(
                QUERY, execution_state=NOTHING, k=3, state_requirements=REQUIREMENTS
            )

    asyncio.run(main())


def test_a_configuration_changes_nothing(router: SchemaRouter) -> None:
    configured = router.with_config({"run_id": "r1", "tags": ["nightly"], "metadata": {"n": 1}})
    assert configured.router is router
    assert configured.config == RunConfig(run_id="r1", tags=("nightly",), metadata={"n": 1})
    assert configured.retrieve(QUERY) == router.retrieve(QUERY)
    router.mark_access_unavailable("orders", "search")
    assert configured.retrieve(QUERY).total_ranked == 6
    with pytest.raises(ValidationError):
        router.with_config({"retries": 3})
    with pytest.raises(ValidationError):
        router.with_config({"run_id": ""})


@pytest.mark.parametrize("name", ["retrieve", "aretrieve"])
def test_the_stateless_signature_is_stable(name: str) -> None:
    parameters = inspect.signature(getattr(SchemaRouter, name)).parameters.values()
    assert [(one.name, one.kind.name, one.default) for one in parameters] == [
        ("self", "POSITIONAL_OR_KEYWORD", inspect.Parameter.empty),
        ("request", "POSITIONAL_OR_KEYWORD", inspect.Parameter.empty),
        ("k", "KEYWORD_ONLY", 5),
    ]


@pytest.mark.parametrize("name", ["retrieve_state_aware", "reretrieve_state_aware"])
def test_the_signatures_in_view_of_a_state_are_stable(name: str) -> None:
    expected = [
        ("self", inspect.Parameter.empty),
        ("request", inspect.Parameter.empty),
        ("execution_state", inspect.Parameter.empty),
        ("k", 5),
        ("state_requirements", None),
        ("state_preconditions", None),
        ("context", None),
    ]
    for each in (name, f"a{name}"):
        parameters = inspect.signature(getattr(SchemaRouter, each)).parameters.values()
        assert [(one.name, one.default) for one in parameters] == expected
        assert all(one.kind.name == "KEYWORD_ONLY" for one in list(parameters)[2:])


def test_threads_see_whole_catalogs() -> None:
    """Every answer belongs to one catalog: with all of a tool's endpoints, or none."""
    router = SchemaRouter()
    router.add_tool(ORDERS)
    extra = ToolSpec(name="x", endpoints=tuple(EndpointSpec(name=f"e{i}") for i in range(5)))
    problems: list[object] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            found = router.retrieve(QUERY, k=100)
            if found.total_ranked not in (3, 8) or len(found.candidates) != found.total_ranked:
                problems.append(found)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(30):
        router.add_tool(extra)
        router.remove_tool("x")
    done.set()
    for thread in threads:
        thread.join()
    assert problems == []


# What a result must not offer, whatever it may be called.
ACTING = frozenset(
    {
        "execute",
        "invoke",
        "call",
        "run",
        "plan",
        "authorize",
        "approve",
        "commit",
        "rollback",
        "retry",
        "schedule",
        "compensate",
        "mutate",
        "apply",
        "send",
        "submit",
        "write",
        "delete",
        "register",
        "add",
        "remove",
        "update",
    }
)


def _reachable(model: type[BaseModel], found: set[type[BaseModel]]) -> set[type[BaseModel]]:
    found.add(model)
    for field in model.model_fields.values():
        for part in _parts(field.annotation):
            if isinstance(part, type) and issubclass(part, BaseModel) and part not in found:
                _reachable(part, found)
    return found


def _parts(annotation: object) -> list[object]:
    inner = typing.get_args(annotation)
    return [annotation, *(part for one in inner for part in _parts(one))]


def test_results_can_only_be_read(router: SchemaRouter) -> None:
    found = router.reretrieve_state_aware(
        QUERY, execution_state=NOTHING, state_requirements=REQUIREMENTS
    )
    kinds = set().union(
        *(
            _reachable(type(result), set())
            for result in (
                found,
                router.retrieve(QUERY),
                router.retrieve_state_aware(QUERY, execution_state=NOTHING),
            )
        )
    )
    assert {"CapabilityCandidate", "StateEligibilityReason", "FieldSpec"} <= {
        kind.__name__ for kind in kinds
    }
    for kind in kinds:
        own = {name for name in dir(kind) if not name.startswith("_")} - set(dir(BaseModel))
        methods = {name for name in own if callable(getattr(kind, name, None))}
        # The one method: a contract read off a field.
        assert methods <= {"from_field", "selector_for"}, kind
        assert not [name for name in own if name.split("_")[0] in ACTING], kind
        assert kind.model_config["frozen"], kind


def test_results_cannot_be_changed(router: SchemaRouter) -> None:
    found = router.reretrieve_state_aware(
        QUERY, execution_state=NOTHING, state_requirements=REQUIREMENTS
    )
    candidate = found.candidates[0].candidate
    for record, name in (
        (found, "excluded"),
        (candidate, "rank"),
        (found.excluded[0], "candidate"),
    ):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(record, name, None)
    assert isinstance(found.candidates, tuple)
    assert isinstance(found.excluded, tuple)
    for schema in (candidate.input_schema, candidate.input_schema["properties"]):
        with pytest.raises(TypeError):
            schema["x"] = 1
