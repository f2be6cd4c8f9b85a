"""What must not change a ranking or an exposure; the retriever against its documented formula."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from conditions.exposure import TurnOutcome
from conditions.preregistered import CONDITIONS, make_condition
from conditions.retriever import ResearchRetriever, RetrieverParameters
from conditions.state import State, empty_state, render_query, update_state
from router.channel import NAMED
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.lexical import LexicalIndex
from router.lift import share_of_best
from router.ranking import Ranking
from router.sentence import SentenceIndex
from router.snapshot import CatalogSnapshot
from router.store import VectorSource
from router.term import TermIndex
from router.weight import idf
from surface.failure import PRECONDITION, RETRIABLE, TRANSIENT, TURNED_AWAY
from tests.support.encoder import CharacterEncoder

VECTORS = VectorSource(encoder=CharacterEncoder())
KINDS = ("order", "parcel", "customer")
PATTERNS = {f"{kind}.id": f"^{kind[:3].upper()}-[0-9]{{4}}$" for kind in KINDS}
SEMANTICS = (*PATTERNS, "order.total", "parcel.place")
ERRORS = ("rate_limited", "not_found", "provider_suspended", "schema_invalid", "lock_conflict")
WORDS = ("list", "orders", "trace", "parcel", "cancel", "customer", "주문", "荷物を追跡", "payment")


def retriever_of(snapshot: CatalogSnapshot) -> ResearchRetriever:
    return ResearchRetriever(snapshot, RetrieverParameters(), VECTORS)


def schema(semantic: str) -> dict[str, Any]:
    return {"pattern": PATTERNS[semantic]} if semantic in PATTERNS else {}


def parameter(semantic: str, required: bool) -> ParameterSpec:
    return ParameterSpec(
        name=semantic.replace(".", "_"),
        required=required,
        semantic_id=semantic,
        identifier=semantic in PATTERNS,
        json_schema=schema(semantic),
    )


def output(semantic: str) -> FieldSpec:
    key = semantic.replace(".", "_")
    return FieldSpec(
        name=key,
        path=("rows[]", key),
        semantic_id=semantic,
        identifier=semantic in PATTERNS,
        json_schema=schema(semantic),
    )


@st.composite
def catalogs(draw: st.DrawFn) -> CatalogSnapshot:
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    tools = []
    for at, size in enumerate(sizes):
        endpoints = []
        for position in range(size):
            taken = draw(st.lists(st.sampled_from(SEMANTICS), max_size=3, unique=True))
            given_ = draw(st.lists(st.sampled_from(SEMANTICS), max_size=3, unique=True))
            endpoints.append(
                EndpointSpec(
                    name=f"e{position}",
                    description=" ".join(draw(st.lists(st.sampled_from(WORDS), max_size=4))),
                    parameters=tuple(parameter(item, draw(st.booleans())) for item in taken),
                    output_fields=tuple(output(item) for item in given_),
                )
            )
        tools.append(ToolSpec(name=f"t{at}", endpoints=tuple(endpoints)))
    # Registers every pattern and needs nothing.
    every = tuple(parameter(semantic, False) for semantic in SEMANTICS)
    tools.append(ToolSpec(name="all", endpoints=(EndpointSpec(name="all", parameters=every),)))
    return CatalogSnapshot.of(tools)


IDENTIFIERS = st.builds(
    lambda kind, number: f"{kind[:3].upper()}-{number:04}",
    st.sampled_from(KINDS),
    st.integers(0, 9999),
)
QUERIES = st.lists(
    st.sampled_from([*WORDS, "t0.e0", "`e1`"]) | IDENTIFIERS, min_size=1, max_size=8
).map(" ".join)


@st.composite
def episodes(draw: st.DrawFn) -> tuple[CatalogSnapshot, str, list[dict[str, Any]]]:
    snapshot = draw(catalogs())
    turns = []
    for _ in range(draw(st.integers(0, 5))):
        route = draw(st.sampled_from(snapshot.routes))
        endpoint = snapshot.endpoint(route)
        row = {
            field.name: draw(IDENTIFIERS) if field.identifier else 1.5
            for field in endpoint.output_fields
            if draw(st.integers(0, 5))
        }
        error = draw(st.none() | st.sampled_from(ERRORS))
        completed = "ok" if endpoint.output_fields else "executed"
        turns.append(
            {
                "endpoint": endpoint,
                "route_id": route,
                "observation": {"rows": [row]} if error is None and row else None,
                "status": completed if error is None else "error",
                "error": error,
                "reached": error not in TURNED_AWAY,
                "task_incomplete": draw(st.booleans()),
            }
        )
    return snapshot, draw(QUERIES), turns


def final(query: str, turns: list[dict[str, Any]]) -> State:
    state = empty_state(query)
    for turn in turns:
        state = update_state(state, **turn)
    return state


def flipped(state: State) -> State:
    return State.of(
        state.model_dump() | {"task_incomplete_boolean": not state.task_incomplete_boolean}
    )


@given(episodes())
def test_the_completion_flag_changes_no_ranking(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]],
) -> None:
    snapshot, query, turns = episode
    state = final(query, turns)
    assert render_query(flipped(state)) != render_query(state)
    retriever = retriever_of(snapshot)
    assert retriever.rank(render_query(flipped(state))) == retriever.rank(render_query(state))


@given(episodes(), st.integers(0, 9999))
def test_renaming_identifiers_within_their_pattern_changes_no_ranking(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]], shift: int
) -> None:
    snapshot, query, turns = episode

    def rename(text: str) -> str:
        """Permute the numbers of all identifiers."""
        return re.sub(
            r"\b(ORD|PAR|CUS)-([0-9]{4})\b",
            lambda found: f"{found[1]}-{(int(found[2]) * 7 + shift) % 10_000:04}",
            text,
        )

    renamed = [
        {
            **turn,
            "observation": turn["observation"]
            and {
                "rows": [
                    {key: rename(value) if isinstance(value, str) else value}
                    for key, value in turn["observation"]["rows"][0].items()
                ]
            },
        }
        for turn in turns
    ]
    retriever = retriever_of(snapshot)
    assert retriever.rank(rename(query)) == retriever.rank(query)
    before, after = final(query, turns), final(rename(query), renamed)
    assert retriever.rank(render_query(after)) == retriever.rank(render_query(before))


@given(episodes())
def test_a_ranking_depends_on_nothing_but_its_text(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]],
) -> None:
    """Neither on earlier rankings nor on the order in which the catalog was registered."""
    snapshot, query, turns = episode
    text = render_query(final(query, turns))
    used = retriever_of(snapshot)
    for at in range(len(turns)):
        used.rank(render_query(final(query, turns[:at])))
    again = CatalogSnapshot.of(reversed(list(snapshot.tools.values())))
    assert used.rank(text) == retriever_of(again).rank(text)


NUMBERS = st.builds(
    RetrieverParameters,
    residual=st.just(0),
    succeeded=st.sampled_from([0, 150]),
    inherited=st.sampled_from([0, 200]),
    observed=st.sampled_from([0, 100]),
    spelled=st.sampled_from([0, 50]),
    locked=st.sampled_from([0, 500]),
    keep_failed=st.booleans(),
    graph_slots=st.sampled_from([0, 3, 5]),
)


@given(episodes(), NUMBERS)
@settings(max_examples=200)
def test_the_documented_formula(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]], numbers: RetrieverParameters
) -> None:
    snapshot, query, turns = episode
    state = final(query, turns)
    ranking = ResearchRetriever(snapshot, numbers, VECTORS).rank(render_query(state))
    assert list(zip(ranking.routes, ranking.scores, strict=True)) == by_hand(
        snapshot, state, numbers
    )


def by_hand(
    snapshot: CatalogSnapshot, state: State, numbers: RetrieverParameters
) -> list[tuple[str, int]]:
    """Rank in plain Python, one route at a time, from the formula in the docstring."""
    query = state.original_query
    masked = re.sub(r"(?<![^ ])(ORD|PAR|CUS)-[0-9]{4}(?![^ ])", r" \1- ", query)
    spelled = {
        semantic
        for semantic, pattern in PATTERNS.items()
        if any(re.match(pattern, word) for word in query.split())
    }
    lexical = LexicalIndex(snapshot).score(masked)
    text_ = (
        3 * share_of_best(lexical % NAMED)
        + 10 * SentenceIndex(snapshot, VECTORS).score(masked)
        + 10 * TermIndex(snapshot, VECTORS).score(masked)
    )
    text = dict(zip(snapshot.routes, text_.tolist(), strict=True))
    named = dict(zip(snapshot.routes, (lexical // NAMED).tolist(), strict=True))
    best = max(text.values())
    seen = set(state.observation_semantic_ids)
    executed = [snapshot.endpoint(item) for item in state.executed_registered_route_ids]
    failed = last_failed(snapshot, state)
    done = [
        route
        for route in state.executed_registered_route_ids
        if route != failed and succeeded(snapshot, state, route)
    ]
    consumers = {
        semantic: sum(
            semantic in {item.semantic_id for item in endpoint.parameters}
            for endpoint in snapshot.endpoints
        )
        for semantic in SEMANTICS
    }
    rarity = {
        semantic: idf(len(snapshot), count) * 1000 // max(1, idf(len(snapshot), 1))
        for semantic, count in consumers.items()
    }
    taken = {item.semantic_id for endpoint in executed for item in endpoint.parameters}
    lacking = {
        route: {
            item.semantic_id
            for item in endpoint.parameters
            if item.required and item.semantic_id in set(PATTERNS) - seen - spelled
        }
        for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True)
    }
    base: dict[str, int] = {}
    bonus: dict[str, int] = {}
    for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True):
        takes = {item.semantic_id for item in endpoint.parameters}
        answers = {item.semantic_id for item in endpoint.output_fields}
        base[route] = text[route] + NAMED * named[route]
        if lacking[route]:
            base[route] -= best * numbers.locked // 1000
        given_up = route == failed and state.last_error_class not in RETRIABLE
        if (route in done or given_up) and numbers.succeeded:
            base[route] -= NAMED * named[route] + best * numbers.succeeded // 1000
        wanted = [text[other] for other in text if lacking[other] & answers and other not in done]
        supplied = sum(rarity[item] for item in takes & (seen - spelled) if item)
        typed = numbers.observed * supplied // 1000
        typed += numbers.spelled * bool(takes & (spelled - taken))
        bonus[route] = (numbers.inherited * max(wanted, default=0) + best * typed) // 1000
    scores = {route: base[route] + bonus[route] for route in base}
    n_kept = numbers.slots - numbers.graph_slots
    kept = sorted(base, key=lambda route: (-base[route], route))[:n_kept]
    others = sorted((scores[route] for route in base if route not in kept), reverse=True)
    if n_kept and len(others) > numbers.graph_slots:
        for route in kept:
            scores[route] = max(scores[route], others[numbers.graph_slots] + 1)
    if failed is not None and numbers.keep_failed:
        others = sorted((scores[route] for route in base if route != failed), reverse=True)
        if state.last_error_class in TRANSIENT and others:
            scores[failed] = max(scores[failed], others[0] + 1)
        if state.last_error_class in PRECONDITION and len(others) >= 5:
            scores[failed] = max(scores[failed], others[4] + 1)
    matched = {route for route in base if text[route] or bonus[route] or named[route]}
    lowest = min((scores[route] for route in matched), default=0)
    shifted = {route: scores[route] - lowest + 1 if route in matched else 0 for route in base}
    return sorted(shifted.items(), key=lambda item: (-item[1], item[0]))


def last_failed(snapshot: CatalogSnapshot, state: State) -> str | None:
    routes = state.executed_registered_route_ids
    if state.last_execution_status != "error" or state.last_error_class in TURNED_AWAY:
        return None
    fields = set(state.observation_field_names)
    unanswered = [
        route
        for route in routes
        if not {item.name for item in snapshot.endpoint(route).output_fields} <= fields
    ]
    return [*routes[-1:], *unanswered][-1] if routes else None


def succeeded(snapshot: CatalogSnapshot, state: State, route: str) -> bool:
    fields = {item.name for item in snapshot.endpoint(route).output_fields}
    if fields:
        return fields <= set(state.observation_field_names)
    last = state.executed_registered_route_ids[-1]
    return route == last and state.last_execution_status == "executed"


@given(episodes())
def test_the_state_aware_arm_exposes_the_same_whether_or_not_the_task_is_complete(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]],
) -> None:
    snapshot, query, turns = episode
    retriever = retriever_of(snapshot)
    condition = make_condition(
        "SR-5-STATE-AWARE", retriever=retriever, snapshot=snapshot, required_routes=()
    )
    exposures = []
    for flip in (False, True):
        exposure, state = condition.expose(query), empty_state(query)
        seen = [exposure.routes]
        for at, turn in enumerate(turns):
            state = update_state(state, **{**turn, "task_incomplete": flip})
            outcome = TurnOutcome(True, turn["error"] is not None, state, 7 - at, flip)
            exposure = condition.refresh(exposure, outcome)
            seen.append(exposure.routes)
        exposures.append((seen, exposure.refreshes, exposure.retrieval_calls))
    assert exposures[0] == exposures[1]


@given(episodes())
def test_every_exposure_is_part_of_the_catalog_and_within_its_bounds(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]],
) -> None:
    snapshot, query, turns = episode
    retriever = retriever_of(snapshot)
    widest = {"SR-5-STATIC": 5, "SR-5-STATE-AWARE": 5}
    for name in CONDITIONS:
        condition = make_condition(
            name, retriever=retriever, snapshot=snapshot, required_routes=snapshot.routes[:1]
        )
        exposure, state = condition.expose(query), empty_state(query)
        for at, turn in enumerate(turns):
            state = update_state(state, **turn)
            before = exposure
            outcome = TurnOutcome(
                True, turn["error"] is not None, state, 7 - at, turn["task_incomplete"]
            )
            exposure = condition.refresh(exposure, outcome)
            assert list(exposure.routes) == sorted(set(exposure.routes))
            assert set(exposure.routes) <= set(snapshot.routes)
            assert len(exposure.routes) <= widest.get(name, len(snapshot.routes))
            if name == "SR-PROGRESSIVE-STATIC":
                assert set(before.routes) <= set(exposure.routes)
                assert exposure.ranking is before.ranking
            assert exposure.refreshes <= 5


def is_total_order(ranking: Ranking) -> bool:
    pairs = list(zip(ranking.scores, ranking.routes, strict=True))
    return pairs == sorted(pairs, key=lambda pair: (-pair[0], pair[1]))


@given(episodes())
def test_one_total_order_with_the_unmatched_as_its_tail(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]],
) -> None:
    snapshot, query, turns = episode
    ranking = retriever_of(snapshot).rank(render_query(final(query, turns)))
    assert sorted(ranking.routes) == list(snapshot.routes)
    assert is_total_order(ranking)
    assert ranking.matched == tuple(score > 0 for score in ranking.scores)
