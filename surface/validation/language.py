"""Whether a text looks like the language it is said to be in.

The first opinion knows what is peculiar to the study's languages: shares of writing systems, and
for the languages in Latin letters short lists of function words that only one of them has. The
second is a trained detector's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from surface.task import Task
from surface.validation.detector import LIKELY, probability, switched
from surface.validation.problem import Problem
from surface.validation.script import shares, without_literals

_ALPHABET: Final = (40, 900)
_SYLLABLES: Final = (25, 500)
LENGTHS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "en": _ALPHABET,
        "es": _ALPHABET,
        "de": _ALPHABET,
        "mixed": _ALPHABET,
        "ko": _SYLLABLES,
        "ja": _SYLLABLES,
    }
)
"""Fewest and most characters of a query: a letter of Korean or Japanese says more."""

_LISTS: Final = {
    "en": """
        the and of to for with from that this is are be it its which what have has please by if
        then at on my our your we you i not into after before than should can could would any all
        there their them as but or out up whose
    """,
    "es": """
        el los las la del de que y en con para por una uno un se su sus lo le al como pero si está
        esta este esa ese eso cuál qué mi nuestro nuestra favor necesito hay ha desde hasta después
        antes cuando sin más ya también tiene
    """,
    "de": """
        der die das und ist nicht mit für auf von zu den dem des ein eine einen einem einer bitte
        ich wir sie uns ihr noch dann wie welche welcher welches nach bei zum zur im mir mich oder
        wenn dass aber aus über unter vor werden wird sind habe haben unsere unserer diese dieser
        dieses dort
    """,
}
_WORDS: Final = {language: frozenset(words.split()) for language, words in _LISTS.items()}
ENGLISH: Final = _WORDS["en"]
_LEAST_WORDS: Final = 2
_OWN_SCRIPT: Final = 1 / 3
"""Least share of Korean or Japanese letters; a name in Latin ones is two or three times as long."""
_LATIN: Final = 0.95
_SECOND_SCRIPT: Final = 0.15
"""Least share of each of two writing systems in a code-switched text."""


def function_words(text: str) -> Mapping[str, int]:
    """Return how many different function words of each language a text holds."""
    words = set(re.findall(r"[^\W\d_]+", without_literals(text).casefold()))
    return {language: len(words & known) for language, known in _WORDS.items()}


def looks_like(text: str, language: str) -> bool:
    """Whether a text can be in one of the study's languages."""
    return _CHECKS[language](text)


def check_language(task: Task) -> Iterator[Problem]:
    """Check the languages of query and gloss, and how long the query is."""
    if not looks_like(task.query, task.language):
        yield Problem(
            f"{task.id}: query",
            f"The query does not look like {task.language!r}.",
            "Write it in the task's language.",
        )
    elif task.language == "mixed":
        if switched(task.query) is None:
            yield Problem(
                f"{task.id}: query",
                "The detector does not find English and a second language in it.",
                "Switch between English and Korean, Japanese, Spanish or German.",
            )
    elif probability(task.query, task.language) < LIKELY:
        yield Problem(
            f"{task.id}: query",
            f"The detector does not take the query for {task.language!r}.",
            "Word it so that it reads like its language.",
        )
    shortest, longest = LENGTHS[task.language]
    if not shortest <= len(task.query) <= longest:
        yield Problem(
            f"{task.id}: query",
            f"The query has {len(task.query)} characters, and {task.language!r} asks for "
            f"{shortest} to {longest}.",
            "Say more, or less.",
        )
    if not (looks_like(task.gloss, "en") and probability(task.gloss, "en") >= LIKELY):
        yield Problem(
            f"{task.id}: gloss", "The gloss does not look like English.", "Write it in English."
        )
    if task.gloss == task.query:
        yield Problem(f"{task.id}: gloss", "The gloss is the query.", "Say it in other words.")


def _latin(language: str) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        words = function_words(text)
        own = words[language]
        others = max(count for other, count in words.items() if other != language)
        return shares(text).get("latin", 0) >= _LATIN and own >= _LEAST_WORDS and own > others

    return check


def _korean(text: str) -> bool:
    found = shares(text)
    return found.get("hangul", 0) >= _OWN_SCRIPT and not found.get("kana")


def _japanese(text: str) -> bool:
    found = shares(text)
    own = found.get("kana", 0) + found.get("han", 0)
    return own >= _OWN_SCRIPT and found.get("kana", 0) > 0 and not found.get("hangul")


def _mixed(text: str) -> bool:
    found = shares(text)
    scripts = (
        found.get("latin", 0),
        found.get("hangul", 0),
        found.get("kana", 0) + found.get("han", 0),
    )
    words = function_words(text).values()
    return (
        sum(share >= _SECOND_SCRIPT for share in scripts) > 1
        or sum(count >= _LEAST_WORDS for count in words) > 1
    )


_CHECKS: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {
        "en": _latin("en"),
        "es": _latin("es"),
        "de": _latin("de"),
        "ko": _korean,
        "ja": _japanese,
        "mixed": _mixed,
    }
)
