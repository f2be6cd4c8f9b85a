"""States, queries, rankings and exposures that follow; forgeries are test_tamper's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from conditions.exposure import ConditionParameters
from conditions.parameter import RetrieverParameters
from gates.check import Check
from gates.recount import Tools
from gates.results import EpisodeRows
from gates.setting import Setting
from gates.verify import episode_checks
from harness.agents.random import RandomAgent
from harness.agents.section import ErrorRates
from harness.agents.simulated import SimulatedAgents
from harness.grid import EpisodeKey
from harness.prompt import Toolbox
from router.canonical import digest
from surface.argument import Rule
from surface.executor import Executor
from surface.task import Approval, Task
from tests.support.rows import altered, rows_by_key
from tests.support.shop_study import catalogs, records, setting, tasks

Episodes = dict[EpisodeKey, EpisodeRows]


@pytest.fixture(scope="module")
def episodes() -> Episodes:
    return rows_by_key(records().values())


def checks(episodes: Episodes, **changes: Any) -> dict[str, Check]:
    done = episode_checks(episodes, replace(setting(), **changes))
    return {check.name: check for check in done}


def found(episodes: Episodes, **changes: Any) -> dict[str, list[str]]:
    """What the checks found, by check; nothing of a check that found nothing."""
    return {
        name: list(check.findings)
        for name, check in checks(episodes, **changes).items()
        if check.findings
    }


def test_an_honest_study_passes_every_check(episodes: Episodes) -> None:
    assert found(episodes) == {}


def test_every_check_says_how_much_it_looked_at(episodes: Episodes) -> None:
    turns = sum(len(item.turns) for item in episodes.values())
    states = sum(len(item.transitions) for item in episodes.values())
    retrievals = sum(item.episode["retrieval_calls"] for item in episodes.values())
    counts = {name: (check.count, check.unit) for name, check in checks(episodes).items()}
    strings = counts.pop("rankings")
    assert counts == {
        "hash chains": (states, "states"),
        "state contract": (states, "states"),
        "states": (states, "states"),
        "retrieval queries": (retrievals, "retrievals"),
        "exposures": (turns + states, "exposures"),
        "budgets": (len(episodes), "episodes"),
        "gold traces": (4 * len(episodes), "steps"),
        "requests": (turns, "turns"),
        "answers": (turns, "turns"),
        "tokens": (turns, "turns"),
        "outcomes": (len(episodes), "episodes"),
    }
    # Each string is ranked once for each catalog: that of the query at least.
    assert strings[1] == "strings"
    assert 2 < strings[0] < retrievals


def test_states_know_nothing_of_rules_approvals_fixtures_and_glosses(episodes: Episodes) -> None:
    # The same log under another gold: states and queries stand, for they are not made of it.
    def other(task: Task) -> Task:
        steps = tuple(
            step.model_copy(
                update={
                    "arguments": {"email": Rule(equals="eve@example.org")},
                    "observation": step.observation and {"note": "hidden"},
                    "error": step.error and "lock_conflict: hidden",
                }
            )
            for step in task.steps
        )
        approvals = (Approval(route="shop.get_order"),)
        return task.model_copy(
            update={"steps": steps, "approvals": approvals, "gloss": "Something hidden."}
        )

    changed = {name: other(task) for name, task in tasks().items()}
    # The gold traces alone follow the gold.
    assert set(found(episodes, tasks=changed)) == {"gold traces"}


def test_states_know_the_query(episodes: Episodes) -> None:
    changed = {
        name: task.model_copy(update={"query": "Do something else altogether."})
        for name, task in tasks().items()
    }
    texts = found(episodes, tasks=changed)
    assert "the state does not follow" in texts["states"][0]
    assert "is not made of query and state" in texts["retrieval queries"][0]
    assert "other messages were asked" in texts["requests"][0]
    assert "other tokens of the conversation" in texts["tokens"][0]


NUMBERS = ConditionParameters(top_k=2, stages=(1, 2, None))


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        (replace(NUMBERS, top_k=1), "exposures"),
        (replace(NUMBERS, stages=(2, None)), "exposures"),
        (replace(NUMBERS, stages=(1, None)), "exposures"),
        (replace(NUMBERS, stages=(1, 2)), "exposures"),
        (replace(NUMBERS, max_refreshes=1), "retrieval queries"),
        (replace(NUMBERS, max_refreshes=1), "budgets"),
    ],
)
def test_exposures_follow_the_study_s_numbers(
    episodes: Episodes, parameters: ConditionParameters, name: str
) -> None:
    assert name in found(episodes, exposure=parameters)


def test_rankings_are_those_of_the_study_s_retriever(episodes: Episodes) -> None:
    numbers = RetrieverParameters(sentence_weight=0, term_weight=0, succeeded=0, locked=0)
    assert "the retriever ranks otherwise" in found(episodes, retriever=numbers)["rankings"][0]


@pytest.mark.parametrize("number", [{"max_turns": 7}, {"max_turns": 9}, {"max_reminders": 1}])
def test_episodes_last_as_long_as_the_study_s_numbers_say(
    episodes: Episodes, number: Mapping[str, int]
) -> None:
    assert "outcomes" in found(episodes, **number)


def test_the_agent_is_part_of_every_request(episodes: Episodes) -> None:
    texts = found(episodes, agent={"kind": "other"})["requests"]
    assert len(texts) == sum(len(item.turns) for item in episodes.values())
    assert all("its request has another address" in text for text in texts)


def test_one_text_has_one_ranking_whatever_the_task_and_condition(episodes: Episodes) -> None:
    # All four tasks ask for the same; each catalog has one ranking for it.
    first = {
        key.catalog_size: item.transitions[0]["ranking_sha256"]
        for key, item in episodes.items()
        if key.condition == "SR-5-STATIC"
    }
    key = next(key for key in episodes if key.condition == "SR-5-STATE-AWARE")
    changed = altered(
        episodes[key],
        lambda item: item.transitions[0].update(ranking_sha256=first[9 - key.catalog_size]),
    )
    assert found(episodes | {key: changed}) == {
        "rankings": [
            f"episode {key.task_id}/{key.catalog_size}/{key.condition}, turn 0:"
            " the retriever ranks otherwise"
        ]
    }


@pytest.mark.parametrize("size", [4, 5])
def test_tools_are_those_that_the_harness_shows(size: int) -> None:
    snapshot = catalogs()[size].snapshot
    toolbox, tools = Toolbox.of(snapshot), Tools(snapshot)
    assert tools.tokens == dict(toolbox.tokens)
    assert tools.prompted(snapshot.routes).tokens == toolbox.show(snapshot.routes).tokens
    assert tools.prompted(["shop.nowhere"]).tokens == 0


def test_an_agent_that_draws_lots_says_for_which_episode() -> None:
    key = next(iter(records()))
    rates = ErrorRates(**dict.fromkeys(ErrorRates.model_fields, 0.1))
    for agent in (RandomAgent(7), SimulatedAgents(rates, 7)):
        of_study = replace(setting(), agent=agent.identity)
        of_episode = agent.for_episode(Executor(tasks()[key.task_id], catalogs()[key.catalog_size]))
        assert of_study.agent_sha256(key) == digest(dict(of_episode.identity))
    assert setting().agent_sha256(key) == digest({"kind": "scripted"})


def test_a_setting_is_read_from_the_configuration() -> None:
    assert isinstance(setting(), Setting)
    assert setting().exposure == NUMBERS
    assert (setting().max_turns, setting().max_reminders) == (8, 2)
    assert setting().retriever == RetrieverParameters(sentence_weight=0, term_weight=0)
    assert set(setting().keys) == set(records())
