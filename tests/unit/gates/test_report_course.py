"""Exposure and rank of the tool that is needed next, turn by turn."""

from __future__ import annotations

from itertools import pairwise

from gates.finished import Finished
from gates.metric_table import ORACLE
from gates.report.course import courses
from tests.support.finished import shop


def finished() -> Finished:
    return shop()


def test_every_turn_that_needs_a_tool_counts_once() -> None:
    found = {course.condition: course.moments for course in courses(finished()).courses}
    for condition, moments in found.items():
        turns = [
            row
            for key, item in finished().results.episodes.items()
            if key.condition == condition
            for row in item.turns
            if row["gold_next_route"] is not None
        ]
        assert {moment.turn: moment.episodes for moment in moments} == {
            turn: sum(row["turn"] == turn for row in turns)
            for turn in {row["turn"] for row in turns}
        }
        # Turns without a call are among them: an episode that leaves does not come back.
        assert all(before.episodes >= after.episodes for before, after in pairwise(moments))


def test_the_tool_is_shown_where_a_prompt_that_was_accepted_held_it() -> None:
    for course in courses(finished()).courses:
        for moment in course.moments:
            rows = [
                row
                for key, item in finished().results.episodes.items()
                if key.condition == course.condition
                for row in item.turns
                if row["turn"] == moment.turn and row["gold_next_route"] is not None
            ]
            assert moment.exposed == sum(
                row["accepted"] and row["gold_next_route"] in row["exposure"] for row in rows
            )
    overflows = [
        row
        for item in finished().results.episodes.values()
        for row in item.turns
        if not row["accepted"]
    ]
    assert overflows


def test_a_condition_that_ranks_nothing_has_no_rank() -> None:
    (oracle,) = (item for item in courses(finished()).courses if item.condition == ORACLE)
    assert {moment.rank for moment in oracle.moments} == {""}
