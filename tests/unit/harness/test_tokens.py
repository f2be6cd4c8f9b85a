"""Counting tokens: as the tokenizer's package counts, in less memory."""

from __future__ import annotations

import bpe_openai

from harness.tokens import TOKENIZER, count_json, count_tokens
from surface.task import TASK_FOLDER

TEXTS = (
    "",
    "<|endoftext|> and <|endofprompt|>",
    "nul \x00, spaces  \t\r\n\n and a combining e\u0301",
    "\u3042" * 100 + "\U0001f600" * 5 + "\u202eright to left",
    "12345678901234567890 it's we'll IT'S",
)


def test_the_count_is_that_of_the_encoding() -> None:
    encoding = bpe_openai.get_encoding(TOKENIZER)
    files = [path.read_text(encoding="utf-8") for path in sorted(TASK_FOLDER.glob("dev/*.yaml"))]
    assert len(files) == 6
    for text in (*TEXTS, *files):
        assert count_tokens(text) == len(encoding.encode_ordinary(text))


def test_json_is_counted_in_its_canonical_form() -> None:
    assert count_json({"b": 1.0, "a": []}) == count_tokens('{"a":[],"b":1}')


def test_no_text_is_too_long_to_count() -> None:
    assert count_tokens("word " * 300_000) >= 300_000
