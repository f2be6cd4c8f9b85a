"""Candidates: values that a parameter could take, with the evidence for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from harness.agents.reference.evidence import value_key

Source = Literal["query", "observation", "schema"]
_MOST: Final = 16


@dataclass(frozen=True)
class Candidate:
    """A value for a parameter."""

    value: Any
    evidence: float
    """0 and up, 1 for as good as sure; beyond it, it still orders candidates."""
    source: Source
    order: int = 0
    """Position in its source."""
    key: str = ""
    """The place it comes from; two parameters of a call never take the same place."""
    clause: int = -1
    """The clause of the query that it stands in; -1 for none."""
    unused: bool = False
    """A literal of the query that no successful call has used."""
    owner: str = ""
    """The observed object that it is a field of."""
    fresh: bool = False
    """First seen in the latest observation."""


def best(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return candidates, the best first; equal values become one, with the better evidence.

    Ties keep their order: that of the text or of the observation.
    """
    merged: dict[str, Candidate] = {}
    for item in found:
        if item.evidence < 0.0:
            item = replace(item, evidence=0.0)
        key = repr(item.value) if isinstance(item.value, list) else value_key(item.value)
        other = merged.get(key)
        merged[key] = item if other is None else _joined(other, item)
    return tuple(sorted(merged.values(), key=lambda item: -item.evidence)[:_MOST])


def _joined(first: Candidate, second: Candidate) -> Candidate:
    better, other = (second, first) if second.evidence > first.evidence else (first, second)
    return replace(
        better,
        clause=max(better.clause, other.clause),
        unused=better.unused or other.unused,
        # What the query says is nothing that an observation offers for the first time.
        fresh=better.fresh and other.fresh,
    )
