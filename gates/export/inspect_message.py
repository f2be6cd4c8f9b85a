"""The messages of an episode as Inspect's records."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
)
from inspect_ai.tool import ToolCall

from gates.arguments import parse_arguments
from gates.conversation import conversation
from gates.finished import Finished
from harness.grid import EpisodeKey

_NAMESPACE: Final = uuid.UUID("6d0b6f5e-0d0f-5c62-9d53-7a3f0f6a1f3b")


def chat_messages(finished: Finished, key: EpisodeKey) -> Iterator[ChatMessage]:
    """Yield the messages of an episode.

    Arguments that do not parse are said to be none, as they were written.
    """
    item = finished.results.episodes[key]
    snapshot = finished.catalogs[key.catalog_size].snapshot
    # A model may give two calls of a turn one id: answers follow in the order of the calls.
    called: deque[str] = deque()
    said = conversation(item, finished.tasks[key.task_id].query, snapshot)
    for position, message in enumerate(said):
        name = stable_id(finished.results.record.identity, *map(str, key), str(position))
        match message["role"]:
            case "system":
                yield ChatMessageSystem(id=name, content=message["content"])
            case "user":
                yield ChatMessageUser(id=name, content=message["content"])
            case "assistant":
                calls = [_call(call) for call in message.get("tool_calls", [])]
                called.extend(call.function for call in calls)
                yield ChatMessageAssistant(
                    id=name, content=message["content"] or "", tool_calls=calls or None
                )
            case _:
                yield ChatMessageTool(
                    id=name,
                    content=message["content"],
                    tool_call_id=message["tool_call_id"],
                    function=called.popleft(),
                )


def _call(call: Mapping[str, Any]) -> ToolCall:
    written = call["function"]["arguments"]
    arguments = parse_arguments(call["function"])
    return ToolCall(
        id=call["id"],
        function=call["function"]["name"],
        arguments=arguments or {},
        parse_error=None if arguments is not None else f"no JSON object: {written}",
    )


def stable_id(*parts: str) -> str:
    """Return an identifier that is the same for the same study, where Inspect would draw one."""
    return uuid.uuid5(_NAMESPACE, "/".join(parts)).hex
