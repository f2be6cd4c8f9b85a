"""The visible tools together: which words are rare among them, and who speaks of what."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from harness.agents.protocol import ToolSchema
from harness.agents.reference.glossary import load_glossary
from harness.agents.reference.policy import Policy
from harness.agents.reference.toolview import ToolView, view_tool


@dataclass(frozen=True, eq=False)
class Toolset:
    """Visible tools, ordered by name whatever order they came in."""

    views: tuple[ToolView, ...]
    by_name: Mapping[str, ToolView]
    frequency: Mapping[str, int]
    """In how many tools a concept occurs."""
    postings: Mapping[str, tuple[tuple[int, float], ...]]
    """For each concept the positions of tools that speak of it, with the weight of the place."""

    rarities: tuple[float, ...]
    """By the number of tools that speak of a concept, how much it tells: 1 down to near 0."""

    operations: tuple[tuple[tuple[str, float], ...], ...]
    """For each tool the concepts of its operation with their weights."""

    masses: tuple[float, ...]
    """For each tool the summed weight of its operation."""

    places: tuple[Mapping[str, float], ...]
    """For each tool its concepts with the weight of their place."""

    def rarity(self, concept: str) -> float:
        """Return how much a concept tells between these tools."""
        return self.rarities[self.frequency.get(concept, 0)]

    def mass(self, concepts: Iterable[str]) -> float:
        """Return the summed rarity of concepts, the same sum for the same set."""
        return math.fsum(self.rarity(concept) for concept in concepts)


_KEPT: Final = 64


class _SameTools:
    """Visible tools compared as objects: the same ones stand for the same tools in every turn."""

    def __init__(self, tools: tuple[ToolSchema, ...]) -> None:
        self.tools = tools
        self._identities = tuple(map(id, tools))
        self._hash = hash(self._identities)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        # Both hold their tools, so that no other object can have the identity of one of them.
        return isinstance(other, _SameTools) and self._identities == other._identities


def view_toolset(tools: tuple[ToolSchema, ...], policy: Policy) -> Toolset:
    """Read the visible tools; the latest results are kept, as they depend on nothing else."""
    return _same_toolset(_SameTools(tools), policy)


@lru_cache(maxsize=_KEPT)
def _same_toolset(same: _SameTools, policy: Policy) -> Toolset:
    return _view_toolset(same.tools, policy)


@lru_cache(maxsize=_KEPT)
def _view_toolset(tools: tuple[ToolSchema, ...], policy: Policy) -> Toolset:
    first: dict[str, ToolSchema] = {}
    for tool in sorted(tools, key=lambda tool: (tool.name, tool.digest)):
        first.setdefault(tool.name, tool)
    views = tuple(view_tool(tool) for tool in first.values())
    frequency: Counter[str] = Counter()
    postings: dict[str, list[tuple[int, float]]] = {}
    places = []
    for position, view in enumerate(views):
        weights: dict[str, float] = {}
        for concepts, weight in (
            (view.named, policy.parameter_weight),
            (view.service, policy.service_weight),
            (view.description, policy.description_weight),
            (view.operation, policy.operation_weight),
        ):
            for concept in concepts:
                weights[concept] = max(weight, weights.get(concept, 0.0))
        places.append(weights)
        frequency.update(weights.keys())
        for concept, weight in weights.items():
            postings.setdefault(concept, []).append((position, weight))
    count = len(views)
    rarities = tuple(
        (1 + math.log((count + 1) / (found + 1))) / (1 + math.log(count + 1))
        for found in range(count + 1)
    )
    kind = load_glossary().kind
    operations = tuple(
        tuple(
            (
                concept,
                rarities[frequency[concept]]
                * (policy.operation_verb if kind(concept) == "verb" else 1.0),
            )
            for concept in sorted(view.operation)
        )
        for view in views
    )
    return Toolset(
        views=views,
        by_name={view.name: view for view in views},
        frequency=frequency,
        postings={concept: tuple(listed) for concept, listed in postings.items()},
        rarities=rarities,
        operations=operations,
        masses=tuple(math.fsum(weight for _, weight in own) for own in operations),
        places=tuple(places),
    )
