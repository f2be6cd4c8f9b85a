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
from router.channel import NAMED, SCALE
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.lexical import LexicalIndex
from router.ranking import Ranking
from router.snapshot import CatalogSnapshot
from surface.failure import RETRIABLE, TURNED_AWAY

KINDS = ("order", "parcel", "customer")
PATTERNS = {f"{kind}.id": f"^{kind[:3].upper()}-[0-9]{{4}}$" for kind in KINDS}
SEMANTICS = (*PATTERNS, "order.total", "parcel.place")
WORDS = ("list", "orders", "trace", "parcel", "cancel", "customer", "주문", "荷物を追跡", "payment")


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
        error = draw(
            st.none()
            | st.sampled_from(["rate_limited", "not_found", "provider_suspended", "schema_invalid"])
        )
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
    retriever = ResearchRetriever(snapshot)
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
    retriever = ResearchRetriever(snapshot)
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
    used = ResearchRetriever(snapshot)
    for at in range(len(turns)):
        used.rank(render_query(final(query, turns[:at])))
    again = CatalogSnapshot.of(reversed(list(snapshot.tools.values())))
    assert used.rank(text) == ResearchRetriever(again).rank(text)


@given(episodes(), st.sampled_from([0, 300, 1000]), st.sampled_from([0, 150, 1000]))
@settings(max_examples=200)
def test_the_documented_formula(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]], kept: int, bonus: int
) -> None:
    snapshot, query, turns = episode
    state = final(query, turns)
    numbers = RetrieverParameters(succeeded=kept, unlocked=bonus)
    ranking = ResearchRetriever(snapshot, numbers).rank(render_query(state))
    assert list(zip(ranking.routes, ranking.scores, strict=True)) == by_hand(
        snapshot, state, kept, bonus
    )


def by_hand(
    snapshot: CatalogSnapshot, state: State, kept: int, bonus: int
) -> list[tuple[str, int]]:
    """Rank in plain Python, one route at a time, from the formula in the docstring."""
    query = state.original_query
    masked = re.sub(r"(?<![^ ])(ORD|PAR|CUS)-[0-9]{4}(?![^ ])", r"\1-", query)
    spelled = {
        semantic
        for semantic, pattern in PATTERNS.items()
        if any(re.match(pattern, word) for word in query.split())
    }
    text = dict(zip(snapshot.routes, LexicalIndex(snapshot).score(masked).tolist(), strict=True))
    seen = set(state.observation_semantic_ids)
    routes = state.executed_registered_route_ids
    last_failed = None
    if state.last_execution_status == "error" and state.last_error_class not in TURNED_AWAY:
        last_failed = routes[-1]
    base: dict[str, int] = {}
    unlocked = []
    for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True):
        required = {item.semantic_id for item in endpoint.parameters if item.required}
        ids = {item for item in required if item in PATTERNS}
        values = required - ids
        is_locked = bool(ids - seen - spelled)
        fields = {item.name for item in endpoint.output_fields}
        done = (
            route in routes
            and route != last_failed
            and (
                fields <= set(state.observation_field_names)
                if fields
                else route == routes[-1] and state.last_execution_status == "executed"
            )
        )
        share = text[route] % NAMED
        named = text[route] - share
        if is_locked:
            share = (share * 850 + 999) // 1000
        if done and kept < 1000:
            named, share = 0, (share * kept + 999) // 1000
        base[route] = named + share
        gained = bool((ids & seen) - spelled) if ids else bool(values) and values <= seen
        if gained and not is_locked and not (done and kept < 1000):
            unlocked.append(route)
    by_base = sorted(base, key=lambda route: (-base[route], route))
    lifted = [route for route in by_base[:2] if route in unlocked]
    lifted += [route for route in by_base[2:] if route in unlocked][:3]
    scores = {route: base[route] + (route in lifted) * (SCALE * bonus // 1000) for route in base}
    if last_failed is not None and state.last_error_class in RETRIABLE:
        scores[last_failed] = max(scores.values()) + 1
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


@given(episodes())
def test_the_state_aware_arm_exposes_the_same_whether_or_not_the_task_is_complete(
    episode: tuple[CatalogSnapshot, str, list[dict[str, Any]]],
) -> None:
    snapshot, query, turns = episode
    retriever = ResearchRetriever(snapshot)
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
    retriever = ResearchRetriever(snapshot)
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
    ranking = ResearchRetriever(snapshot).rank(render_query(final(query, turns)))
    assert sorted(ranking.routes) == list(snapshot.routes)
    assert is_total_order(ranking)
    assert ranking.matched == tuple(score > 0 for score in ranking.scores)
