"""Error answers that say something about the prompt or the model's answer, not about the plant.

Servers refuse a prompt that is too long, and some refuse to pass on a tool call that they cannot
parse. Both are outcomes (protocol, section 4, rules 7 and 8); every other error answer is not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.agents.openai.plain import count

STATUSES: Final = frozenset({400, 413, 422, 500})
"""Under which servers answer so; Ollama and llama.cpp say 500 where they cannot parse a call."""

OVERFLOW_CODES: Final = frozenset({"context_length_exceeded", "exceed_context_size_error"})
"""Codes or types of OpenAI, and of those that follow it, and of llama.cpp."""


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern in which PROMPT, CONTEXT and ANSWER stand for token figures."""
    for name in ("prompt", "context", "answer"):
        text = text.replace(name.upper(), rf"(?P<{name}>[0-9][0-9,_]{{0,19}})(?![0-9])")
    return re.compile(text, re.IGNORECASE | re.DOTALL)


OVERFLOWS: Final = tuple(
    map(
        _pattern,
        (
            # OpenAI and vLLM, older and newer; proxies in front of others pass these words on.
            r"maximum context length is CONTEXT.*?resulted in PROMPT tokens",
            # What is requested has room for the answer in it.
            r"maximum context length is CONTEXT.*?requested(?: about)? PROMPT tokens"
            r"(?: \([^)]*?ANSWER in the completion\))?",
            r"maximum context length (?:is|of) CONTEXT.*?(?:has|contains?)(?: at least)? PROMPT "
            r"(?:input )?tokens",
            r"passed PROMPT input tokens.*?context length is only CONTEXT",
            r"configured limit of CONTEXT tokens.*?resulted in PROMPT",
            # vLLM, where the prompt is measured before anything else.
            r"prompt \(length PROMPT\) is longer than the maximum model length of CONTEXT",
            # llama.cpp; its older versions tell no figures.
            r"request \(PROMPT tokens\) exceeds the available context size \(CONTEXT",
            r"exceeds? the available context size",
            # Ollama.
            r"input length exceeds the (?:maximum )?context length",
            r"prompt (?:is )?too long; exceeded max context length",
            # Anthropic, Google and Mistral behind their compatible addresses.
            r"prompt is too long: PROMPT tokens > CONTEXT",
            r"input token count \(PROMPT\) exceeds the maximum number of tokens allowed \(CONTEXT",
            r"prompt contains PROMPT tokens.*?maximum context length(?: of)? CONTEXT",
            r"prompt contains PROMPT tokens.*?model with CONTEXT maximum context length",
            # SGLang.
            r"input \(PROMPT tokens\) is longer than the model's context length \(CONTEXT",
            r"maximum context length of CONTEXT.*?PROMPT tokens from the input",
            # The figures of any are characters, or are not told.
            r"maximum context length (?:is|of) CONTEXT",
            r"context length is only CONTEXT",
        ),
    )
)

UNPARSED: Final = (
    # Ollama puts what the model wrote between raw=' and ', err=.
    re.compile(r"error parsing tool call: raw='(?P<text>.*)', err=", re.DOTALL),
    # llama.cpp tells where it stopped, then the rest.
    re.compile(r"failed to parse input at pos \d+:?\s*(?P<text>.*)", re.DOTALL | re.IGNORECASE),
)


@dataclass(frozen=True)
class Overflow:
    """The server says that the prompt does not fit."""

    message: str
    prompt_tokens: int | None
    context_tokens: int | None


@dataclass(frozen=True)
class Unparsed:
    """The server could not parse what the model wrote as a tool call."""

    text: str
    """What the model wrote, as far as the server tells."""


def read_refusal(status: int, body: Any) -> Overflow | Unparsed | None:
    """Return the outcome that an error answer stands for, or None where it stands for none.

    Parameters
    ----------
    status
        Of the HTTP answer.
    body
        Its JSON, or its text.
    """
    if status not in STATUSES:
        return None
    error = error_fields(body)
    message = error_message(body)
    failed = error.get("failed_generation")
    if error.get("code") == "tool_use_failed" and isinstance(failed, str):
        return Unparsed(failed)
    for pattern in UNPARSED:
        if found := pattern.search(message):
            return Unparsed(found["text"])
    prompt, context = count(error.get("n_prompt_tokens")), count(error.get("n_ctx"))
    for pattern in OVERFLOWS:
        if found := pattern.search(message):
            figures = {name: _count(text) for name, text in found.groupdict().items()}
            told, answer = figures.get("prompt"), figures.get("answer") or 0
            return Overflow(
                message,
                prompt or (None if told is None else told - answer),
                context or figures.get("context"),
            )
    if OVERFLOW_CODES & {error.get("code"), error.get("type")}:
        return Overflow(message, prompt, context)
    return None


def error_fields(body: Any) -> Mapping[str, Any]:
    """Return the fields of an error answer, whose servers nest them or do not."""
    body = _unlisted(body)
    if not isinstance(body, dict):
        return {}
    error = body.get("error")
    fields = error if isinstance(error, dict) else body
    # Only what can be compared: a list or an object stands for no code.
    return {key: item for key, item in fields.items() if not isinstance(item, dict | list)}


def error_message(body: Any) -> str:
    """Return the message of an error answer; its text where it has none."""
    body = _unlisted(body)
    if isinstance(body, str):
        return body
    if not isinstance(body, dict):
        return ""
    for text in (error_fields(body).get("message"), body.get("error"), body.get("detail")):
        if isinstance(text, str):
            return text
    return str(body)


def _unlisted(body: Any) -> Any:
    """Return an error answer out of the list that Google puts it in."""
    return body[0] if isinstance(body, list) and body else body


def _count(figure: Any) -> int | None:
    """Return a figure that stands in a message, perhaps with marks between its digits."""
    return count(int(re.sub(r"[,_]", "", figure)) if isinstance(figure, str) else figure)
