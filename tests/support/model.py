"""Agents that ask the scripted model server, with time in the test's hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from harness.agents.openai.agent import OpenAIAgent
from harness.agents.openai.retry import Patience
from harness.agents.openai.section import OpenAISection
from harness.agents.openai.wire import Wire
from harness.agents.protocol import Message, ToolSchema
from tests.support.model_server import MODEL

EMAIL = {"type": "object", "properties": {"email": {"type": "string"}}}

TOOLS = (
    ToolSchema("shop__find_orders", "List the orders of a customer.", EMAIL),
    ToolSchema("shop__get_order", "Show one order.", {"type": "object"}),
)

MESSAGES: tuple[Message, ...] = (
    {"role": "system", "content": "You call tools."},
    {"role": "user", "content": "Find the orders of ann@example.org."},
)


def section(base_url: str = "http://127.0.0.1:9/v1", **changes: Any) -> OpenAISection:
    """Return a section; ``server`` and ``sampling`` are changed key by key."""
    fields: dict[str, Any] = {
        "kind": "openai",
        "serving": "vllm",
        "model": MODEL,
        "revision": None,
        "context_tokens": None,
        "calling": "native",
        "sampling": {"temperature": 0.0, "seed": 7, "max_tokens": 64},
        "server": {"base_url": base_url, "timeout_seconds": 5.0, "retries": 2},
    }
    for name, value in changes.items():
        nested = name in {"server", "sampling"}
        fields[name] = {**fields[name], **value} if nested else value
    return OpenAISection.model_validate(fields)


@dataclass
class Sleeper:
    """Sleeps no time and keeps how long it was asked to."""

    pauses: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> None:
        self.pauses.append(seconds)


def agent(base_url: str, sleeper: Sleeper | None = None, **changes: Any) -> OpenAIAgent:
    """Return an agent that asks a server at a base URL and loses no time between attempts."""
    configured = section(base_url, **changes)
    return OpenAIAgent(
        configured,
        connect=lambda: Wire(configured.server, environ={"TEST_KEY": KEY}),
        patience=Patience(
            configured.server.retries, sleep=sleeper or Sleeper(), chance=lambda: 0.0
        ),
    )


KEY = "sk-test-0123456789abcdef"
