"""The whole way from counts of episodes to the gate's intervals, once more in plain Python.

No array, no matrix product and no float: tasks are drawn by name and their episodes added up.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice

import pytest

from gates.design import Design, Sample
from gates.estimate import Plan
from gates.estimator import estimate
from gates.figure import FIGURES
from gates.metric_table import PROGRESSIVE as PS
from gates.metric_table import STATE_AWARE as SA
from tests.support.plain_bootstrap import drawn_clusters, order_statistics

PLAN = Plan(iterations=200)
COLUMNS = (
    "passes",
    "next_tool_events",
    "next_tool_hits",
    "initial_misses",
    "recoveries",
    "tool_schema_tokens",
)

Episode = tuple[str, str, dict[str, int]]


def episodes(sizes: dict[tuple[str, str], int], seed: int) -> list[tuple[Episode, tuple[str, str]]]:
    """Random counts of three catalogs of each task under both compared conditions, shuffled."""
    source = random.Random(seed)
    rows = []
    for cell, size in sizes.items():
        for place in range(size):
            for arm in (SA, PS):
                for _ in range(3):
                    events, misses = source.randrange(5), source.randrange(2)
                    counts = {
                        "passes": source.randrange(2),
                        "next_tool_events": events,
                        "next_tool_hits": source.randint(0, events),
                        "initial_misses": misses,
                        "recoveries": source.randint(0, misses),
                        "tool_schema_tokens": source.randrange(10**5),
                    }
                    rows.append(((f"{'/'.join(cell)}/{place}", arm, counts), cell))
    source.shuffle(rows)
    return rows


def plain_figures(total: dict[tuple[str, str], Fraction]) -> list[Fraction]:
    """The four figures of the rules of evidence, as the protocol defines them."""

    def ratio(arm: str, above: str, below: str) -> Fraction:
        return total[arm, above] / total[arm, below]

    return [
        ratio(SA, "passes", "episodes") - ratio(PS, "passes", "episodes"),
        ratio(SA, "next_tool_hits", "next_tool_events"),
        ratio(SA, "recoveries", "initial_misses") - ratio(PS, "recoveries", "initial_misses"),
        ratio(SA, "tool_schema_tokens", "episodes") - ratio(PS, "tool_schema_tokens", "episodes"),
    ]


def added_up(
    weights: dict[str, Fraction], rows: list[tuple[Episode, tuple[str, str]]]
) -> dict[tuple[str, str], Fraction]:
    total: dict[tuple[str, str], Fraction] = {}
    for (task_id, arm, counts), _ in rows:
        weight = weights.get(task_id, Fraction(0))
        for name, value in {**counts, "episodes": 1}.items():
            total[arm, name] = total.get((arm, name), Fraction(0)) + weight * value
    return total


def plain_intervals(
    rows: list[tuple[Episode, tuple[str, str]]], scheme: str
) -> list[tuple[Fraction, Fraction]]:
    cells: dict[tuple[str, str], set[str]] = {}
    for (task_id, _, _), cell in rows:
        cells.setdefault(cell, set()).add(task_id)
    ordered = [
        sorted(cells[cell], key=str.encode)
        for cell in sorted(cells, key=lambda names: tuple(name.encode() for name in names))
    ]
    sizes = [len(names) for names in ordered]
    replicates: list[list[Fraction]] = []
    for drawn in islice(drawn_clusters(sizes, PLAN.seed, scheme), PLAN.iterations):
        weights: dict[str, Fraction] = {}
        for names, places in zip(ordered, drawn, strict=True):
            factor = Fraction(len(names), len(places))
            for place in places:
                weights[names[place]] = weights.get(names[place], Fraction(0)) + factor
        replicates.append(plain_figures(added_up(weights, rows)))
    return [
        order_statistics([row[column] for row in replicates], Fraction(19, 20))
        for column in range(4)
    ]


@pytest.mark.parametrize(
    "sizes",
    [
        {("a", "en"): 6, ("a", "ko"): 6, ("b", "en"): 6},
        {("é", "en"): 2, ("z", "ko"): 5, ("a", "mixed"): 3},
    ],
)
def test_figures_and_both_intervals_agree(sizes: dict[tuple[str, str], int]) -> None:
    rows = episodes(sizes, seed=sum(sizes.values()))
    design = Design.of({(*cell, task_id) for (task_id, _, _), cell in rows})
    sample = Sample.tally(
        design,
        [task_id for (task_id, _, _), _ in rows],
        [arm for (_, arm, _), _ in rows],
        {name: [counts[name] for (_, _, counts), _ in rows] for name in COLUMNS},
    )
    result = estimate(sample, FIGURES.values(), PLAN)
    everything = {task_id: Fraction(1) for (task_id, _, _), _ in rows}
    figures = plain_figures(added_up(everything, rows))
    primary, companion = plain_intervals(rows, "primary"), plain_intervals(rows, "companion")
    for place, estimand in enumerate(FIGURES.values()):
        found = result.by_key[estimand.key]
        assert found.value == figures[place]
        assert found.primary is not None
        assert (found.primary.lower, found.primary.upper) == primary[place]
        assert found.companion is not None
        assert (found.companion.lower, found.companion.upper) == companion[place]
