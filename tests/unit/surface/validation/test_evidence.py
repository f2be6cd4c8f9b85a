"""Rivals by contract, and the quotes that tell a step from them and put it in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from surface.validation.evidence import check_evidence, needs_order
from surface.validation.problem import Problem
from surface.validation.rival import effect, rivals, taken_meanings
from tests.support.small_surface import (
    CUSTOMER,
    PROVENANCE,
    RECOVERABLE,
    THREE,
    TWO,
    UNIT,
    SmallSurface,
    check,
    sound,
)

ROUTES = {
    ("en-two", 1): ("carrier.find_parcels",),
    ("en-two", 2): (),
    # The rival does not observe the weight, which the second step takes.
    ("en-three", 1): (),
    ("en-three", 2): ("carrier.price_parcel",),
    ("en-three", 3): (),
    # Both calls of the tracker, and the session between them, have no substitute.
    ("en-recoverable", 1): (),
    ("en-recoverable", 2): (),
    ("en-recoverable", 3): (),
    ("en-provenance", 1): (),
    # Sharing asks for a customer, whom the step does not name.
    ("en-provenance", 2): (),
    ("en-typed", 1): ("climate.read_temperature",),
    ("en-typed", 2): ("freight.release_hold",),
    # Dropping a dataset is destructive too and asks for a dataset, which nobody has.
    ("en-typed", 3): (),
}


@pytest.mark.parametrize(("place", "expected"), ROUTES.items())
def test_rivals_of_the_small_surface(place: tuple[str, int], expected: tuple[str, ...]) -> None:
    catalogs, tasks = sound()
    task_id, number = place
    assert rivals(tasks[task_id], number - 1, catalogs[500].snapshot) == expected


def test_rivals_of_a_smaller_catalog_are_fewer() -> None:
    catalogs, tasks = sound()
    assert rivals(tasks["en-two"], 0, catalogs[100].snapshot) == ()


def test_meanings_that_later_steps_take() -> None:
    catalogs, tasks = sound()
    snapshot = catalogs[500].snapshot
    assert taken_meanings(tasks["en-three"], 0, snapshot) == {"shipment.id", "goods.weight"}
    assert taken_meanings(tasks["en-three"], 2, snapshot) == frozenset()
    assert taken_meanings(tasks["en-recoverable"], 1, snapshot) == {"session.id"}


def test_effects() -> None:
    snapshot = sound()[0][500].snapshot
    routes = ("freight.find_shipments", "freight.release_hold", "freight.cancel_shipment")
    assert [effect(snapshot.endpoint(route)) for route in routes] == [
        "read",
        "write",
        "destructive",
    ]


@pytest.mark.parametrize(
    ("task_id", "needed"),
    [
        ("en-two", [False, False]),
        ("en-three", [False, False, False]),
        # The second step follows a failure, the third repeats what failed.
        ("en-recoverable", [False, False, False]),
        ("en-typed", [False, False, True]),
    ],
)
def test_steps_whose_order_only_the_query_can_say(task_id: str, needed: list[bool]) -> None:
    task = sound()[1][task_id]
    assert [needs_order(task, position) for position in range(len(task.steps))] == needed


def test_a_quote_holds_for_later_steps_of_its_route(tmp_path: Path) -> None:
    surface = SmallSurface()
    task = surface.task(TWO)
    again = {**task["steps"][0], "apart": {}}
    failing = {key: value for key, value in task["steps"][0].items() if key != "observation"}
    task["stratum"] = RECOVERABLE
    task["steps"] = [{**failing, "error": "rate_limited"}, again, task["steps"][1]]
    task["steps"][2]["arguments"]["shipment_id"]["from"]["step"] = 2
    found = {problem.place for problem in check(surface.write(tmp_path)).problems}
    assert not {place for place in found if place.startswith("en-two")}


def planted(folder: Path, stratum: str, number: int, change: dict[str, Any]) -> tuple[Problem, ...]:
    surface = SmallSurface()
    surface.task(stratum)["steps"][number - 1].update(change)
    return check(surface.write(folder)).problems


@pytest.mark.parametrize(
    ("stratum", "number", "change", "place", "words"),
    [
        pytest.param(
            TWO,
            1,
            {"apart": {}},
            "en-two: step 1, apart",
            "carrier.find_parcels could take the place of freight.find_shipments",
            id="rival without a quote",
        ),
        pytest.param(
            TWO,
            1,
            {"apart": {"carrier.find_parcels": "the parcels"}},
            "en-two: step 1, apart 'carrier.find_parcels'",
            "'the parcels' do not stand in the query",
            id="quote that the query does not hold",
        ),
        pytest.param(
            TWO,
            1,
            {"apart": {"carrier.find_parcels": CUSTOMER}},
            "en-two: step 1, apart 'carrier.find_parcels'",
            "'CUS-1042' holds literals alone",
            id="quote without a word",
        ),
        pytest.param(
            PROVENANCE,
            2,
            {"apart": {"archive.share_dataset": "we need an export"}},
            "en-provenance: step 2, apart 'archive.share_dataset'",
            "no rival",
            id="quote for a route that is no rival",
        ),
        pytest.param(
            PROVENANCE,
            2,
            {"apart": {"archive.burn": "we need an export"}},
            "en-provenance: step 2, apart 'archive.burn'",
            "no rival",
            id="quote for a route that does not exist",
        ),
        pytest.param(
            UNIT,
            3,
            {"after": None},
            "en-typed: step 3, after",
            "Nothing puts the step after step 2",
            id="order that nobody states",
        ),
        pytest.param(
            THREE,
            2,
            {"after": "and then"},
            "en-three: step 2, after",
            "'and then' do not stand in the query",
            id="order that the query does not state",
        ),
    ],
)
def test_a_defect_of_the_evidence_is_the_one_that_is_found(
    tmp_path: Path, stratum: str, number: int, change: dict[str, Any], place: str, words: str
) -> None:
    found = planted(tmp_path, stratum, number, change)
    assert [item.place for item in found] == [place]
    assert words in found[0].what


def test_quotes_are_compared_in_nfc_with_single_spaces() -> None:
    task = sound()[1]["es-typed"]
    step = task.steps[0].model_copy(
        update={"apart": {"climate.read_temperature": "la  sesio\u0301n\nses_7h2kq9x4"}}
    )
    quoting = task.model_copy(update={"steps": (step, *task.steps[1:])})
    assert not list(check_evidence(quoting, sound()[0][500].snapshot))
