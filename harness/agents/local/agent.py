"""The agent that asks the model in this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from harness.agents.local.answer import read_answer
from harness.agents.local.engine import Engine
from harness.agents.local.rendering import RENDERING_VERSION, rendering_digest, request_body
from harness.agents.local.section import LocalSection
from harness.agents.protocol import Evidence, Message, ToolSchema, Turn


class Completing(Protocol):
    """What answers chat completions."""

    def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a chat completion, or its refusal."""
        ...


class LocalAgent:
    """A small language model in this process.

    Parameters
    ----------
    section
        Which model, and how it is run.
    load
        Loads it; called with the first turn, so that a study can be looked at, aggregated and
        replayed where the model is not installed.
    """

    evidence: Evidence = "model"

    def __init__(
        self, section: LocalSection, *, load: Callable[[LocalSection], Completing] = Engine
    ) -> None:
        self._section = section
        self._load = load
        self._loaded: Completing | None = None
        self._lock = threading.Lock()

    @property
    def identity(self) -> Mapping[str, Any]:
        """Weights, engine, how it is asked and how it draws."""
        return self._identity

    @cached_property
    def _identity(self) -> Mapping[str, Any]:
        rendering = {"version": RENDERING_VERSION, "sha256": rendering_digest(self._section)}
        return {**self._section.model_dump(mode="json"), "rendering": rendering}

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Ask the model; see `Agent.act`."""
        body = request_body(self._section, messages, tools)
        taken = sum(message["role"] == "assistant" for message in messages)
        return read_answer(self._model().complete(body), turn=taken + 1)

    def _model(self) -> Completing:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load(self._section)
            return self._loaded
