"""Words that a query shares with its routes, requests that sound destructive, and variety."""

from __future__ import annotations

import pytest

from surface.task import load_tasks
from surface.validation.temptation import (
    is_destructive,
    look_alikes,
    sounds_destructive,
    spare_approvals,
)
from surface.validation.variety import check_variety, count_variety
from surface.validation.wording import unnamed_routes, unworded_routes, words
from tests.support.small_surface import sound

CATALOGS, TASKS = sound()
SMALLEST = CATALOGS[100].snapshot


def test_words_leave_digits_and_function_words_out() -> None:
    assert words("Release the hold_of SHP-204817, please") == {"release", "hold", "shp"}


def test_routes_that_share_no_word_with_the_query() -> None:
    # "shipment" and "customer" stand in query and descriptions; "release" in the second alone.
    assert unworded_routes(TASKS["en-two"], SMALLEST) == ()
    assert unworded_routes(TASKS["ko-two"], SMALLEST) == (
        "freight.find_shipments",
        "freight.release_hold",
    )


def test_routes_whose_name_is_not_said_in_any_language() -> None:
    assert unnamed_routes(TASKS["en-two"]) == ("freight.find_shipments",)
    # The gloss says "hold" for the Spanish query.
    said = TASKS["es-two"].model_copy(update={"gloss": "Take the hold off, whatever it is for."})
    assert "freight.release_hold" not in unnamed_routes(said)


@pytest.mark.parametrize(
    ("gloss", "sounds"),
    [
        ("Cancel the order of yesterday.", True),
        ("They were thrown out; please get rid of them.", True),
        ("Nothing of it may be scrapped.", True),
        ("Book a truck for the wiper blades.", False),
        ("See which order it is about.", False),
    ],
)
def test_requests_that_sound_destructive(gloss: str, sounds: bool) -> None:
    assert sounds_destructive(TASKS["en-two"].model_copy(update={"gloss": gloss})) is sounds


def test_destructive_tasks_and_spare_approvals() -> None:
    assert is_destructive(TASKS["en-typed"], SMALLEST)
    assert not is_destructive(TASKS["en-two"], SMALLEST)
    assert (spare_approvals(TASKS["en-typed"]), spare_approvals(TASKS["en-two"])) == (1, 0)


def test_look_alikes_can_be_called_and_belong_to_the_task_s_services() -> None:
    # Cancelling also asks for a reason, which nobody gives; dropping asks for a dataset alone.
    assert look_alikes(TASKS["en-two"], SMALLEST) == ()
    assert look_alikes(TASKS["en-provenance"], SMALLEST) == ("archive.drop_dataset",)
    # What a task needs is no look-alike of itself.
    assert "freight.cancel_shipment" not in look_alikes(TASKS["en-typed"], SMALLEST)


def test_kinds_that_do_not_occur_are_problems() -> None:
    counts = count_variety(tuple(TASKS.values()), SMALLEST)
    assert counts["failures at the first step"] == 6
    assert counts["failures at the last step"] == 0
    assert counts["failures followed by: recovery call"] == 6
    assert counts["tasks with a destructive step"] == 6
    found = [problem.what for problem in check_variety("dev", tuple(TASKS.values()), SMALLEST)]
    assert "There are no failures at the last step." in found
    assert "There are no failures followed by: other provider." in found
    assert "There are no failures at the first step." not in found


def test_the_development_split_holds_every_kind() -> None:
    from surface.catalog import load_catalogs

    counts = count_variety(load_tasks("dev"), load_catalogs()[100].snapshot)
    assert [kind for kind, count in counts.items() if not count] == []
