"""States, queries and exposures that follow from what was observed; forgeries are test_tamper's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from conditions.exposure import ConditionParameters
from gates.interference import interferences
from gates.recount import miscounts, tool_tokens
from gates.results import EpisodeRows
from harness.grid import EpisodeKey
from harness.prompt import Toolbox
from surface.argument import Rule
from surface.task import Approval, Task
from tests.support.rows import altered, rows_by_key
from tests.support.shop_study import catalogs, records, tasks

PARAMETERS = ConditionParameters(top_k=2, stages=(1, 2, None))


@pytest.fixture(scope="module")
def episodes() -> dict[EpisodeKey, EpisodeRows]:
    return rows_by_key(records().values())


def found(
    episodes: Mapping[EpisodeKey, EpisodeRows],
    parameters: ConditionParameters = PARAMETERS,
    given: Mapping[str, Task] | None = None,
) -> list[str]:
    return list(interferences(episodes, given or tasks(), catalogs(), parameters))


def test_no_real_episode_interferes(episodes: dict[EpisodeKey, EpisodeRows]) -> None:
    assert found(episodes) == []
    assert list(miscounts(episodes, catalogs())) == []


def test_states_know_nothing_of_rules_approvals_fixtures_and_glosses(
    episodes: dict[EpisodeKey, EpisodeRows],
) -> None:
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
    assert found(episodes, given=changed) == []


def test_states_know_the_query(episodes: dict[EpisodeKey, EpisodeRows]) -> None:
    changed = {
        name: task.model_copy(update={"query": "Do something else altogether."})
        for name, task in tasks().items()
    }
    texts = found(episodes, given=changed)
    assert any("the state does not follow" in text for text in texts)
    assert any("the retrieval query is not made of query and state" in text for text in texts)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        (replace(PARAMETERS, top_k=1), "the exposure is not what the condition makes of"),
        (replace(PARAMETERS, stages=(2, None)), "the exposure is not what the condition makes of"),
        (replace(PARAMETERS, max_refreshes=1), "the retrieval query is not made of query and st"),
        (replace(PARAMETERS, max_refreshes=1), "its retrieval calls are not those of its turns"),
    ],
)
def test_exposures_follow_the_study_s_numbers(
    episodes: dict[EpisodeKey, EpisodeRows], parameters: ConditionParameters, text: str
) -> None:
    assert any(text in line for line in found(episodes, parameters))


def test_one_text_has_one_ranking_whatever_the_task_and_condition(
    episodes: dict[EpisodeKey, EpisodeRows],
) -> None:
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
    assert found(episodes | {key: changed}) == [
        f"episode {key.task_id}/{key.catalog_size}/{key.condition}, turn 0:"
        " its retrieval query has another ranking elsewhere"
    ]


@pytest.mark.parametrize("size", [4, 5])
def test_tokens_are_those_that_the_harness_counts(size: int) -> None:
    snapshot = catalogs()[size].snapshot
    assert tool_tokens(snapshot) == dict(Toolbox.of(snapshot).tokens)
