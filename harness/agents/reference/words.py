"""Words: one normal form for text, and a light stemmer for English."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

LATIN_TOKEN: Final = re.compile(r"[a-z0-9\u00c0-\u024f]+")
_LATIN_END: Final = 0x250
_HANGUL: Final = re.compile(r"[\uac00-\ud7a3]")
_KANA_OR_HAN: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_ES_ENDINGS: Final = ("sses", "shes", "ches", "xes")


def normalise(text: str) -> str:
    """Return text in NFKC, case folded, Latin letters without accents.

    Accents are dropped from Latin letters only: Hangul and kana must stay composed.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    return "".join(_plain(character) for character in folded)


@lru_cache(maxsize=1024)
def _plain(character: str) -> str:
    if ord(character) >= _LATIN_END or character.isascii():
        return character
    return "".join(
        part for part in unicodedata.normalize("NFD", character) if not unicodedata.combining(part)
    )


def tokens(text: str) -> list[str]:
    """Return the Latin words of a normalised text."""
    return LATIN_TOKEN.findall(text)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the stem of a normalised English word: plural, -ing, -ed and final -e are dropped."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(_ES_ENDINGS):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
    elif len(word) > 4 and word.endswith("ed"):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return _single(word)


def _single(word: str) -> str:
    """Undo a doubled final consonant: cancell(ed) and cancel, install and instal(ment)."""
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiosz"
    return word[:-1] if doubled else word


def has_hangul(text: str) -> bool:
    """Whether a text holds Hangul syllables."""
    return _HANGUL.search(text) is not None


def has_japanese(text: str) -> bool:
    """Whether a text holds kana or Chinese characters."""
    return _KANA_OR_HAN.search(text) is not None
