"""The order of the endpoints in a service file, which must tell nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from surface.service import Service
from surface.validation.problem import Problem


def check_arrangement(services: Iterable[Service]) -> Iterator[Problem]:
    """Check that endpoints stand by tier, then by name.

    Whoever writes a file puts first what is used first, so that a place in it would say what tasks
    need. The first endpoint out of order is named.
    """
    for service in services:
        keys = [(item.tier, item.endpoint.name) for item in service.listings]
        for before, after in pairwise(keys):
            if after < before:
                yield Problem(
                    f"{service.name}.{after[1]}",
                    f"The endpoint stands behind {before[1]!r}; endpoints go by tier, then name.",
                    "Move it up.",
                )
                break
