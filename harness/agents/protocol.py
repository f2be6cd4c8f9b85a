"""What every agent is given and what it answers.

An agent sees what a language model behind an OpenAI-compatible server would see: chat messages and
the schemas of the exposed tools. It is handed nothing else, so it cannot read a task's gold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from router.canonical import canonical_json, sha256_hex

Evidence = Literal["instrument", "model", "simulation"]
"""What results of an agent can show: that the instrument works, something about a model, or
nothing (a simulation knows the gold)."""

Message = Mapping[str, Any]
"""One chat message in OpenAI form: ``role``, ``content`` and, for tool turns, ``tool_calls`` or
``tool_call_id``."""

TASK_INCOMPLETE = "TASK_INCOMPLETE"
"""The user message after a turn without a call while the task is incomplete."""

REQUEST_MORE_TOOLS = "REQUEST_MORE_TOOLS"
"""The agreed text for "I cannot see the tool I need"."""


@dataclass(frozen=True)
class ToolSchema:
    """One exposed tool as an agent sees it.

    The same object stands for a tool in every turn and episode over one catalog, so that an agent
    can keep what it derived from it.
    """

    name: str
    """Provider-safe name, ``service__operation``."""
    description: str
    parameters: Mapping[str, Any] = field(compare=False)
    """JSON Schema of the arguments, an object schema."""
    digest: str = field(init=False)
    """SHA-256 of the canonical JSON of `openai`; stands for the content in comparisons."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", sha256_hex(canonical_json(self.openai())))

    def openai(self) -> dict[str, Any]:
        """Return the tool in the form of the OpenAI chat API."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters),
            },
        }


@dataclass(frozen=True)
class ToolCall:
    """One tool call of a turn, as the agent wrote it."""

    id: str
    name: str
    arguments: str
    """JSON text, unparsed: what does not parse is an outcome, not an error."""


@dataclass(frozen=True)
class Turn:
    """An agent's answer: text, or tool calls, or both."""

    text: str | None
    calls: tuple[ToolCall, ...] = ()


class ContextOverflow(Exception):
    """The prompt does not fit the agent's context: the episode ends and fails."""


class Agent(Protocol):
    """Anything that can answer a turn."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What defines the agent's behaviour, JSON-ready; hashed into the study's identity."""
        ...

    @property
    def evidence(self) -> Evidence:
        """What this agent's results can show."""
        ...

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Answer one turn.

        Parameters
        ----------
        messages
            The conversation so far, first the system prompt, then the user's query.
        tools
            The exposed tools, ordered by route id.

        Returns
        -------
        Turn
            The answer. Agents keep no memory between episodes: all they know of an episode is in
            `messages`.

        Raises
        ------
        ContextOverflow
            When the prompt does not fit: an outcome.
        InfrastructureError
            When the plant fails: no outcome; the episode is not recorded.
        """
        ...
