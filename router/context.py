"""What a host declares beyond spelling: synonyms and unit conversions."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import field_validator

from router.record import Record

__all__ = ["CompatibilityContext", "SemanticEquivalence", "UnitConversion"]


class SemanticEquivalence(Record):
    """Semantic ids that mean the same to the host."""

    canonical_id: str
    aliases: frozenset[str] = frozenset()

    def contains(self, semantic_id: str) -> bool:
        """Whether the id is one of the group."""
        return semantic_id == self.canonical_id or semantic_id in self.aliases


class UnitConversion(Record):
    """A conversion that the host can carry out, in this direction only."""

    dimension: str
    from_unit: str
    to_unit: str


class CompatibilityContext(Record):
    """What the host declares to be the same, or convertible.

    Groups that share an id become one, whose canonical id is the first by code point; groups stand
    in the order of their canonical ids. Conversions are neither reversed nor chained.
    """

    semantic_equivalences: tuple[SemanticEquivalence, ...] = ()
    unit_conversions: tuple[UnitConversion, ...] = ()

    @field_validator("semantic_equivalences")
    @classmethod
    def _disjoint(cls, groups: tuple[SemanticEquivalence, ...]) -> tuple[SemanticEquivalence, ...]:
        return _merged({group.canonical_id, *group.aliases} for group in groups)

    def semantics_equivalent(self, left: str, right: str) -> bool:
        """Whether two semantic ids are the same, or declared to mean the same."""
        return left == right or any(
            group.contains(left) and group.contains(right) for group in self.semantic_equivalences
        )

    def unit_convertible(self, dimension: str, from_unit: str, to_unit: str) -> bool:
        """Whether a unit of a dimension is the other, or declared to be convertible into it."""
        return from_unit == to_unit or any(
            (known.dimension, known.from_unit, known.to_unit) == (dimension, from_unit, to_unit)
            for known in self.unit_conversions
        )

    def canonical_ids(self) -> dict[str, str]:
        """The canonical id of each semantic id that belongs to a group."""
        return {
            member: group.canonical_id
            for group in self.semantic_equivalences
            for member in (group.canonical_id, *group.aliases)
        }


def _merged(groups: Iterable[set[str]]) -> tuple[SemanticEquivalence, ...]:
    disjoint: list[set[str]] = []
    for group in groups:
        joined = set(group)
        apart = []
        for other in disjoint:
            if joined.isdisjoint(other):
                apart.append(other)
            else:
                joined |= other
        disjoint = [*apart, joined]
    return tuple(
        SemanticEquivalence(canonical_id=first, aliases=frozenset(group) - {first})
        for first, group in sorted((min(group), group) for group in disjoint)
    )
