"""From text to features: words and character n-grams over every script.

Two kinds of run are told apart. *Spaced* scripts (Latin, Cyrillic, Arabic, Devanagari, ...) mark
their words; a word gives itself and its boundary-marked character n-grams. *Unspaced* text (Han,
Kana, Hangul, Thai, ...) gives character n-grams only: a whole sentence is never one token. Hangul
is written with spaces, but its particles stick to the words, so it is treated the same way.

Everything follows from Unicode normalisation forms and casefolding, whose results are frozen for
assigned characters by the Unicode stability policy: every Python from 3.11 on gives the same
features for text in characters of Unicode 14.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["CHARACTER", "GRAM", "WORD", "features", "is_unspaced", "normalise", "words"]

WORD = "w"
"""First letter of a feature that is a whole word."""
GRAM = "g"
"""First letter of a feature that is an n-gram of a boundary-marked word."""
CHARACTER = "c"
"""First letter of a feature that is an n-gram of unspaced text."""

_BOUNDARY = "_"  # never part of a word: words are split at it
_GRAM_LENGTHS = (
    4,
)  # the length of best retrieval in European languages (McNamee and Mayfield 2004)
_CHARACTER_LENGTHS = (1, 2, 3)
_SHORTEST_WITH_GRAMS = 3

# Unicode blocks by code point, letters and marks; punctuation inside them is left out.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59"  # Thai
    "\u0e81-\u0ebd\u0ec0-\u0edf"  # Lao
    "\u1000-\u1049\u1050-\u109f"  # Myanmar
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u1780-\u17d3\u17dc-\u17dd\u17e0-\u17e9"  # Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"  # Han, supplementary planes
    "\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Kana
    "\U0001aff0-\U0001b16f"  # Kana, supplementary plane
    "\u3105-\u312f\u31a0-\u31bf"  # Bopomofo
)
# Python's \w leaves combining marks out; a vowel sign must not split a Hindi or Arabic word.
_MARKS = "".join(
    chr(code)
    for first, last in ((0x300, 0x2100), (0xA66F, 0xABEE), (0xFB1E, 0xFE30))
    for code in range(first, last)
    if unicodedata.category(chr(code)).startswith("M")
)
_RUN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:[{_MARKS}]+[^\W_{_UNSPACED}]*)*")
_UNSPACED_CHARACTER = re.compile(rf"[{_UNSPACED}]")
_ASCII_RUN = re.compile(r"[0-9a-z]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def normalise(text: str) -> str:
    """Compatibility-compose and casefold a text (NFKC, casefold, NFKC).

    Full-width letters, half-width kana, ligatures and unit signs become their ordinary forms.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Casefolding can undo composition ("ǰ" becomes "j" and a caron).
    return unicodedata.normalize("NFKC", folded)


def is_unspaced(run: str) -> bool:
    """Whether a run returned by :func:`words` belongs to a script written without word breaks."""
    return _UNSPACED_CHARACTER.match(run) is not None


def words(text: str) -> list[str]:
    """The normalised words and unspaced runs of a text, in order, repeats kept.

    Letters, digits and their marks make words; everything else, ``.`` and ``_`` among it,
    separates them, so that ``orders.find_orders`` gives ``orders``, ``find``, ``orders``. A word
    written in camel case gives itself and then its humps, where each hump has at least two letters
    (``findOrders``, but not ``kWh``).
    """
    if text.isascii():
        lower = text.lower()
        if lower == text or _HUMP.search(text) is None:
            return _ASCII_RUN.findall(lower)
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text)):
        found.append(normalise(run))
        if not (run.islower() or run.isupper()):
            humps = _HUMP.split(run)
            if len(humps) > 1 and min(map(len, humps)) > 1:
                found.extend(map(normalise, humps))
    return found


def features(word: str) -> list[str]:
    """The distinct features of one item of :func:`words`, each with its kind as first letter.

    A word with diacritics gives its features with and without them, so that ``dirección`` and
    ``direccion`` meet. Numbers give no n-grams: pieces of a number mean nothing.
    """
    if is_unspaced(word):
        return list(dict.fromkeys(_grams(CHARACTER, word, _CHARACTER_LENGTHS)))
    found = []
    for form in dict.fromkeys((word, _bare(word))):
        found.append(WORD + form)
        if len(form) >= _SHORTEST_WITH_GRAMS and not form.isdecimal():
            found.extend(_grams(GRAM, f"{_BOUNDARY}{form}{_BOUNDARY}", _GRAM_LENGTHS))
    return list(dict.fromkeys(found))


def _grams(kind: str, text: str, lengths: tuple[int, ...]) -> list[str]:
    return [
        kind + text[start : start + length]
        for length in lengths
        for start in range(len(text) - length + 1)
    ]


def _bare(word: str) -> str:
    """A word of a spaced script without its diacritics; the word itself where nothing is left."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    bare = "".join(part for part in parts if unicodedata.category(part) != "Mn")
    return unicodedata.normalize("NFC", bare) or word
