"""Which language a text is in, asked of a trained detector: a second opinion beside the script.

The detector is a naive Bayes classifier over byte n-grams of about a hundred languages, which
comes with its package and needs no network.
"""

from __future__ import annotations

import copy
import re
from functools import cache
from typing import Final

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from surface.validation.script import shares, without_literals

LIKELY: Final = 1 / 3
"""Least probability among all languages of the detector; near relatives share the rest."""
_WINDOW: Final = 4
"""Words that are looked at together in a code-switched text."""
_PART: Final = 0.1
"""Least share of the windows in each of two languages; texts in one language reach 0.02."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")


@cache
def probability(text: str, language: str) -> float:
    """Return the probability of a language among all that the detector knows."""
    return float(dict(_identifier().rank(without_literals(text)))[language])


@cache
def switched(text: str) -> str | None:
    """Return the language that a text mixes with English: ko, ja, es or de; None if it does not.

    Korean and Japanese show in their own letters, and the words in Latin ones have to be English.
    For Spanish and German, some windows of words have to be most likely English and some not.
    """
    found = shares(text)
    plain = without_literals(text)
    for script, language in (("hangul", "ko"), ("kana", "ja")):
        if found.get(script):
            latin = " ".join(_LATIN_WORD.findall(plain))
            english = _identifier("de", "en", "es").classify(latin)[0] == "en" if latin else False
            return language if english else None
    ranking = _identifier("de", "en", "es").rank(plain)
    other = next(str(language) for language, _ in ranking if language != "en")
    words = _WORD.findall(plain)
    windows = [" ".join(words[i : i + _WINDOW]) for i in range(len(words) - _WINDOW + 1)]
    guesses = [_identifier("en", other).classify(window)[0] for window in windows]
    least = _PART * len(guesses)
    both = all(guesses.count(item) >= max(least, 1) for item in ("en", other))
    return other if both else None


@cache
def _identifier(*languages: str) -> LanguageIdentifier:
    """Return the detector, for all its languages or for some."""
    if not languages:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    restricted = copy.copy(_identifier())
    restricted.set_languages(list(languages))
    return restricted
