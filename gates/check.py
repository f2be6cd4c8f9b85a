"""A check of the verification: what was looked at, how many of it, and what was wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self, TypeAlias


@dataclass(frozen=True)
class Check:
    """One check, done."""

    name: str
    """Such as ``hash chains``; every finding of it is told under this name."""
    count: int
    """How many things were looked at."""
    unit: str
    """What they are, in the plural."""
    findings: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, count: int, unit: str, findings: Iterable[str]) -> Self:
        """Return a check with all that it found."""
        return cls(name, count, unit, tuple(findings))


Tell: TypeAlias = Callable[[Check], None]
"""Is told of each check as soon as it is done."""


def tell_nobody(check: Check) -> None:
    """Say nothing about a check."""
