"""Identifiers that a query spells out, recognised by the patterns that a catalog registers.

What a query says is as observable as what a call answered. An identifier's own characters mean
nothing, though, so they are masked before texts are compared: renaming an identifier within its
pattern changes no ranking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from conditions.observation import IDENTIFIER_SEMANTICS
from router.contract import FieldSpec, ParameterSpec
from router.snapshot import CatalogSnapshot

__all__ = ["LiteralReader", "QueryReading", "is_identifier", "pattern_of"]

# Letters of other scripts may adjoin, as particles do in Korean and Japanese.
_PIECE: Final = r"[0-9A-Za-z]+(?:[-_][0-9A-Za-z]+)*"
_RUN: Final = re.compile(rf"{_PIECE}(?:[./:@#+]{_PIECE})*")
_PIECES: Final = re.compile(_PIECE)
_DIGIT: Final = re.compile(r"[0-9]")
_LONGEST_RUN: Final = 16
"""Pieces of a run that are combined; bounds the work on hostile texts."""

# What varies in a pattern; the rest is what all its identifiers share (``SHP-``).
_VARYING: Final = re.compile(r"\\.|\[[^\]]*\]|\{[^}]*\}|\(\?[:=!]|[\^$.()|?*+]")


@dataclass(frozen=True, slots=True)
class QueryReading:
    """A query as the retriever reads it."""

    text: str
    """The query with identifiers reduced to what their pattern fixes."""
    patterns: frozenset[str]
    """Registered patterns that some literal of the query matches."""


class LiteralReader:
    """Finds a catalog's identifiers in queries.

    Parameters
    ----------
    snapshot
        The catalog. Patterns that are not regular expressions to Python are left out.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        patterns = {
            pattern
            for item in _typed(snapshot)
            if is_identifier(item) and (pattern := pattern_of(item.json_schema)) is not None
        }
        self._patterns = {
            pattern: (compiled, " ".join(_VARYING.sub(" ", pattern).split()))
            for pattern in sorted(patterns)
            if (compiled := _compiled(pattern)) is not None
        }

    def read(self, query: str) -> QueryReading:
        """Mask a query's identifiers and say which patterns they match."""
        matched: set[str] = set()
        masked: list[str] = []
        end = 0
        for run in _RUN.finditer(query):
            for start, stop, shared in self._identifiers(query, run, matched):
                masked += (query[end:start], " ", shared, " ")
                end = stop
        return QueryReading("".join([*masked, query[end:]]), frozenset(matched))

    def _identifiers(
        self, query: str, run: re.Match[str], matched: set[str]
    ) -> Iterator[tuple[int, int, str]]:
        """Yield the spans of a run's identifiers, longest first, and what their patterns share."""
        spans = [piece.span() for piece in _PIECES.finditer(query, *run.span())]
        first = 0
        while first < len(spans):
            last = min(len(spans), first + _LONGEST_RUN)
            while last > first:
                start, stop = spans[first][0], spans[last - 1][1]
                literal = query[start:stop]
                found = [name for name, (rule, _) in self._patterns.items() if rule.search(literal)]
                matched.update(found)
                # An ordinary word can match a loose pattern; it stays text.
                if found and _DIGIT.search(literal):
                    shared = sorted({self._patterns[name][1] for name in found})
                    yield start, stop, " ".join(shared)
                    break
                last -= 1
            first = max(last, first + 1)


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
