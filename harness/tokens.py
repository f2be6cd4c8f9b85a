"""Counting tokens: one pinned offline tokenizer for every agent, so that conditions compare."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import bpe_openai

from router.canonical import canonical_json

TOKENIZER: Final = "o200k_base"


@cache
def _tokenizer() -> Any:
    return bpe_openai.get_encoding(TOKENIZER)


def count_tokens(text: str) -> int:
    """Return how many tokens a text has; special tokens in it count as plain text."""
    return len(_tokenizer().encode_ordinary(text))


def count_json(value: Any) -> int:
    """Return how many tokens the canonical JSON of a value has."""
    return count_tokens(canonical_json(value).decode())
