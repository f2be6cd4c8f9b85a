"""Counting tokens: one pinned offline tokenizer for every agent, so that conditions compare."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from bpe_openai import _bindings, registry

from router.canonical import canonical_json

TOKENIZER: Final = "o200k_base"


@cache
def _tokenizer() -> Any:
    # The package's encoding wraps this one in tables of its own, for ways back from tokens to text,
    # and reads other vocabularies beside: a hundred megabytes in every worker that only counts.
    for vocabulary in (*registry.ENCODING_CONSTRUCTORS.values(), registry._load_mergeable_ranks):
        vocabulary.cache_clear()
    return _bindings.tokenizer_for_encoding(TOKENIZER)


def count_tokens(text: str) -> int:
    """Return how many tokens a text has; special tokens in it count as plain text."""
    return int(_tokenizer().count(text))


def count_json(value: Any) -> int:
    """Return how many tokens the canonical JSON of a value has."""
    return count_tokens(canonical_json(value).decode())
