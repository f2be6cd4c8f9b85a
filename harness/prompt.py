"""What an agent is shown: system prompt, tool schemas, answers, and what each costs in tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from harness.agents.protocol import Message, ToolCall, ToolSchema
from harness.tokens import count_json
from harness.toolname import tool_name, tool_names
from router.canonical import canonical_json
from router.contract import EndpointSpec
from router.snapshot import CatalogSnapshot
from surface.executor import Execution, output_units

SYSTEM_PROMPT: Final = """\
You fulfil the user's request by calling the tools you are given, one call per turn.
Each call answers JSON with "status": "ok" with an "observation", "executed", "error" or "blocked".
An error reads "class: explanation". After rate_limited, transient_backend, upstream_timeout or \
service_unavailable the same call may work when you make it again. After lock_conflict, \
expired_session or stale_version another call has to restore something first. After \
provider_suspended, quota_exhausted or region_unsupported use another provider if the request \
allows one.
"units" names the unit of an observed quantity; convert it where a parameter wants another unit.
Use only identifiers from the request or from observations. The tools you see may change from turn \
to turn. If you cannot see the tool you need, answer REQUEST_MORE_TOOLS. When the request is \
fulfilled, answer with a short text and no call. TASK_INCOMPLETE means that it is not fulfilled yet.
"""

PARALLEL_ERROR: Final = (
    "parallel_tool_call_requires_observation: only the first call of a turn is executed"
)


@dataclass(frozen=True)
class Shown:
    """The tools of one exposure."""

    routes: tuple[str, ...]
    tools: tuple[ToolSchema, ...]
    tokens: int
    """Tokens of all their schemas."""


@dataclass(frozen=True)
class Toolbox:
    """The tools of one catalog as agents see them, made and counted once."""

    tools: Mapping[str, ToolSchema]
    """By route id."""
    tokens: Mapping[str, int]
    """Tokens of each tool's canonical JSON, by route id."""
    routes: Mapping[str, str]
    """Route ids by tool name."""

    @classmethod
    def of(cls, snapshot: CatalogSnapshot) -> Toolbox:
        """Make the toolbox of a catalog."""
        tools = {
            route: ToolSchema(tool_name(route), endpoint.description, endpoint.input_schema)
            for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True)
        }
        tokens = {route: count_json(tool.openai()) for route, tool in tools.items()}
        return cls(tools, tokens, tool_names(snapshot.routes))

    def show(self, routes: Sequence[str]) -> Shown:
        """Return the tools of an exposure, in its order, and their tokens."""
        return Shown(
            routes=tuple(routes),
            tools=tuple(self.tools[route] for route in routes),
            tokens=sum(self.tokens[route] for route in routes),
        )


def opening(query: str) -> list[Message]:
    """Return the messages that an episode begins with."""
    return [{"role": "system", "content": SYSTEM_PROMPT}, {"role": "user", "content": query}]


def assistant_calls(text: str | None, calls: Sequence[ToolCall]) -> Message:
    """Return the assistant message of a turn with calls."""
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ],
    }


def tool_answer(call: ToolCall, content: str) -> Message:
    """Return the tool message that answers a call."""
    return {"role": "tool", "tool_call_id": call.id, "content": content}


def answer_content(execution: Execution, endpoint: EndpointSpec | None) -> str:
    """Return what a call answered as the agent reads it: canonical JSON."""
    content: dict[str, Any] = {"status": execution.status}
    if execution.error is not None:
        content["error"] = execution.error
    if execution.observation is not None:
        content["observation"] = dict(execution.observation)
        units = output_units(endpoint) if endpoint is not None else {}
        if units:
            content["units"] = units
    return canonical_json(content).decode()


def parallel_content() -> str:
    """Return the answer to every call of a turn but its first."""
    return canonical_json({"error": PARALLEL_ERROR, "status": "error"}).decode()
