"""Writing systems: which share of a text's letters belongs to which."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Final

_LITERAL: Final = re.compile(r"[0-9A-Za-z_@.+-]*[0-9@_][0-9A-Za-z_@.+-]*")
"""Identifiers, versions, addresses: they look the same in every language."""

_PREFIXES: Final = {
    "LATIN": "latin",
    "HANGUL": "hangul",
    "HIRAGANA": "kana",
    "KATAKANA": "kana",
    "CJK": "han",
    "IDEOGRAPHIC": "han",
}


def script_of(letter: str) -> str:
    """Return the writing system of a letter: latin, hangul, kana, han or other."""
    first = unicodedata.name(letter, "").replace("-", " ").split(" ", 1)[0]
    return _PREFIXES.get(first, "other")


def without_literals(text: str) -> str:
    """Return a text in NFKC without the words that belong to no language."""
    return _LITERAL.sub(" ", unicodedata.normalize("NFKC", text))


def shares(text: str) -> Mapping[str, float]:
    """Return the share of each writing system among the letters of a text, literals left out."""
    letters = Counter(script_of(item) for item in without_literals(text) if item.isalpha())
    total = letters.total()
    return {script: count / total for script, count in letters.items()}
