"""The conversation of an episode, written anew from its log (protocol, section 4).

Its messages are what the agent was asked in each turn, so their hashes and their tokens can be held
against the logged ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from gates.results import Row
from harness.prompt import PARALLEL_ERROR, SYSTEM_PROMPT
from harness.tokens import count_tokens
from router.canonical import canonical_json

_count: Callable[[str], int] = lru_cache(maxsize=65_536)(count_tokens)
"""The arms of a task say much the same."""

_PARALLEL = canonical_json({"error": PARALLEL_ERROR, "status": "error"}).decode()


class Transcript:
    """The messages so far, and the hash of them as one growing array of canonical JSON.

    Parameters
    ----------
    query
        What the user asked for.
    """

    def __init__(self, query: str) -> None:
        self.messages: list[Mapping[str, Any]] = []
        """All messages so far, as the chat API takes them."""
        self.tokens = 0
        """Tokens of them."""
        self._hash = hashlib.sha256()
        self._mark = b"["
        self._say({"role": "system", "content": SYSTEM_PROMPT})
        self._say({"role": "user", "content": query})

    @property
    def sha256(self) -> str:
        """Hash of the canonical JSON of the list of messages so far."""
        whole = self._hash.copy()
        whole.update(b"]")
        return whole.hexdigest()

    def tool_turn(self, turn: Row, content: str) -> None:
        """Add a turn with calls, what its first was answered and the refusal of the others."""
        self._say(
            {
                "role": "assistant",
                "content": turn["text"],
                "tool_calls": [
                    {
                        "id": call["call_id"],
                        "type": "function",
                        "function": {"name": call["name"], "arguments": call["arguments"]},
                    }
                    for call in turn["calls"]
                ],
            }
        )
        for position, call in enumerate(turn["calls"]):
            answer = _PARALLEL if position else content
            self._say({"role": "tool", "tool_call_id": call["call_id"], "content": answer})

    def idle_turn(self, turn: Row) -> None:
        """Add a turn without a call that parsed, and the reminder that follows it."""
        said = [turn["text"] or ""]
        said += [f"{call['name']}({call['arguments']})" for call in turn["calls"]]
        self._say({"role": "assistant", "content": "\n".join(text for text in said if text)})
        self._say({"role": "user", "content": "TASK_INCOMPLETE"})

    def _say(self, message: Mapping[str, Any]) -> None:
        self.messages.append(message)
        text = canonical_json(dict(message))
        self.tokens += _count(text.decode())
        self._hash.update(self._mark + text)
        self._mark = b","


def answer_content(row: Row, observation: Any, units: Mapping[str, str]) -> str:
    """Return what a call was answered as the agent read it.

    Parameters
    ----------
    row
        The state after the turn.
    observation
        The logged observation, parsed.
    units
        The registered units of the endpoint's output fields, by pointer.
    """
    content: dict[str, Any] = {"status": row["status"]}
    if row["error"] is not None:
        content["error"] = row["error"]
    if observation is not None:
        content["observation"] = observation
        if units:
            content["units"] = dict(units)
    return canonical_json(content).decode()
