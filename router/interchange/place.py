"""A place in a parsed JSON document: the value that stands there and the way to it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from router.interchange.budget import Budget
from router.interchange.error import InterchangeError

__all__ = ["MAX_INTEGER", "Place"]

MAX_INTEGER: Final = 2**53 - 1
"""Largest integer that every JSON reader understands alike (RFC 8785)."""


@dataclass(frozen=True, slots=True)
class Place:
    """A value in a document. Reading it as anything but what it is raises with its pointer."""

    value: Any
    keys: tuple[str, ...] = ()

    @property
    def pointer(self) -> str:
        """The JSON pointer (RFC 6901)."""
        return "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in self.keys)

    def error(self, what: str, remedy: str) -> InterchangeError:
        """The error that names this place."""
        return InterchangeError(what, remedy, self.pointer)

    def child(self, key: str, value: Any) -> Place:
        """A value that stands under a key of this one, or is to be taken as if it did."""
        return Place(value, (*self.keys, key))

    def mapping(self) -> dict[str, Any]:
        """The value as an object."""
        if not isinstance(self.value, dict):
            raise self._unlike("an object")
        return self.value

    def members(self) -> Iterator[tuple[str, Place]]:
        """The members of an object, in its order."""
        for key, value in self.mapping().items():
            if not isinstance(key, str):
                raise self.error("A key is no string.", "Pass what a JSON parser returned.")
            yield Place(key, self.keys).text(), self.child(key, value)

    def at(self, key: str) -> Place | None:
        """The member of an object, where it has it."""
        mapping = self.mapping()
        return self.child(key, mapping[key]) if key in mapping else None

    def need(self, key: str) -> Place:
        """The member of an object, which it has to have."""
        found = self.at(key)
        if found is None:
            raise self.error(f"There is no {key!r} here.", "Add it.")
        return found

    def items(self) -> list[Place]:
        """The items of an array."""
        if not isinstance(self.value, list):
            raise self._unlike("an array")
        return [self.child(str(index), item) for index, item in enumerate(self.value)]

    def text(self) -> str:
        """The value as a string that can be written as UTF-8."""
        if not isinstance(self.value, str):
            raise self._unlike("a string")
        try:
            self.value.encode("utf-8")
        except UnicodeEncodeError:
            raise self.error("A string holds a lone surrogate.", "Correct the text.") from None
        return self.value

    def name(self) -> str:
        """The value as a string that is not blank."""
        if not self.text().strip():
            raise self.error("A name is blank.", "Give it one.")
        return self.text()

    def flag(self) -> bool:
        """The value as true or false."""
        if not isinstance(self.value, bool):
            raise self._unlike("true or false")
        return self.value

    def optional_text(self, key: str) -> str:
        """The string under a key; empty where there is none."""
        found = self.at(key)
        return "" if found is None else found.text()

    def optional_flag(self, key: str) -> bool | None:
        """The truth value under a key; nothing where there is none, or null."""
        found = self.at(key)
        return None if found is None or found.value is None else found.flag()

    def data(self, budget: Budget, depth: int = 0) -> Any:
        """A copy of the value, whatever JSON it is.

        Raises
        ------
        InterchangeError
            For what JSON does not have, for integers beyond ±(2**53 - 1), and beyond the bounds.
        """
        budget.spend(self, depth)
        value = self.value
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text()
        if isinstance(value, dict):
            return {key: place.data(budget, depth + 1) for key, place in self.members()}
        if isinstance(value, list):
            return [place.data(budget, depth + 1) for place in self.items()]
        if isinstance(value, int) and abs(value) <= MAX_INTEGER:
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        if isinstance(value, (int, float)):
            raise self.error(
                "A number is not finite, or an integer beyond 2**53 - 1.", "Leave it out."
            )
        raise self._unlike("a JSON value")

    def _unlike(self, expected: str) -> InterchangeError:
        return self.error(
            f"Here should be {expected}, not {type(self.value).__name__}.", "Correct the document."
        )
