"""Coherence: what belongs to one thing is taken from one record."""

from __future__ import annotations

from collections.abc import Mapping

from harness.agents.reference.candidate import Candidate
from harness.agents.reference.evidence import Evidence, is_reference, value_key


def owners_of(chosen: Mapping[str, Candidate], evidence: Evidence) -> frozenset[str]:
    """Return the observed objects that the chosen arguments are or are named in."""
    found: set[str] = set()
    for item in chosen.values():
        if item.owner:
            found.add(item.owner)
        elif is_reference(item.value):
            found |= evidence.owners.get(value_key(item.value), frozenset())
    return frozenset(found)


def coherence(item: Candidate, owners: frozenset[str], evidence: Evidence) -> float:
    """Return what an observed value gains by standing in the record of what was chosen.

    It loses as much by standing in another record of the same list.
    """
    if not item.owner or not owners:
        return 0.0
    if item.owner in owners:
        return evidence.policy.grades.same_record
    array = _array(item.owner)
    rival = array is not None and any(_array(owner) == array for owner in owners)
    return -evidence.policy.grades.same_record if rival else 0.0


def _array(owner: str) -> str | None:
    """Return the list that an object is an element of."""
    array, _, index = owner.rpartition("/")
    return array if index.isdigit() else None
