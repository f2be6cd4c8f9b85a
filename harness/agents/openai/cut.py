"""Prompts that a server answered after it had cut them to fit its context, without a word."""

from __future__ import annotations

from typing import Final

from harness.agents.openai.section import OpenAISection
from harness.agents.protocol import ContextOverflow, Turn
from harness.tokens import count_tokens

LEAST_SHARE: Final = 0.75
"""Of the pinned tokenizer's count of a body; a model whose own count is lower read only a part."""


def refuse_cut(section: OpenAISection, answer: Turn, sent: bytes) -> None:
    """Take a prompt that the server cut for the overflow that it is.

    Parameters
    ----------
    section
        Says how much fits; where it does not, nothing can be told.
    answer
        What the server answered.
    sent
        The body of the request.

    Raises
    ------
    ContextOverflow
        If the prompt fills the whole context, or if Ollama, which drops the oldest messages, read
        much less than there was.
    """
    prompt = answer.usage.input_tokens if answer.usage else None
    context = section.context_tokens
    if prompt is None or context is None:
        return
    cut = prompt >= context
    # No text has more tokens than bytes, so that most need no count.
    if section.serving == "ollama" and not cut and len(sent) > context:
        whole = count_tokens(sent.decode())
        cut = whole > context and prompt < LEAST_SHARE * whole
    if cut:
        raise ContextOverflow(
            "the server cut the prompt to fit its context",
            prompt_tokens=prompt,
            context_tokens=context,
            raw=answer.raw,
        )
