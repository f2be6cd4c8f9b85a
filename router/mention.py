"""Routes that a text names exactly."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from router.contract import EndpointSpec
from router.snapshot import CatalogSnapshot
from router.text import normalise, words

__all__ = ["MentionIndex"]


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    """Normalised name."""
    plain: bool
    """A single ordinary word, which counts only where it is marked as code."""
    positions: tuple[int, ...]
    """Routes that go by this name."""


class MentionIndex:
    """Finds full route ids, and endpoint names written in code style.

    A name counts where no letter, digit or underscore of its own kind adjoins it, so that a Korean
    or Japanese particle may follow directly. An endpoint name inside a longer name that was found
    (``find_orders`` in ``orders.find_orders``) is part of that name and names nothing else. An
    endpoint name that is one ordinary word (``search``) counts in back quotes or before a bracket
    only.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        owners: defaultdict[str, list[int]] = defaultdict(list)
        coded: set[str] = set()
        for position, (route, endpoint) in enumerate(
            zip(snapshot.routes, snapshot.endpoints, strict=True)
        ):
            coded.add(normalise(route))
            for name in {normalise(route), normalise(endpoint.name)}:
                owners[name].append(position)
            if _is_code(endpoint):
                coded.add(normalise(endpoint.name))
        # Looked up by the last word: a text is compared with the few names that end in its words.
        by_word: defaultdict[str, list[_Name]] = defaultdict(list)
        for name in sorted(owners):
            parts = words(name)
            if parts:
                by_word[parts[-1]].append(_Name(name, name not in coded, tuple(owners[name])))
        self._by_word = dict(by_word)

    def find(self, text: str, known_words: Iterable[str] | None = None) -> list[int]:
        """Positions of the routes that a text names, ascending.

        Parameters
        ----------
        text
            Any text.
        known_words
            The text's ``words`` where the caller has them already.
        """
        candidates = [
            name
            for word in set(words(text) if known_words is None else known_words)
            for name in self._by_word.get(word, ())
        ]
        if not candidates:
            return []
        plain_text = normalise(text)
        spans = [
            (start, start + len(name.text), name)
            for name in candidates
            for start in _occurrences(name, plain_text)
        ]
        # By start, longest first: a span lies inside another exactly where an earlier one reaches
        # as far. Equal spans are the same name.
        spans.sort(key=lambda span: (span[0], -span[1]))
        positions: set[int] = set()
        reach = 0
        for _, end, name in spans:
            if end > reach:
                positions.update(name.positions)
                reach = end
        return sorted(positions)


def _is_code(endpoint: EndpointSpec) -> bool:
    """Whether nobody writes this name unless the endpoint is meant: it has parts."""
    return len(words(endpoint.name)) > 1


def _occurrences(name: _Name, text: str) -> Iterable[int]:
    start = text.find(name.text)
    while start >= 0:
        end = start + len(name.text)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (_continues(before, name.text[0]) or _continues(name.text[-1], after)):
            marked = (before == "`" and after == "`") or after == "("
            if marked or not name.plain:
                yield start
        start = text.find(name.text, start + 1)


_WORD = re.compile(r"\w")


def _continues(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one name."""
    if not left or not right:
        return False
    if _WORD.match(left) is None or _WORD.match(right) is None:
        return False
    return left.isascii() == right.isascii()
