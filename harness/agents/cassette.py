"""The cassette: every request and answer of every agent, addressed by content.

A request is named by the SHA-256 of what it is made of: the agent's identity (model, revision,
sampling options, version of the rendering), the messages and the tools. Only the hashes are kept,
since the harness makes the same request again from the same study; the answer is kept whole. One
row a turn stands in the table ``exchanges`` beside the other tables of a shard.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.agents.protocol import (
    Agent,
    ContextOverflow,
    Message,
    ToolCall,
    ToolSchema,
    Turn,
    Usage,
)
from harness.record import ExchangeRecord
from router.canonical import digest, sha256_hex


@dataclass(frozen=True)
class Request:
    """What an agent is asked, by hash."""

    agent_sha256: str
    """Of the agent's identity."""
    messages_sha256: str
    tools_sha256: str
    """Of the tools' hashes, in the order in which they are shown."""

    @classmethod
    def of(
        cls, agent_sha256: str, messages: Sequence[Message], tools: Sequence[ToolSchema]
    ) -> Request:
        """Return the request of one turn."""
        return cls(
            agent_sha256,
            sha256_hex(_canonical(list(messages)).encode()),
            sha256_hex(_canonical([tool.digest for tool in tools]).encode()),
        )

    @property
    def sha256(self) -> str:
        """The request's address."""
        return sha256_hex(_canonical(asdict(self)).encode())


class Recorder:
    """An agent whose exchanges in one episode are kept.

    Parameters
    ----------
    agent
        What answers.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._agent_sha256 = digest(dict(agent.identity))
        self._exchanges: list[ExchangeRecord] = []

    @property
    def exchanges(self) -> tuple[ExchangeRecord, ...]:
        """The exchanges so far, one a turn; a request that the plant did not answer is none."""
        return tuple(self._exchanges)

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Answer one turn; see `Agent.act`."""
        request = Request.of(self._agent_sha256, messages, tools)
        try:
            turn = self._agent.act(messages, tools)
        except ContextOverflow as overflow:
            self._keep(request, overflow)
            raise
        self._keep(request, turn)
        return turn

    def _keep(self, request: Request, answer: Turn | ContextOverflow) -> None:
        self._exchanges.append(
            ExchangeRecord(
                turn=len(self._exchanges) + 1,
                request_sha256=request.sha256,
                messages_sha256=request.messages_sha256,
                tools_sha256=request.tools_sha256,
                answer=encode(answer),
            )
        )


def encode(answer: Turn | ContextOverflow) -> str:
    """Return an answer as JSON: sorted keys, no spaces, nothing that is not there.

    ASCII alone, since a model may write lone surrogates, which no other form keeps.
    """
    parts: dict[str, Any]
    if isinstance(answer, ContextOverflow):
        tokens = {"prompt_tokens": answer.prompt_tokens, "context_tokens": answer.context_tokens}
        parts = {"overflow": _present({"message": str(answer), **tokens}), "raw": answer.raw}
    else:
        parts = {
            "text": answer.text,
            "calls": [asdict(call) for call in answer.calls] or None,
            "usage": answer.usage and _present(asdict(answer.usage)),
            "finish_reason": answer.finish_reason,
            "raw": answer.raw,
        }
    return json.dumps(_present(parts), sort_keys=True, separators=(",", ":"), allow_nan=False)


def decode(text: str) -> Turn | ContextOverflow:
    """Return the answer that `encode` wrote; latencies are not part of it.

    Raises
    ------
    ValueError
        If the text is no such answer.
    """
    try:
        parts = json.loads(text)
        raw = parts.get("raw")
        if "overflow" in parts:
            overflow = parts["overflow"]
            return ContextOverflow(
                overflow["message"],
                prompt_tokens=overflow.get("prompt_tokens"),
                context_tokens=overflow.get("context_tokens"),
                raw=raw,
            )
        usage = parts.get("usage")
        return Turn(
            parts.get("text"),
            tuple(ToolCall(**call) for call in parts.get("calls", ())),
            usage=None if usage is None else Usage(**usage),
            finish_reason=parts.get("finish_reason"),
            raw=raw,
        )
    except (AttributeError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("not a recorded answer") from error


def differences(request: Request, recorded: ExchangeRecord) -> Iterator[str]:
    """Yield the components in which a request differs from a recorded one; nothing if in none."""
    if request.sha256 == recorded.request_sha256:
        return
    same_messages = request.messages_sha256 == recorded.messages_sha256
    same_tools = request.tools_sha256 == recorded.tools_sha256
    if not same_messages:
        yield "messages"
    if not same_tools:
        yield "tools"
    # The recorded identity's hash is not kept; with the request's own it would give its address.
    told = Request(request.agent_sha256, recorded.messages_sha256, recorded.tools_sha256)
    if told.sha256 != recorded.request_sha256:
        yield "agent"


def _present(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parts.items() if value is not None}


def _canonical(value: Any) -> str:
    """Return RFC 8785 canonical JSON of texts, nulls, objects under ASCII keys and arrays.

    For these the standard encoder writes the same bytes, much faster.
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
