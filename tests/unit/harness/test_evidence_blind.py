"""Glosses and the quotes of a task's steps reach no agent, no retriever, no state.

They are poisoned: every one of them is replaced by a word that stands nowhere else. Whatever is
asked, shown, ranked and remembered in an episode stays the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from conditions.preregistered import CONDITIONS, make_condition
from conditions.retriever import ResearchRetriever, RetrieverParameters
from conditions.vectors import study_texts
from harness.agents import make_agent
from harness.agents.protocol import Agent, Message, ToolSchema, Turn
from harness.agents.section import ReferenceSection
from harness.episode import Limits, run_episode
from harness.prompt import Toolbox
from surface.catalog import Catalog, load_catalogs
from surface.executor import Executor
from surface.task import Task, load_tasks

WORD = "xylophonist"
TASKS = {task.id: task for task in load_tasks("dev")}
CATALOG = load_catalogs()[100]
QUOTED = sorted(
    name for name, task in TASKS.items() if any(step.apart or step.after for step in task.steps)
)


def poisoned(task: Task) -> Task:
    steps = tuple(
        step.model_copy(
            update={"apart": dict.fromkeys(step.apart, WORD), "after": step.after and WORD}
        )
        for step in task.steps
    )
    return task.model_copy(update={"gloss": f"{WORD} " * 5, "steps": steps})


@dataclass
class Listening:
    """An agent that notes all that it is shown."""

    inner: Agent
    heard: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        self.heard.append(repr((messages, tools)))
        return self.inner.act(messages, tools)


@dataclass
class Asked:
    """A retriever that notes all that it is asked."""

    inner: ResearchRetriever
    questions: list[str] = field(default_factory=list)

    def rank(self, text: str) -> Any:
        self.questions.append(text)
        return self.inner.rank(text)


def play(task: Task, catalog: Catalog, name: str) -> tuple[list[str], list[str], str]:
    """Prompts, retrieval queries and the whole record of an episode."""
    numbers = RetrieverParameters(sentence_weight=0, term_weight=0)
    retriever: Any = Asked(ResearchRetriever(catalog.snapshot, numbers))
    agent: Any = Listening(make_agent(ReferenceSection(kind="reference"), seed=0))
    ticks = itertools.count()
    record = run_episode(
        Executor(task, catalog),
        make_condition(
            name,
            retriever=retriever,
            snapshot=catalog.snapshot,
            required_routes=task.required_routes,
        ),
        agent,
        Toolbox.of(catalog.snapshot),
        limits=Limits(),
        clock=lambda: float(next(ticks)),
    )
    return agent.heard, retriever.questions, repr(record)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("name", ["dev-en-three-step", "dev-es-failure", "dev-ko-provenance"])
def test_an_episode_knows_no_gloss_and_no_quote(name: str, condition: str) -> None:
    assert name in QUOTED
    plain = play(TASKS[name], CATALOG, condition)
    heard, asked, record = play(poisoned(TASKS[name]), CATALOG, condition)
    assert (heard, asked, record) == plain
    assert heard
    assert WORD not in "".join((*heard, *asked, record))


def test_no_vector_is_made_of_a_gloss_or_a_quote() -> None:
    queries = [poisoned(task).query for task in TASKS.values()]
    assert not [text for text in study_texts([CATALOG.snapshot], queries) if WORD in text]
