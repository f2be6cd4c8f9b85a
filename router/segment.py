"""From a request to its parts: sentences, clauses, windows and terms, in every script.

A request asks for several things. Its parts are compared with a catalog one by one, so that one
wish is not drowned by the others; their order is kept, since requests mostly tell first what is to
be done first. A pure function of the text: no language is guessed, all rules apply to all texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from router.text import is_unspaced, words

__all__ = ["Segment", "Segmentation", "Term", "segment", "term_forms"]

# Marks that end a sentence or a clause wherever they stand, and those that do so before white space
# only: inside "12,5", "10:30" or "orders.find" they join.
_ENDS = "。！？．｡।॥۔؟።။།៕…\n\r\u2028\u2029"
_ENDS_BEFORE_SPACE = ".!?"
_BREAKS = '、，；：､،؛፣፤၊「」『』（）【】《》〈〉()[]{}«»“”„‟"¿¡–—―'
_BREAKS_BEFORE_SPACE = ",;:"
_SENTENCE = re.compile(
    rf"[{re.escape(_ENDS)}]+|[{re.escape(_ENDS_BEFORE_SPACE)}]+(?=[\s\"'”’»)\]]|$)"
)
_CLAUSE = re.compile(
    rf"[{re.escape(_BREAKS)}]+|[{re.escape(_BREAKS_BEFORE_SPACE)}]+(?=\s|$)|(?<=\s)-+(?=\s)"
)
# Words and endings that join two wishes: and, then, before, when, but and their like. A closed list
# of function words; what they join is never among them.
_CONNECTIVE = re.compile(
    r"\b(?:and|then|but|so that|after that|afterwards|before|once|because|while|which|where|when|if"
    r"|und|dann|danach|anschließend|sobald|aber|denn|damit|bevor|falls|wenn|weil|zuerst"
    r"|y|luego|después|pero|cuando|para que|antes|porque|aunque|si|que)\b"
    r"|그런 다음|그리고|그다음|다음에|하고|해서|한 뒤|한 다음|고 나서|지만|니까"
    r"|そして|それから|次に|続けて|そのうえで|その後|まず|また|ので|たら|てから",
    re.IGNORECASE,
)
_MOST_CLAUSES = 64
"""Later clauses stand in the whole text only; bounds the work on hostile texts."""
_LONG_CLAUSE = 20
_WINDOW, _STEP = 12, 6
_LONG_RUN = 40
_RUN_WINDOW, _RUN_STEP = 24, 12

_SHORTEST_TERM = 2
_LONGEST_PARTICLE = 3
_PIECE = 6  # characters of a script without word breaks
_HANGUL = re.compile("[\u1100-\u11ff\uac00-\ud7ff]+")
_HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]+")
_HIRAGANA = re.compile("[\u3041-\u309f]+")
_SCRIPT = re.compile("|".join(item.pattern for item in (_HANGUL, _HAN, _KATAKANA, _HIRAGANA)))


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a text, and the clauses that it spans."""

    text: str
    first: int
    last: int
    """Positions of its first and last clause."""


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of a text in the forms under which a catalog may know it."""

    forms: tuple[str, ...]
    clause: int
    """Position of the clause that it stands in."""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The parts of a text, in the order of the text."""

    clauses: tuple[str, ...]
    """Parts between marks and connectives that hold at least one term."""
    segments: tuple[Segment, ...]
    """The whole text, its sentences, clauses and windows; each text once, the whole first."""
    terms: tuple[Term, ...]

    @property
    def n_clauses(self) -> int:
        """Number of clauses, at least one: a text without any is one clause."""
        return max(1, len(self.clauses))

    def texts(self) -> tuple[str, ...]:
        """Every text that stands for a part, each once."""
        forms = (form for term in self.terms for form in term.forms)
        return tuple(dict.fromkeys([*(item.text for item in self.segments), *forms]))


def segment(text: str) -> Segmentation:
    """Take a text apart.

    Sentences end at the full stops of all scripts; clauses at commas, brackets, quotation marks,
    dashes and connectives. Clauses of more than 20 words, or 40 characters where words are not
    spaced, also give overlapping windows of 12 words or 24 characters.
    """
    whole = " ".join(text.split())
    spans: dict[str, tuple[int, int]] = {whole: (0, 0)}
    terms: list[Term] = []
    clauses: list[str] = []
    for sentence in _split(_SENTENCE, text):
        first = len(clauses)
        for clause in _parts(sentence):
            at = len(clauses)
            if at == _MOST_CLAUSES:
                break
            found = [forms for word in words(clause) for forms in term_forms(word)]
            if not found:
                continue
            terms += [Term(forms, at) for forms in found]
            for part in (clause, *_windows(clause)):
                spans.setdefault(part, (at, at))
            clauses.append(clause)
        if len(clauses) > first:
            spans.setdefault(sentence, (first, len(clauses) - 1))
    spans[whole] = (0, max(0, len(clauses) - 1))
    return Segmentation(
        clauses=tuple(clauses),
        segments=tuple(Segment(part, *span) for part, span in spans.items()),
        terms=tuple(terms),
    )


@lru_cache(maxsize=1 << 14)
def term_forms(word: str) -> tuple[tuple[str, ...], ...]:
    """Forms of the content words in an item of :func:`router.text.words`.

    A spaced word is its own form; numbers and single letters mean nothing alone. A Hangul run may
    end in a particle of up to three syllables, so its beginnings are forms too. A run of Han
    characters may be a compound, so its pairs are. Katakana runs are words. Hiragana runs are
    inflections and particles. Other unspaced scripts give overlapping pieces.
    """
    if not is_unspaced(word):
        return () if len(word) < _SHORTEST_TERM or word.isdecimal() else ((word,),)
    found: list[tuple[str, ...]] = []
    end = 0
    for run in _SCRIPT.finditer(word):
        found += _pieces(word[end : run.start()])
        end = run.end()
        part = run.group()
        if len(part) < _SHORTEST_TERM or _HIRAGANA.match(part):
            continue
        if _HANGUL.match(part):
            shortest = max(_SHORTEST_TERM, len(part) - _LONGEST_PARTICLE)
            found.append(tuple(part[:length] for length in range(len(part), shortest - 1, -1)))
        elif _HAN.match(part) and len(part) > _SHORTEST_TERM:
            found.append((part, *_grams(part, _SHORTEST_TERM, 1)))
        else:
            found.append((part,))
    found += _pieces(word[end:])
    return tuple(tuple(dict.fromkeys(forms)) for forms in found)


def _pieces(run: str) -> list[tuple[str, ...]]:
    return [(piece,) for piece in _grams(run, _PIECE, _PIECE // 2) if len(piece) > 1]


def _grams(text: str, length: int, step: int) -> list[str]:
    last = max(1, len(text) - length + step)
    return [text[at : at + length] for at in range(0, last, step)]


def _split(marks: re.Pattern[str], text: str) -> list[str]:
    return [" ".join(part.split()) for part in marks.split(text) if part and not part.isspace()]


def _parts(sentence: str) -> list[str]:
    return [part for clause in _split(_CLAUSE, sentence) for part in _split(_CONNECTIVE, clause)]


def _windows(clause: str) -> list[str]:
    spaced = clause.split()
    if len(spaced) > _LONG_CLAUSE:
        starts = range(0, len(spaced) - _WINDOW + _STEP, _STEP)
        return [" ".join(spaced[at : at + _WINDOW]) for at in starts]
    if len(spaced) == 1 and len(clause) > _LONG_RUN:
        return _grams(clause, _RUN_WINDOW, _RUN_STEP)
    return []
