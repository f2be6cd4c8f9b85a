"""The tiny study under ears: all that is asked of agent and retriever in its episodes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.agents import make_agent
from harness.agents.protocol import Agent, Message, ToolSchema, Turn
from harness.agents.section import ReferenceSection
from harness.grid import EpisodeKey
from harness.record import EpisodeRecord
from harness.study import Study
from router.ranking import Ranking


@dataclass
class Ear:
    """The reference agent, and every request to it as the bytes that a provider would get."""

    inner: Agent = field(
        default_factory=lambda: make_agent(ReferenceSection(kind="reference"), seed=0)
    )
    requests: list[bytes] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        body = {"messages": list(messages), "tools": [tool.openai() for tool in tools]}
        self.requests.append(json.dumps(body, sort_keys=True, ensure_ascii=False).encode())
        return self.inner.act(messages, tools)


@dataclass
class AskedRetriever:
    """A retriever, and every string that it was asked to rank."""

    inner: Any
    strings: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def rank(self, text: str) -> Ranking:
        self.strings.append(text)
        return self.inner.rank(text)


@dataclass(frozen=True)
class Played:
    """An episode, and what was asked in it."""

    record: EpisodeRecord
    requests: tuple[bytes, ...]
    """Of the agent."""
    strings: tuple[str, ...]
    """Of the retriever, those of the gold trace too."""


def play(study: Study, key: EpisodeKey) -> Played:
    """Run an episode; measured time stands still."""
    ear: Any = Ear()
    retriever = study._retriever(key.catalog_size)
    asked: Any = AskedRetriever(retriever)
    study._retrievers[key.catalog_size] = asked
    try:
        record = study.run(key, clock=lambda: 0.0, agent=ear)
    finally:
        study._retrievers[key.catalog_size] = retriever
    return Played(record, tuple(ear.requests), tuple(asked.strings))


def play_all(study: Study, keys: Iterable[EpisodeKey]) -> dict[EpisodeKey, Played]:
    """Run episodes in the order given, one after the other."""
    return {key: play(study, key) for key in keys}
