"""The gold is read by the executor and by what logs it for evaluation, and by nobody else.

Of a poisoned task everything but query and name raises when it is read anywhere else: in an agent,
a condition, a retriever, a prompt, a state or the loop itself.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from harness.grid import EpisodeKey
from harness.study import Study
from surface.failure import ERROR_CLASSES, error_class
from surface.task import Task, load_tasks
from tests.integration.leakage.listening import Played, play

FREE = frozenset({"query", "id", "stratum", "language"})
"""What a task says of itself without its gold; stratum and language are logged, never shown."""

READERS = {
    "surface.executor": None,
    "surface.gold": None,
    # Required routes and steps of the log's evaluation columns, and of the gold trace.
    "harness.transition": {"next_route"},
    "harness.trace": {"gold_trace"},
    "harness.episode": {"record"},
}
"""Modules that may read the gold, and of the harness's the functions."""


class Poison(RuntimeError):
    """The gold was read where it must not be."""


class PoisonedTask:
    """A task that looks who reads its gold."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.readers: set[tuple[str, str]] = set()

    def __getattr__(self, name: str) -> Any:
        if name not in FREE:
            frame = sys._getframe(1)
            module, function = frame.f_globals["__name__"], frame.f_code.co_name
            allowed = READERS.get(module, frozenset())
            if allowed is not None and function not in allowed:
                raise Poison(f"{module}.{function} read {name}")
            self.readers.add((module, function))
        return getattr(self.task, name)


class Poisoned(Study):
    """A study whose tasks are poisoned when an episode begins.

    The required routes go to the upper bound alone; `make_condition` is handed them unread.
    """

    def _executor(self, key: EpisodeKey) -> Any:
        executor = super()._executor(key)
        task = PoisonedTask(executor.task)
        object.__setattr__(executor, "task", task)
        return executor


def poisoned(study: Study) -> Study:
    copy = Poisoned(study.config, study.task_folder)
    copy.__dict__["catalogs"] = study.catalogs
    copy.__dict__["tasks"] = study.tasks
    return copy


def test_nobody_else_reads_the_gold(
    study: Study,
    keys: tuple[EpisodeKey, ...],
    batch: dict[EpisodeKey, Played],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The runner reads the required routes for the upper bound; it may do so for that one alone.
    monkeypatch.setitem(READERS, "harness.study", {"run"})
    copy = poisoned(study)
    for key in keys:
        assert play(copy, key) == batch[key]


@pytest.mark.parametrize("name", ["steps", "approvals", "gloss", "required_routes"])
def test_the_poison_works(study: Study, name: str) -> None:
    task = PoisonedTask(next(iter(study.tasks.values())))
    with pytest.raises(Poison, match=f"read {name}"):
        getattr(task, name)


def test_no_request_and_no_retrieval_names_what_is_hidden(
    study: Study, batch: dict[EpisodeKey, Played]
) -> None:
    for key, played in batch.items():
        task = study.tasks[key.task_id]
        hidden = {key.task_id, key.condition, task.stratum, task.gloss, "gold_next", "canary"}
        for text in (*map(bytes.decode, played.requests), *played.strings):
            assert not [word for word in hidden if word in text]


def test_a_retrieval_is_the_query_or_the_query_and_eleven_fields(
    study: Study, batch: dict[EpisodeKey, Played]
) -> None:
    for key, played in batch.items():
        query = study.tasks[key.task_id].query
        for text in played.strings:
            assert text.startswith(query)
            assert text == query or text[len(query) :].startswith("\n\n[EXECUTION_STATE]\n{")


def test_every_scripted_error_is_of_the_closed_list() -> None:
    words = {word for task in load_tasks("dev") for step in task.steps for word in [step.route]}
    for task in load_tasks("dev"):
        for step in task.steps:
            if step.error is not None:
                assert error_class(step.error) in ERROR_CLASSES
                # It says nothing of a tool's name.
                assert not [route for route in words if route in step.error]
                assert not [route for route in words if route.replace(".", "__") in step.error]
