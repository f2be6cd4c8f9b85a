"""The random agent: the floor that comes by construction of the conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from harness.agents.blind import blind_call
from harness.agents.lots import Lots
from harness.agents.protocol import REQUEST_MORE_TOOLS, Evidence, Message, ToolSchema, Turn
from surface.executor import Executor

VERSION: Final = "1"
"""Rises with every change of what it draws."""


class RandomAgent:
    """Calls one of the exposed tools by lot in every turn, whatever the request says.

    What it achieves a condition makes easy: with the two tools of a task alone, chance goes far.
    It never stops by itself, since it does not know what is done.

    Parameters
    ----------
    seed
        The study's seed.
    episode
        Task and catalog that the lots are drawn for.
    """

    def __init__(self, seed: int, episode: str = "") -> None:
        self._seed = seed
        self._episode = episode
        self._lots = Lots(seed, episode)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Kind, version and seed, and the episode where it answers one."""
        told = {"episode": self._episode} if self._episode else {}
        return {"kind": "random", "version": VERSION, "seed": self._seed, **told}

    @property
    def evidence(self) -> Evidence:
        """An instrument check: nothing about language models."""
        return "instrument"

    def for_episode(self, executor: Executor) -> RandomAgent:
        """Return the agent with the lots of an episode; nothing else of it is kept."""
        return RandomAgent(self._seed, episode_name(executor))

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Answer one turn; a pure function of its arguments, the seed and the episode."""
        if not tools:
            return Turn(REQUEST_MORE_TOOLS)
        turn = sum(message["role"] == "assistant" for message in messages) + 1
        tool = self._lots.choice(tools, "tool", turn)
        call = blind_call(tool, messages, self._lots, f"call_{turn}", "argument", turn)
        return Turn(None, (call,))


def episode_name(executor: Executor) -> str:
    """Return what the lots of an episode are drawn for: task and catalog, never the condition."""
    return f"{executor.task.id}/{executor.catalog.size}"
