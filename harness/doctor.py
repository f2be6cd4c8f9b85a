"""Examining a model server before a study is run on it: whether it is right, and how fast.

It is asked for sums and telephone numbers, never about a task of the study.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean
from typing import Final, Literal

from harness.agents.openai.agent import OpenAIAgent
from harness.agents.openai.backend import BackendError
from harness.agents.openai.wire import WireError
from harness.agents.protocol import ContextOverflow, Message, ToolCall, ToolSchema, Turn
from harness.call import parse_arguments
from harness.error import InfrastructureError
from harness.estimate import Pace
from harness.prompt import Toolbox, assistant_calls, opening, tool_answer
from harness.tokens import count_json

State = Literal["ok", "note", "FAILED"]

LARGEST_TRIAL: Final = 200_000
"""Tokens of a context; what is too long for a larger one is not sent."""

_NUMBER: Final = {"type": "number"}

ADD: Final = ToolSchema(
    "doctor__add",
    "Add two numbers.",
    {"type": "object", "properties": {"a": _NUMBER, "b": _NUMBER}, "required": ["a", "b"]},
)
FIND: Final = ToolSchema(
    "doctor__find_number",
    "Find the telephone number of a person.",
    {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
)
BOTH: Final = (ADD, FIND)


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    check: str
    state: State
    what: str


@dataclass(frozen=True)
class _Measured:
    """What a turn cost: seconds, tokens as the server counts them and as the study does."""

    seconds: float
    turn: Turn
    counted: int


class Doctor:
    """Examines the server of an agent.

    Parameters
    ----------
    agent
        The agent that is to run the study, best with no retries.
    toolboxes
        Of the study's catalogs, by size.
    clock
        Seconds from an arbitrary start.
    """

    def __init__(
        self,
        agent: OpenAIAgent,
        toolboxes: Mapping[int, Toolbox],
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._agent = agent
        self._toolboxes = toolboxes
        self._clock = clock
        self._measured: list[_Measured] = []

    def examine(self) -> Iterator[Finding]:
        """Yield what the checks find, in their order.

        Raises
        ------
        InfrastructureError
            If the server cannot be reached at all.
        ConfigError
            If it wants a key and there is none.
        """
        yield from self._origin()
        checks: list[tuple[str, Callable[[], Finding]]] = [
            ("tool call", self._call),
            ("repeats", self._repeats),
            ("vanished tools", self._vanished),
        ]
        for size, toolbox in self._toolboxes.items():
            whole = partial(self._whole, tuple(toolbox.tools.values()))
            checks.append((f"{size} tools", whole))
        checks.append(("too long", self._too_long))
        for name, check in checks:
            try:
                yield check()
            except ContextOverflow as overflow:
                yield Finding(name, "FAILED", f"the prompt does not fit: {overflow}")
            except InfrastructureError as error:
                yield Finding(name, "FAILED", error.what.rstrip("."))

    def pace(self) -> Pace | None:
        """Return how fast the server was; None where it did not say what it read and wrote."""
        told = [
            (item, item.turn.usage.input_tokens, item.turn.usage.output_tokens)
            for item in self._measured
            if item.turn.usage and item.turn.usage.input_tokens and item.turn.usage.output_tokens
        ]
        if not told:
            return None
        longest, read, _ = max(told, key=lambda entry: entry[1] or 0)
        wordiest, _, written = max(told, key=lambda entry: entry[2] or 0)
        return Pace(
            tokens_per_counted=(read or 0) / longest.counted,
            prompt_per_second=(read or 0) / longest.seconds,
            output_per_second=(written or 0) / wordiest.seconds,
            output_per_turn=mean(entry[2] or 0 for entry in told),
        )

    def _origin(self) -> Iterator[Finding]:
        section = self._agent.section
        try:
            found = self._agent.backend()
        except WireError as error:
            raise InfrastructureError(
                f"The model server at {section.server.base_url} {error}.",
                "Start it, as the agent's file under configs/agent says, or set "
                "agent.server.base_url.",
            ) from None
        except BackendError as error:
            yield Finding("model", "FAILED", f"the server {error}")
            return
        yield Finding("model", "ok", section.wire_model)
        for name, configured, told in (
            ("revision", section.revision, found.revision),
            ("context", section.context_tokens, found.context_tokens),
        ):
            if configured is None:
                says = f"; the server says {told}" if told else ""
                yield Finding(name, "note", f"none is configured, so nothing holds it{says}")
            elif told is None:
                yield Finding(name, "note", f"{configured} is configured, the server tells none")
            else:
                yield Finding(name, "ok", str(told))

    def _call(self) -> Finding:
        asked = opening("Call doctor__add with a = 2 and b = 3.")
        turn = self._ask(asked, BOTH)
        call = turn.calls[0] if turn.calls else None
        if call is None or parse_arguments(call) is None:
            said = turn.text or (call.arguments if call else "")
            return Finding("tool call", "FAILED", f"no call came, but {said[:80]!r}")
        answer = tool_answer(call, '{"observation":{"sum":5},"status":"ok"}')
        self._ask([*asked, assistant_calls(turn.text, [call]), answer], BOTH)
        state: State = "ok" if call.name == ADD.name else "note"
        return Finding(
            "tool call", state, f"{call.name}({call.arguments}), and its answer was read"
        )

    def _repeats(self) -> Finding:
        asked = opening("Count from one to forty in words, without a tool.")
        first, second = self._ask(asked, BOTH), self._ask(asked, BOTH)
        if (first.text, first.calls) == (second.text, second.calls):
            return Finding("repeats", "ok", "two equal requests had equal answers")
        what = "two equal requests had different answers: only the record can be replayed"
        return Finding("repeats", "note", what)

    def _vanished(self) -> Finding:
        """Tell whether a call is still read when its tool is not shown any more."""
        asked = opening("Find the number of Ann Lee, then add 2 and 3.")
        call = ToolCall("call00000", FIND.name, '{"name": "Ann Lee"}')
        past = [assistant_calls(None, [call]), tool_answer(call, '{"status":"executed"}')]
        with_past = self._ask([*asked, *past], (ADD,))
        without = self._ask(asked, (ADD,))
        long, short = _read(with_past), _read(without)
        if long is None or short is None:
            return Finding("vanished tools", "note", "accepted; the server tells no token figures")
        if long > short:
            return Finding(
                "vanished tools", "ok", "calls of tools that are gone stay in the prompt"
            )
        what = "the chat template drops calls of tools that are gone"
        return Finding("vanished tools", "FAILED", what)

    def _whole(self, tools: Sequence[ToolSchema]) -> Finding:
        name = f"{len(tools)} tools"
        try:
            turn = self._ask(opening("Say hello."), tools)
        except ContextOverflow as overflow:
            figures = _figures(overflow)
            return Finding(name, "note", f"FULL overflows, which is an outcome{figures}")
        last = self._measured[-1].seconds
        read = _read(turn)
        return Finding(name, "ok", f"{read or '?'} prompt tokens answered in {last:.1f} s")

    def _too_long(self) -> Finding:
        context = self._agent.section.context_tokens
        if context is None or context > LARGEST_TRIAL:
            return Finding("too long", "note", "not tried: the context is not known, or is vast")
        # A word is a token at least, whatever the tokenizer.
        try:
            self._ask(opening("tomorrow " * (context + 1)), BOTH)
        except ContextOverflow as overflow:
            return Finding(
                "too long", "ok", f"a prompt that is too long is told{_figures(overflow)}"
            )
        return Finding(
            "too long", "FAILED", "a prompt longer than the context was answered: it was cut"
        )

    def _ask(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        counted = sum(map(count_json, messages)) + sum(count_json(tool.openai()) for tool in tools)
        started = self._clock()
        turn = self._agent.act(messages, tools)
        self._measured.append(_Measured(self._clock() - started, turn, counted))
        return turn


def _read(turn: Turn) -> int | None:
    return turn.usage.input_tokens if turn.usage else None


def _figures(overflow: ContextOverflow) -> str:
    if overflow.prompt_tokens is None or overflow.context_tokens is None:
        return ""
    return f" ({overflow.prompt_tokens} tokens for a context of {overflow.context_tokens})"
