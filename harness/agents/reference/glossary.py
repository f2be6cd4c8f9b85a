"""The glossary: from words of five languages to general concepts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from harness.agents.reference.words import (
    has_hangul,
    has_japanese,
    normalise,
    stem,
    tokens,
)

Kind = Literal["verb", "noun", "state", "word"]
_FILE: Final = Path(__file__).with_name("glossary.json")
_KINDS: Final[tuple[Kind, ...]] = ("verb", "noun", "state")
_COMPOUND: Final = 5
"""Shortest stem that is looked for inside a German compound."""
_MIN_WORD: Final = 3
_SEPARABLE: Final = 2


def phrases(text: str) -> tuple[str, ...]:
    """Return the terms of one glossary cell, normalised, ``_`` read as a space."""
    return tuple(normalise(term.replace("_", " ")) for term in text.split())


@dataclass(frozen=True)
class Stems:
    """Terms of a language that is written with spaces, found at the start of a word."""

    whole: Mapping[str, tuple[str, ...]]
    prefix: Mapping[str, tuple[str, ...]]
    compounds: bool

    def find(self, word: str) -> tuple[str, ...]:
        """Return the concepts of a word: the longest term that begins it, or that it contains."""
        found = self.whole.get(word, ())
        if found:
            return found
        for start in range(len(word) if self.compounds else 1):
            shortest = _COMPOUND if start else 2
            for end in range(len(word), start + shortest - 1, -1):
                concepts = self.prefix.get(word[start:end])
                if concepts:
                    found += concepts
                    break
        return found

    def prefixed(self, word: str) -> tuple[str, ...]:
        """Return the concepts of the longest term that begins a word."""
        for end in range(len(word), _COMPOUND - 1, -1):
            if found := self.prefix.get(word[:end]):
                return found
        return ()


@dataclass(frozen=True)
class Glossary:
    """Concepts of business software and the words for them."""

    kinds: Mapping[str, Kind]
    english_stems: Mapping[str, tuple[str, ...]]
    spaced: Mapping[str, Stems]
    """Spanish and German."""
    unspaced: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Korean and Japanese: terms are found anywhere, the longest first."""
    stopwords: Mapping[str, frozenset[str]]
    particles: frozenset[str]
    """Prefixes of German verbs that stand apart."""
    pairs: re.Pattern[str]
    """English words that are written apart or together."""
    tables: Mapping[str, Any]
    """The other sections of the file: units, months, superlatives, ..."""

    def kind(self, concept: str) -> Kind:
        """Return what kind of concept it is; ``word`` for one outside the glossary."""
        return self.kinds.get(concept, "word")

    def english(self, text: str) -> tuple[str, ...]:
        """Return the concepts of English text, a tool's or a field's, in order, repeats kept."""
        plain = self._joined(normalise(text.replace("_", " ")))
        return tuple(self._english(tokens(plain)))

    def languages(self, text: str) -> tuple[str, ...]:
        """Return the languages that a text seems to use, English always among them."""
        plain = normalise(text)
        words = set(tokens(plain))
        found = ["en"]
        found += [name for name in ("es", "de") if self._written_in(name, text, words)]
        if has_hangul(text):
            found.append("ko")
        if has_japanese(text):
            found.append("ja")
        return tuple(found)

    def concepts(self, text: str, languages: Iterable[str]) -> tuple[str, ...]:
        """Return the concepts of a text in these languages, in order within each script."""
        plain = self._joined(normalise(text))
        active = tuple(languages)
        apart = self._separated(plain) if "de" in active else ()
        return (*self._latin(plain, active), *apart, *self._other(plain, active))

    def _separated(self, plain: str) -> tuple[str, ...]:
        """Return the verbs whose prefix German puts at the end: "leg es zurück"."""
        words = tokens(plain)
        if len(words) < _SEPARABLE or words[-1] not in self.particles:
            return ()
        found: list[str] = []
        for word in words[:-1]:
            joined = self.spaced["de"].prefixed(words[-1] + word)
            found += [concept for concept in joined if self.kind(concept) == "verb"]
        return tuple(dict.fromkeys(found))

    def _joined(self, plain: str) -> str:
        """Write pairs that are one word in meaning as one: check in, pick-up."""
        return self.pairs.sub(lambda match: re.sub(r"[ _-]", "", match.group()), plain)

    def _written_in(self, language: str, text: str, words: set[str]) -> bool:
        marks = "ñ¿¡" if language == "es" else "äöß"
        return bool(words & self.stopwords[language]) or any(
            mark in text.casefold() for mark in marks
        )

    def _latin(self, plain: str, languages: tuple[str, ...]) -> Iterator[str]:
        active = [self.spaced[name] for name in languages if name in self.spaced]
        skipped = frozenset().union(
            *(self.stopwords[name] for name in languages if name in self.stopwords),
            self.stopwords["shared"] if active else (),
        )
        for word in tokens(plain):
            if word in skipped:
                continue
            found = tuple(concept for stems in active for concept in stems.find(word))
            yield from found or self._english([word])

    def _english(self, words: Iterable[str]) -> Iterator[str]:
        for word in words:
            root = stem(word)
            known = self.english_stems.get(root)
            if known:
                yield from known
            elif word not in self.stopwords["en"] and len(word) >= _MIN_WORD and not word.isdigit():
                yield f"w:{root}"

    def _other(self, plain: str, languages: Iterable[str]) -> Iterator[str]:
        for name in languages:
            terms = self.unspaced.get(name)
            if terms is None:
                continue
            longest = max(map(len, terms))
            start = 0
            while start < len(plain):
                for end in range(min(len(plain), start + longest), start, -1):
                    concepts = terms.get(plain[start:end])
                    if concepts:
                        yield from concepts
                        start = end
                        break
                else:
                    start += 1


@lru_cache(maxsize=1)
def load_glossary() -> Glossary:
    """Read the glossary that is part of the package."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    columns: dict[str, dict[str, list[str]]] = {name: {} for name in data["languages"]}
    kinds: dict[str, Kind] = {}
    for kind in _KINDS:
        for concept, cells in data.pop(kind).items():
            kinds[concept] = kind
            for language, cell in zip(data["languages"], cells, strict=True):
                for term in phrases(cell):
                    columns[language].setdefault(term, []).append(concept)
    english: dict[str, list[str]] = {}
    for term, concepts in columns["en"].items():
        english.setdefault(stem(term), []).extend(concepts)
    stopwords = data.pop("stopwords")
    return Glossary(
        kinds=kinds,
        english_stems={key: tuple(dict.fromkeys(value)) for key, value in english.items()},
        spaced={
            name: Stems(
                whole={k[:-1]: tuple(v) for k, v in columns[name].items() if k.endswith("$")},
                prefix={k: tuple(v) for k, v in columns[name].items() if not k.endswith("$")},
                compounds=name == "de",
            )
            for name in ("es", "de")
        },
        unspaced={
            name: {
                variant: tuple(v)
                for k, v in columns[name].items()
                for variant in {k, k.replace(" ", "")}
            }
            for name in ("ko", "ja")
        },
        stopwords={name: frozenset(phrases(words)) for name, words in stopwords.items()},
        particles=frozenset(phrases(data["particles"])),
        pairs=_pairs(data["joined"]),
        tables=data,
    )


def _pairs(cell: str) -> re.Pattern[str]:
    pairs = "|".join(term.replace(" ", "[ _-]") for term in phrases(cell))
    return re.compile(rf"(?<![a-z])(?:{pairs})(?![a-z])")
