"""The conversation of an episode and what it costs in tokens, each message counted once."""

from __future__ import annotations

from collections.abc import Sequence

from harness.agents.protocol import TASK_INCOMPLETE, Message, ToolCall, Turn
from harness.prompt import assistant_calls, opening, parallel_content, tool_answer
from harness.tokens import count_json


class Conversation:
    """The messages that an agent sees, from the system prompt on."""

    def __init__(self, query: str) -> None:
        self._messages: list[Message] = []
        self.tokens = 0
        """Tokens of all messages so far."""
        for message in opening(query):
            self._say(message)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages so far."""
        return tuple(self._messages)

    def answer_calls(self, answer: Turn, content: str) -> None:
        """Add a turn with calls, the answer to its first and the refusal of the others."""
        calls: Sequence[ToolCall] = answer.calls
        self._say(assistant_calls(answer.text, calls))
        self._say(tool_answer(calls[0], content))
        for call in calls[1:]:
            self._say(tool_answer(call, parallel_content()))

    def remind(self, answer: Turn) -> None:
        """Add a turn without a call, and the reminder that the task is incomplete.

        A malformed call is repeated to the agent as the text that it was.
        """
        texts = [answer.text or "", *(f"{call.name}({call.arguments})" for call in answer.calls)]
        self._say({"role": "assistant", "content": "\n".join(text for text in texts if text)})
        self._say({"role": "user", "content": TASK_INCOMPLETE})

    def _say(self, message: Message) -> None:
        self._messages.append(message)
        self.tokens += count_json(message)
