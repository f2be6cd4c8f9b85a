"""The agent that asks a language model behind an OpenAI-compatible server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from harness.agents.openai.answer import AnswerError, read_turn, unparsed_turn
from harness.agents.openai.backend import Backend, BackendError, check, check_same, describe
from harness.agents.openai.cut import refuse_cut
from harness.agents.openai.history import turns_taken
from harness.agents.openai.plain import escape, parse_json, plain
from harness.agents.openai.refusal import Overflow, Unparsed, error_fields, error_message
from harness.agents.openai.refusal import read_refusal as refused
from harness.agents.openai.rendering import RENDERING_VERSION, Rendering
from harness.agents.openai.retry import Fault, Patience, retry_after
from harness.agents.openai.section import OpenAISection
from harness.agents.openai.wire import Reply, Wire, WireError
from harness.agents.protocol import (
    ContextOverflow,
    Evidence,
    Latency,
    Message,
    ToolSchema,
    Turn,
)
from harness.error import InfrastructureError

PATH: Final = "/chat/completions"

AGAIN: Final = frozenset({408, 409, 425, 429})
"""Statuses below 500 after which another attempt may help."""

LONGEST_MESSAGE: Final = 500
"""Letters of a server's message that an error of ours repeats."""


class OpenAIAgent:
    """A language model behind a server.

    Parameters
    ----------
    section
        The model, and where its server is.
    connect
        Makes the connection; called with the first turn, so that a study can be looked at where
        its server cannot be reached.
    patience
        How to try again; None for as often as the section says.
    clock
        Seconds from an arbitrary start, for latencies alone.
    """

    evidence: Evidence = "model"

    def __init__(
        self,
        section: OpenAISection,
        *,
        connect: Callable[[], Wire] | None = None,
        patience: Patience | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.section = section
        self.rendering = Rendering(section)
        self._connect = connect or (lambda: Wire(section.server))
        self._patience = patience or Patience(section.server.retries)
        self._clock = clock
        self._lock = threading.Lock()
        self._open_wire: Wire | None = None
        self._backend: Backend | None = None
        self._trusted = False
        self._fingerprint = section.revision if section.serving == "hosted" else None

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The model, how it is asked and how it draws: everything but where its server is."""
        return {
            **self.section.model_dump(mode="json", exclude={"server"}),
            "rendering": {"version": RENDERING_VERSION, "sha256": self.rendering.digest()},
        }

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Ask the model; see `Agent`.

        Raises
        ------
        ConfigError
            If the server wants a key and there is none.
        """
        started = self._clock()
        body = self.rendering.body(messages, tools)
        turn = turns_taken(messages)
        sent = started

        def attempt() -> Turn:
            nonlocal sent
            try:
                self.backend()
                sent = self._clock()
                return self._turn(self._wire.post(PATH, body), body, turn)
            except (WireError, BackendError) as error:
                self._trusted = False
                raise Fault(str(error)) from None
            except Fault:
                # Whoever answers next may be another one.
                self._trusted = False
                raise

        try:
            answer, attempts = self._patience.persist(attempt)
        except Fault as fault:
            raise InfrastructureError(
                f"The model server at {self.section.server.base_url} {fault.what}.", fault.remedy
            ) from None
        latency = Latency(
            answer_ms=(self._clock() - sent) * 1000,
            waited_ms=(sent - started) * 1000,
            attempts=attempts,
        )
        return replace(answer, latency=latency)

    def backend(self) -> Backend:
        """Return what the server says about itself, asked anew after every fault.

        Raises
        ------
        BackendError
            If it is not what is configured, or not what it was before.
        WireError
            If the server does not answer.
        """
        with self._lock:
            if self._backend is None or not self._trusted:
                found = describe(self.section, self._wire_locked().get)
                check(self.section, found)
                if self._backend is not None:
                    check_same(self._backend, found)
                self._backend = found
                self._trusted = True
            return self._backend

    @property
    def _wire(self) -> Wire:
        with self._lock:
            return self._wire_locked()

    def _wire_locked(self) -> Wire:
        if self._open_wire is None:
            self._open_wire = self._connect()
        return self._open_wire

    def _turn(self, reply: Reply, sent: bytes, turn: int) -> Turn:
        """Return the turn that a reply is, or raise what it stands for."""
        try:
            body = parse_json(reply.body)
            raw = plain(body)
        except ValueError:
            if reply.status == 200:
                raise Fault("answered with something that is not JSON") from None
            body = raw = escape(reply.body.decode("utf-8", "replace"))
        if reply.status != 200:
            return self._refused(reply, body, raw, turn)
        self._check_origin(raw)
        try:
            answer = read_turn(body, calling=self.section.calling, turn=turn, raw=raw)
        except AnswerError as error:
            raise Fault(f"answered with no chat completion: {error}") from None
        refuse_cut(self.section, answer, sent)
        return answer

    def _refused(self, reply: Reply, body: Any, raw: Any, turn: int) -> Turn:
        match refused(reply.status, body):
            case Overflow(message, prompt, context):
                raise ContextOverflow(
                    escape(message),
                    prompt_tokens=prompt,
                    context_tokens=context,
                    raw={"status": reply.status, "body": raw},
                )
            case Unparsed(text):
                return unparsed_turn(text, turn=turn, raw={"status": reply.status, "body": raw})
        message = " ".join(error_message(raw).split())[:LONGEST_MESSAGE]
        what = (
            f"answered with HTTP {reply.status}: {message}"
            if message
            else (f"answered with HTTP {reply.status}")
        )
        if reply.status in {401, 403}:
            raise Fault(what, _KEY_REMEDY, again=False)
        spent = error_fields(raw).get("code") == "insufficient_quota"
        if reply.status in AGAIN or reply.status >= 500:
            raise Fault(what, again=not spent, retry_after=retry_after(reply.headers))
        raise Fault(what, _REQUEST_REMEDY, again=False)

    def _check_origin(self, raw: Any) -> None:
        """Refuse an answer of another model, or of one that changed."""
        told = raw.get("model") if isinstance(raw, dict) else None
        if isinstance(told, str) and told not in {self.section.wire_model, self.section.model}:
            raise Fault(
                f"answered as {told}, not as {self.section.wire_model}, which is configured",
                "Start the server with the configured model, or configure the name that it "
                "answers by.",
            )
        fingerprint = raw.get("system_fingerprint") if isinstance(raw, dict) else None
        if not isinstance(fingerprint, str):
            return
        with self._lock:
            if self._fingerprint is None and self.section.serving != "hosted":
                self._fingerprint = fingerprint
            expected = self._fingerprint
        if expected is not None and fingerprint != expected:
            raise Fault(
                f"answered with the fingerprint {fingerprint}, not {expected}: what runs there "
                "has changed",
                "Bring back the server that the shard began with, or run it again in another "
                "results folder.",
            )


_KEY_REMEDY: Final = (
    "Put a valid key into the variable that agent.server.key_variable names, then run the same "
    "command again."
)
_REQUEST_REMEDY: Final = (
    "Run the doctor verb; compare the configuration with what the server takes, then run the same "
    "command again."
)
