"""Rows of one episode that agree, and what may differ between them; forgeries are test_tamper's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gates.consistency import contradictions
from gates.metric_table import CONDITIONS, PROGRESSIVE
from tests.support.rows import altered, rows_of
from tests.support.shop_study import records
from tests.unit.gates.acts import MALFORMED, OVERFLOW, TEXT, fails, passes, rows

WIDE = ("a", "b", "c")


def test_no_real_episode_contradicts_itself() -> None:
    found = {
        key: list(contradictions(key.condition, rows_of(record)))
        for key, record in records().items()
    }
    assert [key for key, texts in found.items() if texts] == []


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("idle", [TEXT, MALFORMED])
def test_only_progressive_widens_after_a_turn_that_leaves_no_state(
    condition: str, idle: Any
) -> None:
    item = rows(("a", "b"), ("a",), [idle, TEXT, TEXT], "third_text")
    wider = altered(item, lambda changed: changed.turns[1].update(exposure=list(WIDE)))
    back = altered(
        wider, lambda changed: changed.turns[2].update(exposure=list(WIDE), accepted=True)
    )
    other = altered(item, lambda changed: changed.turns[1].update(exposure=["b"]))
    text = "turn 2: it exposes something else than the state before it"
    assert (text in contradictions(condition, back)) is (condition != PROGRESSIVE)
    assert text in contradictions(condition, other)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda item: item.turns[0].update(gold_next_route="b"), "turn 1: it requires another"),
        (lambda item: item.turns[0].update(accepted=False), "turn 1: whether its prompt was acc"),
        (lambda item: item.turns[1].update(malformed=False), "its states are not the first one"),
        (lambda item: item.turns[0].update(malformed=True), "its states are not the first one"),
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
    found = list(contradictions("FULL", altered(item, change)))
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
    assert list(contradictions("FULL", rows(("a", "b"), ("a",), acts, ending))) == []
    others = {"clean_stop", "third_text", "malformed", "turn_limit", "overflow"} - {ending}
    # A last turn of text or of a malformed call, when turns have run out, bears out two endings.
    ambiguous = {"malformed"} if ending == "turn_limit" and acts[-1] is MALFORMED else set()
    for other in others - ambiguous:
        item = rows(("a", "b"), ("a",), acts, other)
        assert list(contradictions("FULL", item)), other
