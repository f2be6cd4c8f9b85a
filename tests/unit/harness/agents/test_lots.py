"""Lots: named, repeatable, even."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.agents.lots import Lots

LOTS = Lots(20260929, "task/100")


def test_a_draw_is_what_it_always_was() -> None:
    assert LOTS.uniform("error", 0, 0) == 0.47181036266293663


def test_a_draw_depends_on_seed_episode_and_name_alone() -> None:
    drawn = LOTS.uniform("error", 1, 2)
    LOTS.uniform("other")
    assert LOTS.uniform("error", 1, 2) == drawn
    others = (
        Lots(1, "task/100").uniform("error", 1, 2),
        Lots(20260929, "task/250").uniform("error", 1, 2),
        LOTS.uniform("error", 2, 1),
        LOTS.uniform("error", 12),
    )
    assert len({drawn, *others}) == 5


@given(st.integers(0, 2**32), st.text(max_size=5), st.lists(st.integers(), min_size=1, max_size=9))
def test_a_choice_is_one_of_the_items(seed: int, name: str, items: list[int]) -> None:
    assert 0 <= Lots(seed, "t").uniform(name) < 1
    assert Lots(seed, "t").choice(items, name) in items


def test_draws_are_even() -> None:
    draws = [LOTS.choice("abcd", number) for number in range(4000)]
    # 1000 expected; the standard deviation is 27.
    assert all(860 < draws.count(letter) < 1140 for letter in "abcd")
