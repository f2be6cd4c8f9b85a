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
class Usage:
    """What a provider says that a turn cost, in its own tokens; None where it says nothing.

    Conditions are compared by the pinned tokenizer; this stands beside it.
    """

    input_tokens: int | None = None
    """Tokens of the prompt, those from a cache among them."""
    cached_tokens: int | None = None
    """Tokens of the prompt that came from a cache."""
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    """Tokens of the output that were thought and not said."""


@dataclass(frozen=True)
class Latency:
    """How long a turn took, in parts."""

    answer_ms: float
    """From sending the request that was answered to having its answer."""
    waited_ms: float = 0.0
    """Before that: attempts that failed, and the pauses after them."""
    attempts: int = 1
    """Requests sent, the answered one among them."""


@dataclass(frozen=True)
class Turn:
    """An agent's answer: text, or tool calls, or both."""

    text: str | None
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    """None where nothing has a price, as in an agent without a model."""
    finish_reason: str | None = None
    """Why the provider stopped, in its own word."""
    raw: Mapping[str, Any] | None = field(default=None, hash=False)
    """The answer as it came, as far as it has canonical JSON; None where there is no more to it
    than text and calls."""
    latency: Latency | None = field(default=None, compare=False)


class ContextOverflow(Exception):
    """The prompt does not fit the agent's context: the episode ends and fails.

    An outcome (protocol, section 4, rule 8), and so no `StudyError`: it is recorded, not reported.

    Parameters
    ----------
    message
        What the provider said.
    prompt_tokens, context_tokens
        How long the prompt was and how much fits, in the provider's own tokens; None where it does
        not tell.
    raw
        The answer as it came, as far as it has canonical JSON.
    """

    def __init__(
        self,
        message: str = "the prompt does not fit the context",
        *,
        prompt_tokens: int | None = None,
        context_tokens: int | None = None,
        raw: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens
        self.raw = raw


class Agent(Protocol):
    """Anything that can answer a turn.

    One agent answers every episode of a shard, several of them at once where it can: `act` may be
    called from more than one thread.
    """

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
