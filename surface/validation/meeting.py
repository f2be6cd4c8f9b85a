"""Where terms meet: which endpoints consume and produce a semantic id, and that every one is used.

A common identifier with few consumers would make the next step easy to guess; the counts keep the
catalogs as crowded as a real platform.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from router.snapshot import CatalogSnapshot
from surface.validation.problem import Problem
from surface.validation.requirement import Spread
from surface.vocabulary import Vocabulary


@dataclass(frozen=True)
class Meeting:
    """The routes at which one semantic id stands."""

    consumers: set[str] = field(default_factory=set)
    """Routes with a parameter of it."""
    producers: set[str] = field(default_factory=set)
    """Routes with an output field of it."""


def meetings(snapshot: CatalogSnapshot) -> Mapping[str, Meeting]:
    """Return consumers and producers of every semantic id that a catalog uses."""
    found: defaultdict[str, Meeting] = defaultdict(Meeting)
    for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True):
        for parameter in endpoint.parameters:
            found[parameter.semantic_id or ""].consumers.add(route)
        for output in endpoint.output_fields:
            found[output.semantic_id or ""].producers.add(route)
    return found


def check_common(
    snapshots: Mapping[int, CatalogSnapshot],
    vocabulary: Vocabulary,
    spread: Mapping[int, Spread],
) -> Iterator[Problem]:
    """Count the consumers and producers of every common identifier."""
    for tier, required in spread.items():
        found = meetings(snapshots[tier])
        for semantic_id in (name for name, term in vocabulary.terms.items() if term.common):
            meeting = found.get(semantic_id, Meeting())
            for kind, routes, least in (
                ("consumers", meeting.consumers, required.consumers),
                ("producers", meeting.producers, required.producers),
            ):
                if len(routes) < least:
                    yield Problem(
                        f"catalog {tier}: {semantic_id}",
                        f"The identifier has {len(routes)} {kind}, fewer than {least}.",
                        "Add endpoints that use it.",
                    )


def check_used(snapshot: CatalogSnapshot, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Find the terms that no endpoint of the largest catalog uses."""
    used = meetings(snapshot)
    for semantic_id in vocabulary.terms:
        if semantic_id not in used:
            yield Problem(
                f"vocabulary: {semantic_id}",
                "No endpoint uses the term.",
                "Use it or remove it from the vocabulary.",
            )
