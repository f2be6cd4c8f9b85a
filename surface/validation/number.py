"""Numbers as people write them: digit grouping and decimal separators of the study's languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

_TOKEN: Final = re.compile(
    r"(?<![A-Za-z_])(?<![A-Za-z_][-.])(?<![0-9])(?P<digits>[0-9]+(?:[.,' ][0-9]+)*)"
)
_GROUPED: Final = {
    (",", "."): re.compile(r"[0-9]{1,3}([, '][0-9]{3})+(\.[0-9]+)?\Z"),
    (".", ","): re.compile(r"[0-9]{1,3}([. '][0-9]{3})+(,[0-9]+)?\Z"),
}
_PLAIN: Final = {
    ".": re.compile(r"[0-9]+(\.[0-9]+)?\Z"),
    ",": re.compile(r"[0-9]+(,[0-9]+)?\Z"),
}
_POINT: Final = (",", ".")
_COMMA: Final = (".", ",")
_CONVENTIONS: Final = {
    "en": (_POINT,),
    "ko": (_POINT,),
    "ja": (_POINT,),
    "de": (_COMMA,),
    "es": (_COMMA, _POINT),
    "mixed": (_COMMA, _POINT),
}
"""Grouping and decimal separators; both are in use where Spanish is spoken."""

_MINUS: Final = re.compile(
    r"minus|menos|bajo cero|unter null|below zero|영하|마이너스|マイナス|氷点下|零下"
)


def numbers_in(text: str, language: str) -> frozenset[Decimal]:
    """Return every number that a reader of the language can see in a text.

    A plain decimal point is understood everywhere. Digits that continue an identifier
    (``SHP-204817``) are no number.
    """
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("\N{MINUS SIGN}", "-")
    worded = _MINUS.search(text.casefold()) is not None
    found: set[Decimal] = set()
    for token in _TOKEN.finditer(text):
        before = text[: token.start()]
        signed = before.endswith("-") and not before[:-1][-1:].isalnum()
        for position, value in _readings(token["digits"], language):
            if not (signed and position == 0):
                found.add(value)
            if (signed and position == 0) or worded:
                found.add(-value)
    return frozenset(found)


def stands(value: float, text: str, language: str) -> bool:
    """Whether a number stands in a text as its language writes numbers."""
    return Decimal(str(value)) in numbers_in(text, language)


def _readings(digits: str, language: str) -> Iterator[tuple[int, Decimal]]:
    """Yield what digits with separators can mean, each with the place where the number begins.

    Spaces group digits or separate numbers; both readings are given.
    """
    parts = digits.split(" ")
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            text = " ".join(parts[start:end])
            for group, decimal in _CONVENTIONS[language]:
                grouped = _GROUPED[group, decimal].match(text)
                if grouped or _PLAIN[decimal].match(text):
                    plain = re.sub(f"[{group} ']", "", text) if grouped else text
                    yield start, Decimal(plain.replace(",", "."))
            if _PLAIN["."].match(text):
                yield start, Decimal(text)
