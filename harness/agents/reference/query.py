"""The query: languages, clauses with their concepts, literals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.literal import LiteralValue, find_literals
from harness.agents.reference.pattern import find_pattern
from harness.agents.reference.words import normalise, tokens

_IDENTIFIER_LIKE: Final = re.compile(r"[A-Za-z0-9_+#-]*\d[A-Za-z0-9_./:#+-]*|[^\s@]+@[^\s@]+")
_NEIGHBOURHOOD: Final = 28
"""Characters on either side of a literal that may say what it is."""
_MONEY: Final = ("amount", "price", "balance", "budget")
"""What a number beside a currency may be."""
_ADJACENT: Final = 18
_FIRST_WORD: Final = re.compile(r"^[A-Za-zÀ-ɏ]+")
_LAST_WORD: Final = re.compile(r"[A-Za-zÀ-ɏ]+$")
_SENTENCE_END: Final = re.compile(r"[.!?;。！？；\n]")
_LONGEST: Final = 8_000
"""Characters of a query that are read."""


@dataclass(frozen=True)
class Clause:
    """A part of the query that may ask for one step."""

    start: int
    end: int
    concepts: frozenset[str]
    conditional: bool = False
    """Whether it says what to do only in some case."""
    first: bool = False
    """Whether it says that it comes before the others."""


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


def says(plain: str, terms: str) -> bool:
    """Whether a normalised text holds one of the terms of a glossary cell.

    Latin terms begin at a word's edge, and end at one if the cell marks them with ``$``.
    """
    words = set(tokens(plain))
    for term in phrases(terms):
        if not term[0].isascii():
            if term in plain:
                return True
        elif term.endswith("$"):
            if term[:-1] in words:
                return True
        elif re.search(rf"(?<![a-z0-9]){re.escape(term)}", plain):
            return True
    return False


@lru_cache(maxsize=256)
def read_query(text: str) -> Query:
    """Read a query; the result is kept by the text, as it depends on nothing else."""
    text = text[:_LONGEST]
    glossary = load_glossary()
    languages = glossary.languages(text)
    literals = find_literals(text, decimal_comma=_decimal_comma(text, languages))
    return Query(text, languages, literals, tuple(_clauses(_masked(text, literals), languages)))


def _clauses(masked: str, languages: tuple[str, ...]) -> Iterator[Clause]:
    """Cut a text into clauses; what holds no verb joins what follows in its sentence.

    "For customer A, list the orders" asks for one step; so does an object before its verb.
    """
    glossary = load_glossary()
    cuts = {match.end(): match.group() for match in _marks().finditer(masked)}
    cuts[len(masked)] = "."
    start = 0
    waiting: frozenset[str] = frozenset()
    for end, mark in sorted(cuts.items()):
        part = masked[start:end]
        concepts = waiting | frozenset(
            glossary.concepts(_IDENTIFIER_LIKE.sub(" ", part), languages)
        )
        verb = any(glossary.kind(concept) == "verb" for concept in concepts)
        if not verb and end < len(masked) and not _SENTENCE_END.search(mark):
            waiting = concepts
            continue
        if concepts:
            plain = normalise(part)
            conditional = says(plain, glossary.tables["condition"])
            first = says(plain, glossary.tables["precedence"])
            yield Clause(start, end, concepts, conditional, first)
        waiting = frozenset()
        start = end


def _masked(text: str, literals: tuple[LiteralValue, ...]) -> str:
    """Blank quoted texts, dates and numbers: their words and marks are data, not request."""
    for literal in literals:
        if literal.kind in {"quoted", "date", "month", "email", "number"}:
            blank = "_" * (literal.end - literal.start)
            text = text[: literal.start] + blank + text[literal.end :]
    return text


@lru_cache(maxsize=1)
def _marks() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{mark})" for mark in load_glossary().tables["clause_marks"]))


def _decimal_comma(text: str, languages: tuple[str, ...]) -> bool:
    """Whether numbers are written 12,5: Spanish or German without more English than that."""
    words: Mapping[str, frozenset[str]] = load_glossary().stopwords
    found = tokens(normalise(text))
    continental = sum(word in words["es"] or word in words["de"] for word in found)
    english = sum(word in words["en"] for word in found)
    return continental > english and not {"ko", "ja"} & set(languages)
