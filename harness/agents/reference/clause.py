"""Clauses: the parts of a query that may each ask for one step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.words import LATIN_TOKEN, normalise, tokens

_IDENTIFIER_LIKE: Final = re.compile(r"[A-Za-z0-9_+#-]*\d[A-Za-z0-9_./:#+-]*|[^\s@]+@[^\s@]+")
_SENTENCE_END: Final = re.compile(r"[.!?;。！？；\n]")
_SHORT: Final = 3
"""Words, the mark included, of what is no part of its own before a word of sequence."""
_REACH: Final = 3
"""Words after "not" or "never" in which the verb that it denies stands."""


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
    barred: bool = False
    """Whether it says what not to do, or what to leave as it is: it asks for nothing."""


@dataclass(frozen=True)
class _Part:
    """What stands between two cuts."""

    start: int
    end: int
    lead: str
    """The mark that opens it."""
    plain: str
    concepts: frozenset[str]
    barred: bool
    literal: bool
    """Whether it holds a value: an identifier, a number, a date, a quoted text."""
    closes: bool
    """Whether a sentence ends with it."""

    @property
    def verbs(self) -> frozenset[str]:
        kind = load_glossary().kind
        return frozenset(concept for concept in self.concepts if kind(concept) == "verb")


def cut(masked: str, languages: tuple[str, ...]) -> tuple[Clause, ...]:
    """Cut a text, its literals blanked, into clauses.

    What holds no verb joins what follows in its sentence ("For customer A, list the orders"). What
    a word of sequence opens and what holds a value is a step of its own all the same: it shares
    the verb of its neighbour ("reserve 5 of A, then 3 of B").
    """
    found: list[Clause] = []
    waiting: list[_Part] = []
    sentence = 0
    """Position in `found` of the first clause of this sentence."""
    for part in _parts(masked, languages):
        if _in_sequence(part):
            if part.verbs and any(item.literal for item in waiting):
                found.append(_clause(waiting, part.verbs))
                waiting = []
            elif not part.verbs and part.literal and len(found) > sentence and not waiting:
                shared = frozenset(c for c in found[-1].concepts if _is_verb(c))
                found.append(_clause([part], shared))
                sentence = len(found) if part.closes else sentence
                continue
        if part.barred and waiting:
            found.append(_clause(waiting, frozenset()))
            waiting = []
        waiting.append(part)
        if part.verbs or part.barred or part.closes:
            found.append(_clause(waiting, frozenset()))
            waiting = []
        if part.closes:
            sentence = len(found)
    return tuple(clause for clause in found if clause.concepts)


def _is_verb(concept: str) -> bool:
    return load_glossary().kind(concept) == "verb"


def _clause(parts: list[_Part], verbs: frozenset[str]) -> Clause:
    tables = load_glossary().tables
    concepts = verbs.union(*(part.concepts for part in parts))
    plain = " ".join(part.plain for part in parts)
    if "approve" in concepts:
        # What a permission is for is permitted, not asked.
        concepts = frozenset(c for c in concepts if c == "approve" or not _is_verb(c))
    barred = parts[-1].barred
    if barred:
        concepts = frozenset(concept for concept in concepts if not _is_verb(concept)) or concepts
    return Clause(
        parts[0].start,
        parts[-1].end,
        concepts,
        conditional=says(plain, tables["condition"]),
        first=says(plain, tables["precedence"]),
        barred=barred,
    )


def _in_sequence(part: _Part) -> bool:
    """Whether a word such as "then" opens a part."""
    table = load_glossary().tables["sequence"]
    opening = f"{normalise(part.lead)} {part.plain.lstrip()[:12]}"
    return says(opening, table)


def _parts(masked: str, languages: tuple[str, ...]) -> Iterator[_Part]:
    glossary = load_glossary()
    cuts = {match.end(): match.group() for match in _marks().finditer(masked)}
    cuts[len(masked)] = "."
    start, lead = 0, ""
    for end, mark in sorted(cuts.items()):
        text = masked[start:end]
        bare = _IDENTIFIER_LIKE.sub(" ", text)
        concepts = frozenset(glossary.concepts(bare, languages))
        literal = bare != text or "__" in text
        closes = end == len(masked) or _SENTENCE_END.search(mark) is not None
        spoken = mark.strip().isalpha()
        if not closes and (not (concepts or literal) or (spoken and len(bare.split()) < _SHORT)):
            continue  # "before that", and "plan then 5 kg": it belongs to what follows
        plain = normalise(text)
        yield _Part(start, end, lead, plain, concepts, _barred(plain, languages), literal, closes)
        start, lead = end, mark


def _barred(plain: str, languages: tuple[str, ...]) -> bool:
    """Whether a part says what not to do: a denied verb, or a phrase such as "leave alone"."""
    table = load_glossary().tables["prohibition"]
    if says(plain, table["phrases"]):
        return True
    denials = set(phrases(table["denials"]))
    words = [match.group() for match in LATIN_TOKEN.finditer(plain)]
    kind = load_glossary().kind
    for position, word in enumerate(words):
        if word not in denials:
            continue
        for near in words[position + 1 : position + 1 + _REACH]:
            if any(kind(c) == "verb" for c in load_glossary().concepts(near, languages)):
                return True
    return False


def says(plain: str, terms: str) -> bool:
    """Whether a normalised text holds one of the terms of a glossary cell.

    Latin terms begin at a word's edge, and end at one if the cell marks them with ``$``.
    """
    pattern, whole, anywhere = _terms(terms)
    if any(term in plain for term in anywhere):
        return True
    if whole and not whole.isdisjoint(tokens(plain)):
        return True
    return pattern is not None and pattern.search(plain) is not None


@lru_cache(maxsize=512)
def _terms(terms: str) -> tuple[re.Pattern[str] | None, frozenset[str], tuple[str, ...]]:
    """Return a cell's terms: a pattern for prefixes, the whole words, those of other scripts."""
    prefixes, whole, anywhere = [], set(), []
    for term in phrases(terms):
        if not term[0].isascii():
            anywhere.append(term)
        elif term.endswith("$") and " " not in term:
            whole.add(term[:-1])
        elif term.endswith("$"):
            prefixes.append(re.escape(term[:-1]) + r"(?![a-z0-9])")
        else:
            prefixes.append(re.escape(term))
    pattern = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(prefixes)})") if prefixes else None
    return pattern, frozenset(whole), tuple(anywhere)


@lru_cache(maxsize=1)
def _marks() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{mark})" for mark in load_glossary().tables["clause_marks"]))
