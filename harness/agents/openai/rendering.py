"""From messages and tools to the body of a request, each exposure serialised once."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from harness.agents.openai.grammar import answer_grammar, answer_schema
from harness.agents.openai.history import constrained_history, native_history
from harness.agents.openai.section import OpenAISection
from harness.agents.protocol import Message, ToolSchema
from router.canonical import sha256_hex

RENDERING_VERSION: Final = 1
"""Rises with every change of how prompts and tools are put."""

KEPT_EXPOSURES: Final = 256
"""Exposures whose serialised form is kept; episodes that run at once each have one in use."""

CONSTRAINED_PROMPT: Final = """
Answer with one JSON object and nothing else. To call a tool:
{"turn": {"tool": "crm__find_contact", "arguments": {"name": "Ann Lee"}}}
{"turn": {"tool": "billing__list_invoices", "arguments": {"contact_id": "C-17", "limit": 5}}}
To say something without a call:
{"turn": {"text": "REQUEST_MORE_TOOLS"}}
Those two tools are examples. The tools that you have now, one a line:
"""


@dataclass(frozen=True)
class Exposure:
    """The tools of an exposure as they stand in a body."""

    fields: bytes
    """Members of the body, each with a comma before it."""
    prompt: bytes
    """What the system prompt gains, as it stands within a JSON string."""


class Rendering:
    """Writes the body of requests for one configured model."""

    def __init__(self, section: OpenAISection) -> None:
        self._section = section
        self._head = b'{"model":' + _dump(section.wire_model) + b',"messages":'
        options = _options(section).items()
        members = (b"," + _dump(name) + b":" + _dump(value) for name, value in options)
        self._tail = b"".join(members) + b"}"
        self._suffix = _inside(section.system_suffix)
        self._tools: dict[str, str] = {}
        self._exposures: OrderedDict[tuple[str, ...], Exposure] = OrderedDict()
        # `act` may be called from several threads.
        self._lock = threading.Lock()

    def body(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> bytes:
        """Return the JSON body of a request."""
        exposure = self._exposure(tools)
        native = self._section.calling == "native"
        history = native_history(messages) if native else constrained_history(messages)
        system = _inside(history[0]["content"]) + exposure.prompt + self._suffix
        return b"".join(
            (
                self._head,
                b'[{"role":"system","content":"' + system + b'"}',
                *(b"," + _dump(message) for message in history[1:]),
                b"]",
                exposure.fields,
                self._tail,
            )
        )

    def digest(self) -> str:
        """Return the SHA-256 of how a fixed conversation is put: a change of rendering shows."""
        return sha256_hex(self.body(SAMPLE_MESSAGES, SAMPLE_TOOLS) + self.body(SAMPLE_MESSAGES, ()))

    def _exposure(self, tools: Sequence[ToolSchema]) -> Exposure:
        key = tuple([tool.digest for tool in tools])
        with self._lock:
            found = self._exposures.get(key)
            if found is not None:
                self._exposures.move_to_end(key)
                return found
            made = self._made(tools)
            self._exposures[key] = made
            if len(self._exposures) > KEPT_EXPOSURES:
                self._exposures.popitem(last=False)
            return made

    def _made(self, tools: Sequence[ToolSchema]) -> Exposure:
        names = [tool.name for tool in tools]
        match self._section.calling:
            case "native":
                # An empty list is refused by some servers.
                listed = ",".join(map(self._tool, tools)).encode()
                return Exposure(b',"tools":[' + listed + b"]" if tools else b"", b"")
            case "json_schema":
                schema = {"name": "turn", "strict": False, "schema": answer_schema(names)}
                form = {"type": "json_schema", "json_schema": schema}
                fields = b',"response_format":' + _dump(form)
            case "grammar":
                fields = b',"grammar":' + _dump(answer_grammar(names))
        listing = CONSTRAINED_PROMPT + "\n".join(map(self._tool, tools))
        return Exposure(fields, _inside(listing))

    def _tool(self, tool: ToolSchema) -> str:
        """Return a tool as it stands in a body (native) or in the prompt."""
        text = self._tools.get(tool.digest)
        if text is None:
            form = tool.openai()
            text = _dump(form if self._section.calling == "native" else form["function"]).decode()
            self._tools[tool.digest] = text
        return text


def _options(section: OpenAISection) -> dict[str, Any]:
    """Return the fields of a body that never vary."""
    sampling = section.sampling
    limit = "max_completion_tokens" if section.serving == "hosted" else "max_tokens"
    named = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": sampling.seed,
        limit: sampling.max_tokens,
    }
    return {name: value for name, value in named.items() if value is not None} | section.request


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _inside(text: str) -> bytes:
    """Return a text as it stands between the quotes of a JSON string."""
    return _dump(text)[1:-1]


def _call(name: str, arguments: str, identifier: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": identifier, "type": "function", "function": function}


SAMPLE_TOOLS: Final = (
    ToolSchema("a__b", "Ä tool.", {"type": "object", "properties": {"x": {"type": "string"}}}),
    ToolSchema("c__d", "Another.", {"type": "object"}),
)

SAMPLE_MESSAGES: Final[tuple[Message, ...]] = (
    {"role": "system", "content": "System."},
    {"role": "user", "content": "Query 日本."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            _call("a__b", '{"x": "1"}', "1"),
            _call("a.b", "{}", "2"),
            _call("c__d", "[", "3"),
        ],
    },
    {"role": "tool", "tool_call_id": "1", "content": "first"},
    {"role": "tool", "tool_call_id": "2", "content": "second"},
    {"role": "tool", "tool_call_id": "3", "content": "third"},
    {"role": "assistant", "content": "said"},
    {"role": "user", "content": "TASK_INCOMPLETE"},
)
"""A conversation in which everything occurs that is put in a way of our own."""
