"""The catalogs' sizes, and that each one stands unchanged in the next larger one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from router.snapshot import CatalogSnapshot
from surface.validation.problem import Problem


def check_sizes(
    snapshots: Mapping[int, CatalogSnapshot], sizes: Mapping[int, int]
) -> Iterator[Problem]:
    """Compare the number of endpoints in each catalog with the one required."""
    for tier, required in sizes.items():
        found = len(snapshots[tier].routes)
        if found != required:
            yield Problem(
                f"catalog {tier}",
                f"The catalog holds {found} endpoints instead of {required}.",
                "Correct the tiers in the service files.",
            )


def check_nesting(snapshots: Mapping[int, CatalogSnapshot]) -> Iterator[Problem]:
    """Prove that every route of a catalog has the same contract in the next larger one."""
    for smaller, larger in pairwise(sorted(snapshots)):
        inner, outer = snapshots[smaller], snapshots[larger]
        for route, endpoint in zip(inner.routes, inner.endpoints, strict=True):
            if route not in outer:
                yield Problem(
                    f"catalog {larger}: {route}",
                    f"The route stands in catalog {smaller} and is missing here.",
                    "Let the larger catalog hold every route of the smaller one.",
                )
            elif outer.endpoint(route) != endpoint:
                yield Problem(
                    f"catalog {larger}: {route}",
                    f"The route's contract differs from the one in catalog {smaller}.",
                    "Give the route one contract in every catalog.",
                )
