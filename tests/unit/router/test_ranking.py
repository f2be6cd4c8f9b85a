from __future__ import annotations

import numpy as np
import pytest

from router import CatalogSnapshot, EndpointSpec, Ranking, ToolSpec, UnknownRouteError, order

# Inserted out of order; a locale would put "é" before "z" and "B" after "a".
TOOL = ToolSpec(name="t", endpoints=tuple(EndpointSpec(name=name) for name in ["z", "é", "a", "B"]))
SNAPSHOT = CatalogSnapshot.of([TOOL])


def scores(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def test_higher_scores_stand_first() -> None:
    ranking = order(SNAPSHOT, scores(1, 4, 2, 3))
    assert ranking.routes == ("t.a", "t.é", "t.z", "t.B")
    assert ranking.scores == (4, 3, 2, 1)
    assert ranking.matched == (True, True, True, True)


def test_ties_break_by_code_point() -> None:
    assert order(SNAPSHOT, scores(5, 5, 5, 5)).routes == ("t.B", "t.a", "t.z", "t.é")


def test_routes_that_match_nothing_form_the_tail() -> None:
    ranking = order(SNAPSHOT, scores(0, 0, 0, 7))
    assert ranking.routes == ("t.é", "t.B", "t.a", "t.z")
    assert ranking.matched == (True, False, False, False)


def test_a_text_that_matches_nothing_is_no_ranking() -> None:
    ranking = order(SNAPSHOT, scores(0, 0, 0, 0))
    assert ranking.routes == SNAPSHOT.routes
    assert not any(ranking.matched)


def test_top_k_is_always_k_routes() -> None:
    ranking = order(SNAPSHOT, scores(0, 3, 0, 0))
    assert ranking.top(3) == ("t.a", "t.B", "t.z")
    assert ranking.top(0) == ()
    assert ranking.top(9) == ranking.routes
    with pytest.raises(ValueError, match="Top--1"):
        ranking.top(-1)


def test_ranks_count_from_one() -> None:
    ranking = order(SNAPSHOT, scores(0, 3, 0, 0))
    assert ranking.rank_of("t.a") == 1
    assert ranking.rank_of("t.é") == 4
    with pytest.raises(UnknownRouteError, match=r"'t\.q'"):
        ranking.rank_of("t.q")


@pytest.mark.parametrize("shift", [0, 20, 40, 58, 60])
def test_scores_of_any_size_give_the_same_order(shift: int) -> None:
    """Scores that fit into one integer with their position are sorted so, larger ones are not."""
    ranking = order(SNAPSHOT, scores(1, 4, 1, 0) << shift)
    assert ranking.routes == ("t.a", "t.B", "t.z", "t.é")
    assert ranking.scores == tuple(score << shift for score in (4, 1, 1, 0))


def test_catalogs_without_and_with_one_route_are_ranked() -> None:
    assert order(CatalogSnapshot.of([]), scores()).routes == ()
    one = CatalogSnapshot.of([ToolSpec(name="t", endpoints=(EndpointSpec(name="a"),))])
    assert order(one, scores((1 << 63) - 1)).routes == ("t.a",)
    assert order(one, scores(0)).matched == (False,)


def test_rankings_hold_plain_values() -> None:
    ranking = order(SNAPSHOT, scores(1, 2, 3, 0))
    assert {type(score) for score in ranking.scores} == {int}
    assert {type(flag) for flag in ranking.matched} == {bool}
    assert ranking == Ranking(ranking.routes, (3, 2, 1, 0), (True, True, True, False))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (np.zeros(3, dtype=np.int64), "3,"),
        (np.zeros((4, 1), dtype=np.int64), "4, 1"),
        (np.zeros(4), "float64"),
        (np.array([0, 0, -1, 0]), "negative"),
    ],
)
def test_scores_that_do_not_rank_are_refused(
    wrong: np.ndarray[tuple[int, ...], np.dtype[np.int64]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        order(SNAPSHOT, wrong)
