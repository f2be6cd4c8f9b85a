"""What answering took: tokens, requests and waiting, counted whether or not an episode is kept."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from harness.agents.protocol import Agent, ContextOverflow, Evidence, Message, ToolSchema, Turn
from harness.error import InfrastructureError


class Effort(BaseModel):
    """What some episodes took, or a part of one. The zero is `Effort()`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    episodes: int = Field(default=0, ge=0)
    """Episodes that came to an end."""
    turns: int = Field(default=0, ge=0)
    """Turns that were answered, overflows among them, also of episodes that were then lost."""
    unanswered: int = Field(default=0, ge=0)
    """Turns that the plant left unanswered."""
    retries: int = Field(default=0, ge=0)
    """Requests that were sent again before an answer came."""
    waited_ms: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """Spent on those, pauses included."""
    input_tokens: int | None = Field(default=None, ge=0)
    """The provider's own count; None where it gave none."""
    output_tokens: int | None = Field(default=None, ge=0)

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            episodes=self.episodes + other.episodes,
            turns=self.turns + other.turns,
            unanswered=self.unanswered + other.unanswered,
            retries=self.retries + other.retries,
            waited_ms=self.waited_ms + other.waited_ms,
            input_tokens=_added(self.input_tokens, other.input_tokens),
            output_tokens=_added(self.output_tokens, other.output_tokens),
        )


class Meter:
    """Adds up effort; episodes that run at once may share one.

    Parameters
    ----------
    above
        A meter that is told as well.
    """

    def __init__(self, above: Meter | None = None) -> None:
        self._above = above
        self._lock = threading.Lock()
        self._total = Effort()

    @property
    def total(self) -> Effort:
        """What was added so far."""
        with self._lock:
            return self._total

    def add(self, effort: Effort) -> None:
        """Add some effort."""
        with self._lock:
            self._total += effort
        if self._above is not None:
            self._above.add(effort)


@dataclass(frozen=True)
class MeteredAgent:
    """An agent whose turns are counted."""

    agent: Agent
    meter: Meter

    @property
    def identity(self) -> Mapping[str, Any]:
        """The agent's own."""
        return self.agent.identity

    @property
    def evidence(self) -> Evidence:
        """The agent's own."""
        return self.agent.evidence

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Answer one turn; see `Agent.act`."""
        try:
            turn = self.agent.act(messages, tools)
        except ContextOverflow:
            self.meter.add(Effort(turns=1))
            raise
        except InfrastructureError:
            self.meter.add(Effort(unanswered=1))
            raise
        self.meter.add(_effort(turn))
        return turn


def _effort(turn: Turn) -> Effort:
    usage, latency = turn.usage, turn.latency
    return Effort(
        turns=1,
        retries=0 if latency is None else latency.attempts - 1,
        waited_ms=0.0 if latency is None else latency.waited_ms,
        input_tokens=None if usage is None else usage.input_tokens,
        output_tokens=None if usage is None else usage.output_tokens,
    )


def _added(first: int | None, second: int | None) -> int | None:
    return second if first is None else first + (second or 0)
