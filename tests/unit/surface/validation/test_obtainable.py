"""Literals of a query: whole words where they are short, anywhere where they are long."""

from __future__ import annotations

from typing import Any

import pytest

from surface.argument import Rule
from surface.validation.obtainable import check_obtainable
from surface.validation.site import step_sites
from tests.support.small_surface import SHIPMENT, sound

CATALOGS, TASKS = sound()


def obtainable(query: str, name: str, position: int = 2, language: str = "en", **keys: Any) -> bool:
    task = TASKS["en-typed"]
    step = task.steps[position]
    rule = Rule.model_validate(keys, strict=True)
    steps = list(task.steps)
    steps[position] = step.model_copy(update={"arguments": {name: rule}})
    changed = task.model_copy(update={"query": query, "steps": tuple(steps), "language": language})
    sites = [site for site in step_sites(changed, CATALOGS[100].snapshot) if site.seen == position]
    return not list(check_obtainable(sites[0]))


@pytest.mark.parametrize(
    ("literal", "verdict"),
    [
        ("not", True),
        ("wan", False),
        ("want", True),
        ("NOT WANTED", True),
        ("not  wanted", True),
        ("wet", False),
        ("5a", True),
        ("5", False),
    ],
)
def test_texts(literal: str, verdict: bool) -> None:
    assert obtainable("Cancel it, it is not wanted in 5A.", "reason", equals=literal) is verdict


@pytest.mark.parametrize(
    ("query", "literal"),
    [
        ("창고 서울로 보내 주세요", "서울"),
        ("ソウルへ送って", "ソウル"),
        ("ＡＢ の理由", "ab"),
        ("wegen Übergröße", "ÜBERGRÖSSE"),
    ],
)
def test_texts_of_other_scripts(query: str, literal: str) -> None:
    assert obtainable(query, "reason", equals=literal)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (["held"], True),
        (["held", "booked"], True),
        ([], True),
        (["lost"], False),
        ({"a": 1}, False),
    ],
)
def test_members_of_an_enum_are_known_and_lists_are_known_by_their_elements(
    value: Any, verdict: bool
) -> None:
    task = TASKS["en-two"]
    step = task.steps[0].model_copy(
        update={"arguments": {"stages": Rule.model_validate({"equals": value}, strict=True)}}
    )
    changed = task.model_copy(update={"steps": (step, task.steps[1])})
    site = next(step_sites(changed, CATALOGS[100].snapshot))
    assert (not list(check_obtainable(site))) is verdict


def test_one_choice_that_the_query_says_is_enough() -> None:
    query = f"Cancel {SHIPMENT} because it got wet."
    assert obtainable(query, "reason", one_of=["broken", "got wet"])
    assert not obtainable(query, "reason", one_of=["broken", "lost"])


def test_words_may_stand_for_a_value() -> None:
    assert obtainable("Cancel it for the usual cause.", "reason", equals="lost", says="usual CAUSE")
    assert not obtainable("Cancel it for the usual cause.", "reason", equals="lost", says="reason")


def test_null_is_said_by_nobody() -> None:
    assert not obtainable("Cancel it, please, at once.", "reason", equals=None)


def test_free_text_is_always_known() -> None:
    assert obtainable("Cancel it, please, at once.", "reason", nonempty=True)


@pytest.mark.parametrize(
    ("text", "language", "verdict"),
    [
        ("Set it to 45.5 °F.", "en", True),
        ("Stell es auf 45,5 °F.", "de", True),
        ("Set it to 45,5 °F.", "en", False),
        ("Set it to 4.5 °F.", "en", False),
    ],
)
def test_stated_quantities(text: str, language: str, verdict: bool) -> None:
    quantity = {"value": 45.5, "unit": "degF", "tolerance": 0}
    found = obtainable(text, "temperature", position=1, language=language, quantity=quantity)
    assert found is verdict
