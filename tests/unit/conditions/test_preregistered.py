"""The five conditions, letter by letter from section 2 of the protocol."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from conditions.error import ConditionError
from conditions.exposure import Condition, ConditionParameters, Exposure, TurnOutcome
from conditions.preregistered import (
    CONDITIONS,
    Full,
    Oracle,
    ProgressiveStatic,
    StateAware,
    StaticTopK,
    make_condition,
)
from conditions.state import State, empty_state, render_query, update_state
from router.contract import EndpointSpec, ToolSpec
from router.ranking import Ranking
from router.snapshot import CatalogSnapshot
from surface.error import StudyError

LETTERS = "abcdefghijklmnopqrst"
SNAPSHOT = CatalogSnapshot.of(
    [ToolSpec(name="s", endpoints=tuple(EndpointSpec(name=letter) for letter in LETTERS))]
)


def routes(letters: str) -> tuple[str, ...]:
    return tuple(f"s.{letter}" for letter in letters)


@dataclass
class Scripted:
    """Ranks from z to a for a bare query; every further ranking is rotated by one more."""

    seen: list[str] = field(default_factory=list)
    letters: str = LETTERS[::-1]

    def rank(self, text: str) -> Ranking:
        at = len(self.seen)
        self.seen.append(text)
        order = self.letters[at:] + self.letters[:at]
        return Ranking(routes(order), tuple(range(len(order), 0, -1)), (True,) * len(order))


class Untouchable:
    """Gold that must not even be looked at."""

    def __iter__(self) -> Iterator[str]:
        raise LookupError("the gold was read")

    def __getattr__(self, name: str) -> object:
        raise LookupError(f"the gold was read: {name}")

    def __bool__(self) -> bool:
        raise LookupError("the gold was read")


def build(name: str, ranker: Scripted, parameters: ConditionParameters | None = None) -> Condition:
    required: object = routes("qa") if name == "ORACLE" else Untouchable()
    return make_condition(
        name,
        retriever=ranker,
        snapshot=SNAPSHOT,
        required_routes=required,  # type: ignore[arg-type]
        parameters=parameters,
    )


def after(
    status: str | None, *, remaining: int = 7, incomplete: bool = True, state: State | None = None
) -> TurnOutcome:
    """Build the outcome of a turn with a call of some status, or without one."""
    error = {"error": "rate_limited", "blocked": "destructive_policy_block"}.get(status or "")
    before = empty_state("Q") if state is None else state
    return TurnOutcome(
        called=status is not None,
        failed=status in {"error", "blocked"},
        state=before
        if status is None
        else update_state(
            before,
            endpoint=SNAPSHOT.endpoint("s.a"),
            route_id="s.a",
            observation=None,
            status=status,
            error=error,
            reached=status != "blocked",
            task_incomplete=incomplete,
        ),
        turns_remaining=remaining,
        task_incomplete=incomplete,
    )


EVERY_OUTCOME = [
    after(status, remaining=remaining, incomplete=incomplete)
    for status in ("ok", "executed", "error", "blocked", None)
    for remaining in (0, 1, 7)
    for incomplete in (True, False)
]


def test_canonical_order() -> None:
    assert CONDITIONS == (
        "SR-5-STATIC",
        "SR-PROGRESSIVE-STATIC",
        "SR-5-STATE-AWARE",
        "FULL",
        "ORACLE",
    )


@pytest.mark.parametrize("name", CONDITIONS)
def test_factories_build_what_they_are_asked_for(name: str) -> None:
    assert build(name, Scripted()).name == name


def test_the_published_parameters() -> None:
    numbers = ConditionParameters()
    assert (numbers.top_k, numbers.stages, numbers.max_refreshes) == (5, (3, 10, None), 5)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SR-5-STATIC", routes("pqrst")),
        ("SR-PROGRESSIVE-STATIC", routes("rst")),
        ("SR-5-STATE-AWARE", routes("pqrst")),
        ("FULL", routes(LETTERS)),
        ("ORACLE", routes("aq")),
    ],
)
def test_initial_exposure_is_sorted_by_route(name: str, expected: tuple[str, ...]) -> None:
    ranker = Scripted()
    exposure = build(name, ranker).expose("Q")
    assert exposure.routes == expected
    assert (exposure.refreshes, exposure.stage) == (0, 0)
    ranked = name.startswith("SR")
    assert ranker.seen == (["Q"] if ranked else []), "the initial ranking has no state"
    assert exposure.retrieval_calls == int(ranked)
    assert exposure.retrieval_query == ("Q" if ranked else None)
    assert (exposure.ranking is not None) == ranked
    if exposure.ranking is not None:
        assert exposure.ranking.routes == routes(LETTERS[::-1])


@pytest.mark.parametrize("name", ["SR-5-STATIC", "FULL", "ORACLE"])
@pytest.mark.parametrize("outcome", EVERY_OUTCOME)
def test_three_conditions_never_change(name: str, outcome: TurnOutcome) -> None:
    condition = build(name, Scripted())
    exposure = condition.expose("Q")
    assert condition.refresh(exposure, outcome) is exposure


class TestProgressive:
    @pytest.mark.parametrize("incomplete", [True, False])
    @pytest.mark.parametrize("status", ["error", "blocked"])
    def test_a_failed_first_call_widens_by_one_stage(self, status: str, incomplete: bool) -> None:
        ranker = Scripted()
        condition = build("SR-PROGRESSIVE-STATIC", ranker)
        exposure = condition.expose("Q")
        outcome = after(status, incomplete=incomplete)
        widths = []
        for _ in range(3):
            exposure = condition.refresh(exposure, outcome)
            widths.append((exposure.stage, exposure.routes))
        assert widths == [
            (1, routes("klmnopqrst")),
            (2, routes(LETTERS)),
            (2, routes(LETTERS)),
        ]
        assert ranker.seen == ["Q"], "the same ranking all along"
        assert exposure.retrieval_calls == 1
        assert exposure.retrieval_query == "Q"

    def test_a_turn_without_a_call_widens_while_the_task_is_incomplete(self) -> None:
        condition = build("SR-PROGRESSIVE-STATIC", Scripted())
        exposure = condition.expose("Q")
        assert condition.refresh(exposure, after(None)).stage == 1
        assert condition.refresh(exposure, after(None, incomplete=False)) is exposure

    @pytest.mark.parametrize("status", ["ok", "executed"])
    def test_a_completed_call_changes_nothing(self, status: str) -> None:
        condition = build("SR-PROGRESSIVE-STATIC", Scripted())
        exposure = condition.expose("Q")
        assert condition.refresh(exposure, after(status)) is exposure

    def test_at_the_last_stage_the_exposure_is_the_same_object(self) -> None:
        condition = build("SR-PROGRESSIVE-STATIC", Scripted())
        exposure = condition.expose("Q")
        for _ in range(2):
            exposure = condition.refresh(exposure, after("error"))
        assert condition.refresh(exposure, after("error")) is exposure

    def test_top_3_is_part_of_the_state_aware_top_5(self) -> None:
        narrow = build("SR-PROGRESSIVE-STATIC", Scripted()).expose("Q")
        wide = build("SR-5-STATE-AWARE", Scripted()).expose("Q")
        assert set(narrow.routes) < set(wide.routes)


class TestStateAware:
    @pytest.mark.parametrize("incomplete", [True, False])
    @pytest.mark.parametrize("status", ["ok", "executed", "error", "blocked"])
    def test_every_tool_turn_gives_one_refresh(self, status: str, incomplete: bool) -> None:
        ranker = Scripted()
        condition = build("SR-5-STATE-AWARE", ranker)
        outcome = after(status, incomplete=incomplete, remaining=1)
        exposure = condition.refresh(condition.expose("Q"), outcome)
        assert ranker.seen == ["Q", render_query(outcome.state)]
        assert exposure.routes == routes("opqrs"), "replaced, not accumulated"
        assert (exposure.refreshes, exposure.retrieval_calls, exposure.stage) == (1, 2, 0)
        assert exposure.retrieval_query == render_query(outcome.state)

    def test_no_refresh_without_a_turn_to_use_it(self) -> None:
        ranker = Scripted()
        condition = build("SR-5-STATE-AWARE", ranker)
        exposure = condition.expose("Q")
        assert condition.refresh(exposure, after("ok", remaining=0)) is exposure
        assert ranker.seen == ["Q"]

    @pytest.mark.parametrize("incomplete", [True, False])
    def test_no_refresh_after_a_turn_without_a_call(self, incomplete: bool) -> None:
        ranker = Scripted()
        condition = build("SR-5-STATE-AWARE", ranker)
        exposure = condition.expose("Q")
        assert condition.refresh(exposure, after(None, incomplete=incomplete)) is exposure
        assert ranker.seen == ["Q"]

    def test_at_most_five_refreshes(self) -> None:
        ranker = Scripted()
        condition = build("SR-5-STATE-AWARE", ranker)
        exposure = condition.expose("Q")
        for turn in range(1, 8):
            exposure = condition.refresh(exposure, after("ok", remaining=8 - turn))
            assert exposure.refreshes == min(turn, 5)
            assert len(exposure.routes) == 5
        assert exposure.retrieval_calls == len(ranker.seen) == 6

    def test_a_turn_without_a_call_does_not_use_up_a_refresh(self) -> None:
        condition = build("SR-5-STATE-AWARE", Scripted())
        exposure = condition.expose("Q")
        exposure = condition.refresh(exposure, after(None))
        assert condition.refresh(exposure, after("ok")).refreshes == 1


class TestGold:
    @pytest.mark.parametrize("name", [name for name in CONDITIONS if name != "ORACLE"])
    def test_only_the_oracle_reads_or_keeps_it(self, name: str) -> None:
        gold = Untouchable()
        condition = make_condition(
            name,
            retriever=Scripted(),
            snapshot=SNAPSHOT,
            required_routes=gold,
        )
        exposure = condition.expose("Q")
        for outcome in EVERY_OUTCOME:
            exposure = condition.refresh(exposure, outcome)
        assert dataclasses.is_dataclass(condition)
        held = [getattr(condition, item.name) for item in dataclasses.fields(condition)]
        assert all(value is not gold for value in held)
        assert not hasattr(condition, "__dict__") or gold not in vars(condition).values()

    def test_the_oracle_reads_it(self) -> None:
        with pytest.raises(LookupError):
            make_condition(
                "ORACLE",
                retriever=Scripted(),
                snapshot=SNAPSHOT,
                required_routes=Untouchable(),
            )

    def test_the_oracle_shows_each_required_route_once(self) -> None:
        condition = make_condition(
            "ORACLE", retriever=Scripted(), snapshot=SNAPSHOT, required_routes=routes("cbc")
        )
        assert condition.expose("Q").routes == routes("bc")

    @pytest.mark.parametrize("required", [(), ("s.a", "s.none")])
    def test_the_oracle_refuses_what_it_cannot_show(self, required: tuple[str, ...]) -> None:
        with pytest.raises(ConditionError):
            make_condition(
                "ORACLE", retriever=Scripted(), snapshot=SNAPSHOT, required_routes=required
            )


class TestSmallCatalogs:
    @pytest.mark.parametrize("name", ["SR-5-STATIC", "SR-PROGRESSIVE-STATIC", "SR-5-STATE-AWARE"])
    def test_top_k_of_a_smaller_catalog_is_the_catalog(self, name: str) -> None:
        condition = build(name, Scripted(letters="cb"))
        exposure = condition.expose("Q")
        assert exposure.routes == routes("bc")
        assert condition.refresh(exposure, after("error")).routes == routes("bc")

    def test_unmatched_routes_fill_the_top(self) -> None:
        class Nothing:
            def rank(self, text: str) -> Ranking:
                return Ranking(routes("abcdefg"), (0,) * 7, (False,) * 7)

        assert StaticTopK(Nothing()).expose("Q").routes == routes("abcde")


class TestParameters:
    def test_they_reach_the_conditions(self) -> None:
        numbers = ConditionParameters(top_k=2, stages=(1, 4), max_refreshes=1)
        assert build("SR-5-STATIC", Scripted(), numbers).expose("Q").routes == routes("st")
        progressive = build("SR-PROGRESSIVE-STATIC", Scripted(), numbers)
        exposure = progressive.expose("Q")
        assert exposure.routes == routes("t")
        exposure = progressive.refresh(exposure, after("error"))
        assert exposure.routes == routes("qrst")
        assert progressive.refresh(exposure, after("error")) is exposure
        aware = build("SR-5-STATE-AWARE", Scripted(), numbers)
        exposure = aware.refresh(aware.expose("Q"), after("ok"))
        assert exposure.routes == routes("rs")
        assert aware.refresh(exposure, after("ok")) is exposure

    @pytest.mark.parametrize(
        "changes",
        [
            {"top_k": 0},
            {"max_refreshes": -1},
            {"stages": ()},
            {"stages": (0, 3)},
            {"stages": (3, 3)},
            {"stages": (10, 3)},
            {"stages": (None, 3)},
            {"stages": (3, None, None)},
        ],
    )
    def test_impossible_ones_are_refused(self, changes: dict[str, object]) -> None:
        with pytest.raises(ConditionError):
            ConditionParameters(**changes)  # type: ignore[arg-type]


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ConditionError, match="SR-5-STATE-AWARE"):
        build("sr-5-static", Scripted())


def test_impossible_outcomes_are_refused() -> None:
    state = empty_state("Q")
    with pytest.raises(ConditionError, match="without a call"):
        TurnOutcome(False, True, state, 1, True)
    with pytest.raises(ConditionError, match="turns remain"):
        TurnOutcome(True, True, state, -1, True)


@pytest.mark.parametrize("wrong", [("s.b", "s.a"), ("s.a", "s.a")])
def test_an_exposure_is_sorted_and_unique(wrong: tuple[str, ...]) -> None:
    with pytest.raises(ConditionError, match="sorted and unique"):
        Exposure(routes=wrong)


@pytest.mark.parametrize(
    "value",
    [
        Exposure(routes=()),
        after("ok"),
        ConditionParameters(),
        StaticTopK(Scripted()),
        ProgressiveStatic(Scripted()),
        StateAware(Scripted()),
        Full(()),
        Oracle(()),
    ],
)
def test_records_are_frozen(value: object) -> None:
    assert dataclasses.is_dataclass(value)
    name = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, None)


def test_its_errors_are_the_studys() -> None:
    assert issubclass(ConditionError, StudyError)
