"""The query-blind prior: whether the gold of a split can be guessed without reading a query.

A prior that learns from one split which endpoints tend to be needed scores the endpoints of the
smallest catalog, which holds every route of every task. If its scores find the gold of another
split better than chance, the study would reward that instead of retrieval.

Each feature puts an endpoint into a category; the score is the sum, over the features, of the
logarithm of how often the first split needs an endpoint of the category, with one pseudo-count.
The statistic is the mean, over tasks and the routes that they need, of the share of other endpoints
that score lower (ties count half); 0.5 is chance. The test permutes the scores among the endpoints,
which keeps how often the second split needs each, and is one-sided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from router.snapshot import CatalogSnapshot
from surface.task import Task
from surface.validation.problem import Problem

SEED: Final = 20260929
PERMUTATIONS: Final = 10_000
LEVEL: Final = 0.05
"""The prior of all features together finds the gold if its p-value is lower."""
_BINS: Final = 5


@dataclass(frozen=True)
class PriorTest:
    """How well a prior finds the gold."""

    feature: str
    found: float
    """Mean share of other endpoints that score lower than the gold; 0.5 is chance."""
    p_value: float
    """Of a found share as high or higher, with the scores permuted among the endpoints."""


def blind_tests(
    tasks: Sequence[Task], snapshot: CatalogSnapshot, order: Sequence[str]
) -> tuple[PriorTest, ...]:
    """Fit a prior on the tasks of dev and test it on those of frozen.

    Parameters
    ----------
    tasks
        Tasks of both splits.
    snapshot
        The smallest catalog, which holds the routes of all tasks.
    order
        All routes in the order of the files.

    Returns
    -------
    tuple of PriorTest
        One for each feature, the last for all together; empty where a split has no tasks.
    """
    known, unseen = ([task for task in tasks if task.split == split] for split in ("dev", "frozen"))
    if not known or not unseen:
        return ()
    learned, sought = _needs(known, snapshot), _needs(unseen, snapshot)
    scores = {
        name: _scores(categories, learned) for name, categories in features(snapshot, order).items()
    }
    scores["all together"] = np.sum(list(scores.values()), axis=0)
    return tuple(_test(name, score, sought) for name, score in scores.items())


def check_prior(tests: Sequence[PriorTest]) -> Iterator[Problem]:
    """Refuse gold that the prior of all features together finds; no test finds nothing."""
    if tests and tests[-1].p_value < LEVEL:
        whole = tests[-1]
        worst = min(tests[:-1], key=lambda item: item.p_value)
        yield Problem(
            "splits dev, frozen",
            f"A prior that reads no query and learned from dev finds the gold of frozen "
            f"({whole.found:.2f} of the other endpoints score lower, p = {whole.p_value:.4f}; most "
            f"by {worst.feature}).",
            "Use other routes, above all those that dev does not use.",
        )


def features(snapshot: CatalogSnapshot, order: Sequence[str]) -> Mapping[str, NDArray[np.int64]]:
    """Return the category of each route by feature; arrays are parallel to the catalog's routes."""
    lengths = np.array([len(item.description) for item in snapshot.endpoints])
    held = [route for route in order if route in snapshot]
    positions = {route: number for number, route in enumerate(held)}
    starts: dict[str, int] = {}
    for route in held:
        starts.setdefault(route.split(".")[0], positions[route])
    place = np.array([positions[route] for route in snapshot.routes])
    within = np.array([positions[r] - starts[r.split(".")[0]] for r in snapshot.routes])
    return {
        "route id": np.arange(len(snapshot.routes)),
        "description length": _bins(lengths),
        "file order": _bins(place),
        "order within the file": np.minimum(within, _BINS - 1),
    }


def _bins(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cut values into groups of nearly equal size by rank; equal values share a group."""
    below = np.searchsorted(np.sort(values), values, side="left")
    return np.asarray(below * _BINS // len(values), dtype=np.int64)


def _needs(tasks: Sequence[Task], snapshot: CatalogSnapshot) -> NDArray[np.float64]:
    """Return how many tasks need each route."""
    counts = Counter(route for task in tasks for route in task.required_routes)
    return np.array([counts[route] for route in snapshot.routes], dtype=np.float64)


def _scores(categories: NDArray[np.int64], needs: NDArray[np.float64]) -> NDArray[np.float64]:
    gold = np.bincount(categories, weights=needs)
    chance = np.bincount(categories) * needs.mean()
    # A category without endpoints has no score, and no endpoint asks for it.
    rate = (gold + 1) / (chance + 1)
    return np.asarray(np.log(rate)[categories])


def _test(name: str, scores: NDArray[np.float64], sought: NDArray[np.float64]) -> PriorTest:
    rounded = np.round(scores, 9)
    lower = (rounded[None, :] < rounded[:, None]).sum(axis=1)
    equal = (rounded[None, :] == rounded[:, None]).sum(axis=1) - 1
    shares = (lower + equal / 2) / (len(scores) - 1)
    weights = sought / sought.sum()
    found = float(shares @ weights)
    draws = np.random.Generator(np.random.PCG64(SEED))
    permuted = draws.permuted(np.tile(shares, (PERMUTATIONS, 1)), axis=1) @ weights
    as_high = int((permuted >= found - 1e-12).sum())
    return PriorTest(name, found, (as_high + 1) / (PERMUTATIONS + 1))
