"""Texts: normal form, characters that nobody sees, words that may not stand in a query."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from surface.validation.problem import Problem

STATE_MARKER: Final = "[EXECUTION_STATE]"
"""Separates a query from its state (protocol, section 3); no query may hold it."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
"""Categories of control, format, surrogate and private characters."""


def normal(text: str) -> str:
    """Return a text as literals are looked up in it: NFKC, casefolded, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def check_text(place: str, text: str) -> Iterator[Problem]:
    """Check one text of the surface, whatever it is for."""
    if not unicodedata.is_normalized("NFC", text):
        yield Problem(place, f"The text {text[:40]!r} is not in NFC.", "Normalise it.")
    unseen = sorted({item for item in text if unicodedata.category(item) in _UNSEEN})
    if unseen:
        codes = ", ".join(f"U+{ord(item):04X}" for item in unseen)
        yield Problem(
            place,
            f"The text {text[:40]!r} holds characters that nobody sees ({codes}).",
            "Remove them; write a text in one paragraph.",
        )


def check_marker(place: str, query: str) -> Iterator[Problem]:
    """Forbid the marker that a rendered state begins with."""
    if normal(STATE_MARKER) in normal(query):
        yield Problem(place, f"The query holds {STATE_MARKER}.", "Word it differently.")
