"""The query-blind prior finds planted gold and calls unrelated gold chance."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from router.contract import EndpointSpec, ToolSpec
from router.snapshot import CatalogSnapshot
from surface.task import Step, Task
from surface.validation.prior import PriorTest, blind_tests, check_prior, features
from tests.support.small_surface import sound

SIZE = 50
NAMES = [f"e{number:02}" for number in range(SIZE)]
SNAPSHOT = CatalogSnapshot.of(
    ToolSpec(
        name=service,
        description="A service.",
        endpoints=tuple(
            EndpointSpec(name=name, description="x" * (10 + number))
            for number, name in enumerate(NAMES)
        ),
    )
    for service in ("a", "b")
)
ORDER = [f"{service}.{name}" for service in ("a", "b") for name in reversed(NAMES)]
TASK = sound()[1]["en-two"]


def tasks(split: str, routes: Iterable[str]) -> list[Task]:
    return [
        TASK.model_copy(update={"split": split, "steps": (Step(route=route),)}) for route in routes
    ]


def trial(known: Iterable[str], unseen: Iterable[str]) -> dict[str, PriorTest]:
    found = blind_tests([*tasks("dev", known), *tasks("frozen", unseen)], SNAPSHOT, ORDER)
    return {item.feature: item for item in found}


def test_features_of_routes() -> None:
    found = features(SNAPSHOT, ["z.unknown", *ORDER])
    assert SNAPSHOT.routes[:2] == ("a.e00", "a.e01")
    assert found["route id"].tolist() == list(range(2 * SIZE))
    # The shortest fifth of 100 descriptions are the first ten of each service.
    assert found["description length"][:11].tolist() == [0] * 10 + [1]
    # The files list the endpoints backwards.
    assert found["file order"][[0, SIZE - 1, SIZE, 2 * SIZE - 1]].tolist() == [2, 0, 4, 2]
    assert found["order within the file"][[0, SIZE - 2, SIZE - 1]].tolist() == [4, 1, 0]


def test_gold_that_repeats_is_found_by_its_routes() -> None:
    routes = random.Random(1).sample(SNAPSHOT.routes, 20)
    found = trial(routes, routes)
    assert found["route id"].found > 0.85
    assert found["route id"].p_value == pytest.approx(1 / 10_001)
    (problem,) = check_prior(tuple(found.values()))
    assert "finds the gold of frozen" in problem.what
    assert "most by route id" in problem.what


def test_gold_with_short_descriptions_is_found_by_their_length() -> None:
    short = [f"{service}.{name}" for service in ("a", "b") for name in NAMES[:10]]
    found = trial(short[::2], short[1::2])
    assert found["description length"].found == pytest.approx(1 - 19 / 2 / 99)
    assert found["description length"].p_value < 0.001
    assert found["route id"].found < 0.5


def test_unrelated_gold_is_no_problem() -> None:
    draw = random.Random(7)
    found = trial(draw.sample(SNAPSHOT.routes, 40), draw.sample(SNAPSHOT.routes, 40))
    assert not list(check_prior(tuple(found.values())))
    assert 0.3 < found["all together"].found < 0.7


def test_a_split_that_needs_every_route_equally_is_at_chance() -> None:
    found = trial(SNAPSHOT.routes[:30], SNAPSHOT.routes)
    assert {round(item.found, 9) for item in found.values()} == {0.5}
    assert all(item.p_value == 1 for item in found.values())


def test_it_takes_two_splits() -> None:
    assert blind_tests(tasks("dev", ["a.e00"]), SNAPSHOT, ORDER) == ()
    assert blind_tests(tasks("frozen", ["a.e00"]), SNAPSHOT, ORDER) == ()
    assert not list(check_prior(()))


def test_the_test_is_the_same_every_time() -> None:
    routes = list(SNAPSHOT.routes)
    assert trial(routes[::3], routes[::4]) == trial(routes[::3], routes[::4])
