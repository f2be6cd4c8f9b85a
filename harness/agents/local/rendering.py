"""From messages and tools to what the model is asked: short, since its context and wits are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from harness.agents.local.grammar import SAY, answer_grammar
from harness.agents.local.section import LocalSection
from harness.agents.openai.rendering import SAMPLE_MESSAGES, SAMPLE_TOOLS
from harness.agents.protocol import Message, ToolSchema
from router.canonical import digest

RENDERING_VERSION: Final = 1
"""Rises with every change of how prompts and tools are put."""

PROMPT: Final = """
Answer with one line. To call a tool:
crm__find_contact {"name": "Ann Lee"}
billing__list_invoices {"contact_id": "C-17", "limit": 5}
To say something without a call:
say REQUEST_MORE_TOOLS
Those two tools are examples. These are your tools, with their arguments:
"""


def request_body(
    section: LocalSection, messages: Sequence[Message], tools: Sequence[ToolSchema]
) -> dict[str, Any]:
    """Return the chat completion that is asked for; its text is constrained to the tools."""
    listing = PROMPT + "\n".join(map(listed, tools))
    system = {"role": "system", "content": messages[0]["content"] + listing}
    return {
        "messages": [system, *map(told, messages[1:])],
        "grammar": answer_grammar(tools),
        "temperature": 0,
        "seed": section.seed,
        "max_tokens": section.max_tokens,
        # Cached and fresh prompts differ in their last digits, and so may the answers.
        "cache_prompt": False,
    }


def told(message: Message) -> dict[str, str]:
    """Return a message as the model is told it: calls as it writes them, answers as the user's."""
    content = message["content"] or ""
    match message["role"]:
        case "tool":
            return {"role": "user", "content": content}
        case "assistant":
            functions = [call["function"] for call in message.get("tool_calls", ())]
            calls = [f"{item['name']} {item['arguments']}" for item in functions]
            return {"role": "assistant", "content": "\n".join(calls) or f"{SAY} {content}"}
    return {"role": message["role"], "content": content}


def listed(tool: ToolSchema) -> str:
    """Return a tool as one line: name, arguments (optional ones in brackets), description."""
    required = sorted(tool.parameters.get("required", ()))
    optional = sorted(set(tool.parameters.get("properties", {})) - set(required))
    arguments = ", ".join([*required, *(f"[{name}]" for name in optional)])
    return f"{tool.name}({arguments}): {tool.description}"


def rendering_digest(section: LocalSection) -> str:
    """Return the SHA-256 of how a fixed conversation is put: a change of rendering shows."""
    return digest(
        [
            request_body(section, SAMPLE_MESSAGES, SAMPLE_TOOLS),
            request_body(section, SAMPLE_MESSAGES, ()),
        ]
    )
