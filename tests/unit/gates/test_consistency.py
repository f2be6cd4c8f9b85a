"""Rows of one episode that agree, and what may differ between them; forgeries are test_tamper's."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gates.consistency import chain, contradictions, sequence
from tests.support.rows import altered, rows_of
from tests.support.shop_study import records
from tests.unit.gates.acts import MALFORMED, OVERFLOW, TEXT, fails, passes, rows


def test_no_real_episode_contradicts_itself() -> None:
    found = {
        key: [
            *sequence(rows_of(record), 4),
            *chain(rows_of(record)),
            *contradictions(rows_of(record), 8, 2),
        ]
        for key, record in records().items()
    }
    assert [key for key, texts in found.items() if texts] == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda item: item.turns[0].update(gold_next_route="b"), "turn 1: it requires another"),
        (lambda item: item.turns[0].update(accepted=False), "its last turn does not end it"),
        (
            lambda item: item.turns[0]["calls"][0].update(parallel=True),
            "turn 1: its calls contradict each other",
        ),
        (
            lambda item: item.turns[1]["calls"][0].update(decision="step"),
            "turn 2: its calls contradict each other",
        ),
        (
            lambda item: item.turns[0]["calls"][0].update(decision="repeat"),
            "turn 1: its call and the state after it contradict each other",
        ),
        (
            lambda item: item.turns[0]["calls"][0].update(error="not_found"),
            "turn 1: its call and the state after it contradict each other",
        ),
    ],
)
def test_turns(change: Callable[[Any], None], text: str) -> None:
    item = rows(("a", "b"), ("a", "b"), [passes("a"), MALFORMED, TEXT, TEXT], "third_text")
    found = list(contradictions(altered(item, change), 8, 2))
    assert found[0].startswith(text)


@pytest.mark.parametrize(
    ("acts", "ending"),
    [
        ([passes("a"), passes("b"), TEXT], "clean_stop"),
        ([passes("a"), TEXT, TEXT, TEXT], "third_text"),
        ([passes("a"), TEXT, TEXT, MALFORMED], "malformed"),
        ([passes("a"), passes("b"), MALFORMED], "malformed"),
        ([passes("a"), passes("b"), *[fails("a")] * 6], "turn_limit"),
        ([passes("a"), *[fails("a")] * 5, TEXT, MALFORMED], "turn_limit"),
        ([passes("a"), OVERFLOW], "overflow"),
    ],
)
def test_each_ending_has_its_last_turn(acts: list[Any], ending: str) -> None:
    assert list(contradictions(rows(("a", "b"), ("a",), acts, ending), 8, 2)) == []
    for other in {"clean_stop", "third_text", "malformed", "turn_limit", "overflow"} - {ending}:
        item = rows(("a", "b"), ("a",), acts, other)
        assert f"its turns end it by {ending}" in contradictions(item, 8, 2)


@pytest.mark.parametrize(
    "acts",
    [
        [passes("a")],
        [passes("a"), TEXT],
        [passes("a"), TEXT, TEXT, TEXT, TEXT],
        [passes("a"), passes("b"), TEXT, TEXT],
        [passes("a"), OVERFLOW, TEXT],
        [fails("a")] * 9,
    ],
)
def test_turns_that_go_on_too_long_or_not_long_enough(acts: list[Any]) -> None:
    item = rows(("a", "b"), ("a",), acts, "third_text")
    assert "its last turn does not end it" in contradictions(item, 8, 2)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda item: item.turns[1].update(malformed=False), "its states are not the first one"),
        (lambda item: item.turns[0].update(malformed=True), "its states are not the first one"),
        (lambda item: item.turns[0].update(turn=2), "turns are missing or doubled"),
        (lambda item: item.exchanges[0].update(turn=2), "its exchanges are not one a turn"),
        (lambda item: item.traces[0].update(step=2), "its gold trace does not have one row a step"),
        (lambda item: item.episode.update(model_ms=-1.0), "a time is no length of time"),
        (lambda item: item.turns[0].update(model_ms=math.nan), "a time is no length of time"),
        (lambda item: item.turns[0].update(model_ms=math.inf), "a time is no length of time"),
    ],
)
def test_sequences(change: Callable[[Any], None], text: str) -> None:
    record = next(
        record
        for record in records().values()
        if {turn.malformed for turn in record.turns} == {False, True} and len(record.turns) > 2
    )
    item = rows_of(record)
    place = next(at for at, turn in enumerate(item.turns) if turn["malformed"])
    # The first two turns of the changes are one with a call and one that is malformed.
    calling = next(at for at, turn in enumerate(item.turns) if turn["calls"] and at < place)
    picked = replace(item, turns=(item.turns[calling], item.turns[place], *item.turns))
    changed = altered(picked, change)
    turns = list(item.turns)
    turns[calling], turns[place] = changed.turns[:2]
    assert any(found.startswith(text) for found in sequence(replace(changed, turns=turns), 4))
