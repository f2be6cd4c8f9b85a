"""Values that a query spells out, recognised by the patterns that a catalog registers.

What a query says is as observable as what a call answered. An identifier's own characters mean
nothing, though, so they are masked before texts are compared: renaming an identifier within its
pattern changes no ranking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from conditions.observation import IDENTIFIER_SEMANTICS
from router.contract import FieldSpec, ParameterSpec
from router.snapshot import CatalogSnapshot

__all__ = ["Literal", "LiteralReader", "QueryReading", "is_identifier", "pattern_of"]

# Letters of other scripts may adjoin, as particles do in Korean and Japanese.
_PIECE: Final = r"[0-9A-Za-z]+(?:[-_][0-9A-Za-z]+)*"
_RUN: Final = re.compile(rf"{_PIECE}(?:[./:@#+]{_PIECE})*")
_PIECES: Final = re.compile(_PIECE)
_REFERENCE: Final = re.compile(r"\\[1-9]|\(\?P|\(\?\(|\(\?[a-zA-Z]")
_DIGIT: Final = re.compile(r"[0-9]")
_SIGNS: Final = "+#"
"""May stand before a value and belong to it."""
_LONGEST_RUN: Final = 16
"""Pieces of a run that are combined; bounds the work on hostile texts."""

# What varies in a pattern; the rest is what all its identifiers share (``SHP-``).
_VARYING: Final = re.compile(r"\\.|\[[^\]]*\]|\{[^}]*\}|\(\?[:=!]|[\^$.()|?*+]")


@dataclass(frozen=True, slots=True)
class Literal:
    """An identifier in a query, and the masked text around it."""

    patterns: tuple[str, ...]
    """Registered patterns that it matches, sorted."""
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class QueryReading:
    """A query as the retriever reads it."""

    text: str
    """The query with identifiers reduced to what their pattern fixes."""
    patterns: frozenset[str]
    """Registered patterns that some literal of the query matches."""
    literals: tuple[Literal, ...] = ()
    """The identifiers that were reduced, in the order of the query."""


class LiteralReader:
    """Finds the values of a catalog's patterns in queries.

    Parameters
    ----------
    snapshot
        The catalog. Patterns that are not regular expressions to Python are left out.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        identifiers: set[str] = set()
        values: set[str] = set()
        for item in _typed(snapshot):
            pattern = pattern_of(item.json_schema)
            if pattern is not None:
                (identifiers if is_identifier(item) else values).add(pattern)
        self._shared = {
            pattern: " ".join(_VARYING.sub(" ", pattern).split()) for pattern in identifiers
        }
        self._patterns = {
            pattern: compiled
            for pattern in sorted(identifiers | values)
            if (compiled := _compiled(pattern)) is not None
        }
        # Most words match no pattern, which one search tells; unless a pattern refers to its own
        # groups, whose numbers change.
        joined = "|".join(f"(?:{pattern})" for pattern in self._patterns)
        self._any = None if _REFERENCE.search(joined) else _compiled(joined)

    def read(self, query: str) -> QueryReading:
        """Mask a query's identifiers and say which patterns its literals match."""
        matched: set[str] = set()
        kept: list[str] = []  # text between identifiers
        found: list[tuple[str, ...]] = []
        end = 0
        for run in _RUN.finditer(query):
            for start, stop, patterns in self._identifiers(query, run, matched):
                kept.append(query[end:start])
                found.append(patterns)
                end = stop
        kept.append(query[end:])
        masks = [f" {' '.join(sorted({self._shared[name] for name in item}))} " for item in found]
        pieces = [text for pair in zip(kept, [*masks, ""], strict=True) for text in pair]
        literals = tuple(
            Literal(item, "".join(pieces[: 2 * at + 1]), "".join(pieces[2 * at + 2 :]))
            for at, item in enumerate(found)
        )
        return QueryReading("".join(pieces), frozenset(matched), literals)

    def _identifiers(
        self, query: str, run: re.Match[str], matched: set[str]
    ) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return the spans of a run's identifiers, longest first, and their patterns."""
        spans = [piece.span() for piece in _PIECES.finditer(query, *run.span())]
        found = []
        first = 0
        while first < len(spans):
            last = min(len(spans), first + _LONGEST_RUN)
            while last > first:
                start, stop = spans[first][0], spans[last - 1][1]
                patterns = self._matching(query[start:stop])
                if start and query[start - 1] in _SIGNS:
                    matched.update(self._matching(query[start - 1 : stop]))
                matched.update(patterns)
                masked = tuple(name for name in patterns if name in self._shared)
                # An ordinary word can match a loose pattern; it stays text.
                if masked and _DIGIT.search(query, start, stop):
                    found.append((start, stop, masked))
                    break
                last -= 1
            first = max(last, first + 1)
        return found

    def _matching(self, literal: str) -> list[str]:
        if self._any is not None and self._any.search(literal) is None:
            return []
        return [name for name, rule in self._patterns.items() if rule.search(literal)]


def is_identifier(item: FieldSpec | ParameterSpec) -> bool:
    """Whether a field or parameter is declared to carry an identifier; names do not count."""
    return item.identifier or (item.semantic_id or "").endswith(IDENTIFIER_SEMANTICS)


def pattern_of(schema: Mapping[str, Any]) -> str | None:
    """Return the anchored pattern of a value, or of an array's elements; None without one."""
    items = schema.get("items")
    pattern = schema.get("pattern", items.get("pattern") if isinstance(items, Mapping) else None)
    if isinstance(pattern, str) and pattern.startswith("^") and pattern.endswith("$"):
        return pattern
    return None


def _typed(snapshot: CatalogSnapshot) -> Iterable[FieldSpec | ParameterSpec]:
    for endpoint in snapshot.endpoints:
        yield from endpoint.parameters
        yield from endpoint.output_fields


def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:
        return None
