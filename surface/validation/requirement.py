"""What is required of catalogs and splits, as numbers (design, surface; protocol, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from surface.catalog import SIZES


@dataclass(frozen=True)
class Spread:
    """How many endpoints have to meet at a common identifier."""

    consumers: int
    producers: int


@dataclass(frozen=True)
class CatalogRequirement:
    """What the catalogs have to be."""

    sizes: Mapping[int, int]
    """Number of endpoints by tier; the tiers give the order of nesting."""
    services: int
    """Fewest services in the largest catalog."""
    spread: Mapping[int, Spread]
    """Fewest consumers and producers of each common identifier, by tier."""
    arranged: bool = True
    """Whether the endpoints of a service go by tier, then name."""


@dataclass(frozen=True)
class SplitRequirement:
    """What the tasks of a split have to be."""

    per_cell: int
    """Tasks in each stratum x language cell, exactly."""
    chain_uses: int
    """Most tasks with one chain of routes."""
    chains: int = 0
    """Fewest distinct chains."""
    routes: int = 0
    """Fewest routes of the smallest catalog that the tasks use."""
    repeats: int = 0
    """Fewest tasks that need a route twice."""
    varied: bool = False
    """Whether every kind of failure, of code-switching and of temptation has to occur."""


CATALOGS: Final = CatalogRequirement(
    sizes=MappingProxyType({size: size for size in SIZES}),
    services=20,
    spread=MappingProxyType({100: Spread(4, 2), 500: Spread(12, 3)}),
)

SPLITS: Final[Mapping[str, SplitRequirement]] = MappingProxyType(
    {
        "dev": SplitRequirement(per_cell=1, chain_uses=2),
        "frozen": SplitRequirement(
            per_cell=6, chain_uses=2, chains=120, routes=80, repeats=18, varied=True
        ),
    }
)
