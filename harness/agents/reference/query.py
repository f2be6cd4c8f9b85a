"""The query: languages, clauses with their concepts, literals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final

from harness.agents.reference.clause import Clause, cut, says
from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.literal import LiteralValue, find_literals
from harness.agents.reference.pattern import find_pattern
from harness.agents.reference.words import normalise, tokens

_NEIGHBOURHOOD: Final = 28
"""Characters on either side of a literal that may say what it is."""
_MONEY: Final = ("amount", "price", "balance", "budget")
"""What a number beside a currency may be."""
_ADJACENT: Final = 18
_HEAD_WORDS: Final = 3
_HEAD_LETTERS: Final = 4
"""A longer word between a noun and a literal parts them, if the glossary does not know it."""
_FIRST_WORD: Final = re.compile(r"^[A-Za-zÀ-ɏ]+")
_LAST_WORD: Final = re.compile(r"[A-Za-zÀ-ɏ]+$")
_LONGEST: Final = 8_000
"""Characters of a query that are read."""


@dataclass(frozen=True, eq=False)
class Query:
    """What the agent understood of the user's request; derived from its text alone."""

    text: str
    languages: tuple[str, ...]
    literals: tuple[LiteralValue, ...]
    clauses: tuple[Clause, ...]
    patterns: dict[str, tuple[LiteralValue, ...]] = field(default_factory=dict)
    """Matches by pattern, filled as parameters ask for them."""
    around: dict[str, frozenset[str]] = field(default_factory=dict)
    """Concepts near a literal, by its place; filled likewise."""
    heads: dict[str, frozenset[str]] = field(default_factory=dict)
    """What the noun before a literal calls it, by its place; filled likewise."""
    cues: dict[str, str | None] = field(default_factory=dict)
    """Direction of a literal, by its place; filled likewise."""

    @cached_property
    def plain(self) -> str:
        """The whole text, normalised."""
        return normalise(self.text)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """All concepts of all clauses."""
        return frozenset().union(*(clause.concepts for clause in self.clauses))

    @cached_property
    def repeats(self) -> bool:
        """Whether the query asks for something to be done more than once."""
        return says(self.plain, load_glossary().tables["repetition"])

    def matching(self, pattern: str) -> tuple[LiteralValue, ...]:
        """Return the parts of the query that match a parameter's pattern."""
        found = self.patterns.get(pattern)
        if found is None:
            found = tuple(
                LiteralValue("name", text, start, end)
                for text, start, end in find_pattern(pattern, self.text)
            )
            self.patterns[pattern] = found
        return found

    def clause_at(self, position: int) -> int:
        """Return the index of the clause at a position of the text."""
        for index, clause in enumerate(self.clauses):
            if position < clause.end:
                return index
        return max(len(self.clauses) - 1, 0)

    @cached_property
    def parts(self) -> tuple[Query, ...]:
        """Each clause as a query of its own, for what it alone says of a record."""
        found = []
        for clause in self.clauses:
            inside = tuple(
                replace(item, start=item.start - clause.start, end=item.end - clause.start)
                for item in self.literals
                if clause.start <= item.start and item.end <= clause.end
            )
            text = self.text[clause.start : clause.end]
            found.append(Query(text, self.languages, inside, (clause,)))
        return tuple(found)

    @cached_property
    def superlatives(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """The directions in which the query ranks things, and the concepts it ranks them by."""
        return tuple(
            (str(entry["direction"]), frozenset(entry["concepts"]))
            for entry in load_glossary().tables["superlatives"]
            if says(self.plain, entry["terms"])
        )

    @cached_property
    def positions(self) -> frozenset[str]:
        """Whether the query speaks of the first or the last of several."""
        table = load_glossary().tables["position"]
        return frozenset(place for place, terms in table.items() if says(self.plain, terms))

    def near(self, literal: LiteralValue) -> frozenset[str]:
        """Return the concepts of the words around a literal."""
        found = self.around.get(literal.key)
        if found is None:
            found = self.around[literal.key] = self._near(literal)
        return found

    def _near(self, literal: LiteralValue) -> frozenset[str]:
        # The words of other literals are data; they also end the neighbourhood.
        ends = (item.end for item in self.literals if item.end <= literal.start)
        starts = (item.start for item in self.literals if item.start >= literal.end)
        begin = max(literal.start - _NEIGHBOURHOOD, *ends, 0)
        end = min(literal.end + _NEIGHBOURHOOD, *starts, len(self.text))
        before, after = self.text[begin : literal.start], self.text[literal.end : end]
        if begin == literal.start - _NEIGHBOURHOOD:  # a word that the window cuts says nothing
            before = _FIRST_WORD.sub("", before)
        if end == literal.end + _NEIGHBOURHOOD:
            after = _LAST_WORD.sub("", after)
        words = load_glossary().concepts(f"{before} {after}", self.languages)
        return frozenset((*words, *(_MONEY if literal.money else ())))

    def head(self, literal: LiteralValue) -> frozenset[str]:
        """Return what the noun right before a literal calls it: "order 4711", "주문 4711"."""
        found = self.heads.get(literal.key)
        if found is None:
            found = self.heads[literal.key] = self._head(literal)
        return found

    def _head(self, literal: LiteralValue) -> frozenset[str]:
        before = _clear(self.text[max(0, literal.start - _ADJACENT) : literal.start], last=True)
        if literal.start > _ADJACENT and before and not before[0].isspace():
            before = _FIRST_WORD.sub("", before)
        glossary = load_glossary()
        words = [word for word in before.split() if word]
        for word in reversed(words[-_HEAD_WORDS:]):
            nouns = [
                c for c in glossary.concepts(word, self.languages) if glossary.kind(c) != "word"
            ]
            named = frozenset(c for c in nouns if c != "id")
            if named:
                return named
            if not nouns and word.isalpha() and len(word) >= _HEAD_LETTERS:
                break
        return frozenset()

    def cue(self, literal: LiteralValue) -> str | None:
        """Return the direction that the words next to a literal give it: from, to, min or max.

        The nearest word decides; a noun may stand between ("from account A", "A 계좌에서").
        """
        if literal.key not in self.cues:
            self.cues[literal.key] = self._cue(literal)
        return self.cues[literal.key]

    def _cue(self, literal: LiteralValue) -> str | None:
        before = _clear(self.text[max(0, literal.start - _ADJACENT) : literal.start], last=True)
        after = _clear(self.text[literal.end : literal.end + _ADJACENT], last=False)
        found: list[tuple[int, int, str]] = []
        for rank, (name, leading, following) in enumerate(_cues()):
            found += [(len(before) - hit.end(), rank, name) for hit in leading.finditer(before)]
            found += [(place, rank, name) for term in following if (place := after.find(term)) >= 0]
        return min(found)[2] if found else None


def _clear(text: str, *, last: bool) -> str:
    """Return the words between a literal and its neighbour: what has digits or marks ends them."""
    parts = re.split(r"[^\s]*\d[^\s]*|[,;:.!?()。、，！？]", normalise(text))
    return parts[-1] if last else parts[0]


@lru_cache(maxsize=1)
def _cues() -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    """Return for each direction its name, a pattern before a literal, and the terms after one."""
    tables = load_glossary().tables
    found = []
    for name, table in (*tables["comparison"].items(), *tables["direction"].items()):
        leading = "|".join(map(re.escape, phrases(table["before"]))) or r"(?!)"
        pattern = re.compile(rf"(?<![a-z0-9])(?:{leading})(?![a-z0-9])")
        found.append((str(name), pattern, phrases(table["after"])))
    return tuple(found)


def mentions(plain: str, value: str) -> bool:
    """Whether a normalised text holds a value as a whole word or words."""
    term = normalise(value.replace("_", " ")).strip()
    if not term or term not in plain:
        return False
    return re.search(rf"(?<![a-z0-9]){re.escape(term)}(?![a-z0-9])", plain) is not None


@lru_cache(maxsize=256)
def read_query(text: str) -> Query:
    """Read a query; the result is kept by the text, as it depends on nothing else."""
    text = text[:_LONGEST]
    glossary = load_glossary()
    languages = glossary.languages(text)
    literals = find_literals(text, decimal_comma=_decimal_comma(text, languages))
    return Query(text, languages, literals, cut(_masked(text, literals), languages))


def _masked(text: str, literals: tuple[LiteralValue, ...]) -> str:
    """Blank quoted texts, dates and numbers: their words and marks are data, not request."""
    for literal in literals:
        if literal.kind in {"quoted", "date", "month", "email", "number"}:
            blank = "_" * (literal.end - literal.start)
            text = text[: literal.start] + blank + text[literal.end :]
    return text


def _decimal_comma(text: str, languages: tuple[str, ...]) -> bool:
    """Whether numbers are written 12,5: Spanish or German without more English than that."""
    words: Mapping[str, frozenset[str]] = load_glossary().stopwords
    found = tokens(normalise(text))
    continental = sum(word in words["es"] or word in words["de"] for word in found)
    english = sum(word in words["en"] for word in found)
    return continental > english and not {"ko", "ja"} & set(languages)
