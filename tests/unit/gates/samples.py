"""Small samples with known answers, and every draw that a bootstrap could make of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import numpy.typing as npt

from gates.bootstrap import Scheme, companion_weights
from gates.design import Design, Sample
from gates.estimand import Estimand, Metric, evaluate
from gates.estimate import Plan
from gates.estimator import estimate
from gates.gate import Gate, decide, gate_estimands
from gates.metric_table import COLUMNS, CONDITIONS
from gates.replicate import add_up

Columns = Mapping[str, Sequence[int]]


def design_of(sizes: Sequence[int]) -> Design:
    """Cells c00, c01, ... of the given sizes, all in English."""
    return Design.of(
        (f"c{cell:02}", "en", f"task-{cell:02}-{place:03}")
        for cell, size in enumerate(sizes)
        for place in range(size)
    )


def sample_of(sizes: Sequence[int], columns: Columns) -> Sample:
    """Full column names with one whole number a cluster."""
    matrix = np.array(list(columns.values()), dtype=np.int64).T.copy()
    return Sample(design_of(sizes), tuple(columns), matrix)


def level(numerator: str, denominator: str, *, share: bool = True) -> Estimand:
    """Ratio of two columns of a condition named X."""
    return Estimand(Metric("figure", numerator, denominator, (0, 1) if share else None), "X")


def every_draw(sizes: Sequence[int], scheme: Scheme) -> Iterator[list[int]]:
    """Every equally likely row of counts."""
    fewer = 0 if scheme == "primary" else 1
    slots = [
        range(sum(sizes[:cell]), sum(sizes[:cell]) + size)
        for cell, size in enumerate(sizes)
        for _ in range(size - fewer)
    ]
    for drawn in product(*slots):
        yield [drawn.count(cluster) for cluster in range(sum(sizes))]


def exact_law(sample: Sample, estimand: Estimand, scheme: Scheme) -> list[Fraction | None]:
    """The figure of every equally likely draw, through the estimator's own functions."""
    sizes = sample.design.sizes
    weights: list[int] | None = None
    if scheme == "companion":
        by_cell = companion_weights(sizes)
        weights = [w for w, n in zip(by_cell, sizes, strict=True) for _ in range(n)]
    counts = np.array(list(every_draw(sizes, scheme)), dtype=np.int64)
    sums = sample.select(estimand.columns)
    totals = add_up(estimand.columns, sums, [counts], weights)
    law: list[Fraction | None] = []
    for replicate in range(len(counts)):
        total = totals.at(replicate)
        defined = all(total(name) for name in estimand.divisors)
        law.append(evaluate(estimand, total) if defined else None)
    return law


def variance(law: Sequence[Fraction | None]) -> Fraction:
    """Exact variance of equally likely values."""
    values = [value for value in law if value is not None]
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values)


def grid(changes: Mapping[str, Sequence[int] | int], *, tasks: int = 50, cells: int = 5) -> Sample:
    """A study of one episode a task and condition, in which all rules hold unless it is changed.

    Keys of `changes` are ``<condition>/<column>``; a single number n is a 1 on the first n tasks.
    """
    usual = {
        "episodes": 1,
        "passes": 1,
        "next_tool_events": 2,
        "next_tool_hits": 2,
        "next_tool_events_first_arrivals": 1,
        "next_tool_hits_first_arrivals": 1,
        "required_steps": 2,
        "completed_steps": 2,
        "initial_misses": 1,
        "common_misses": 1,
        "policy_attempts": 3,
        "policy_consistent": 3,
        "narrow_episodes": 1,
    }
    columns: dict[str, npt.NDArray[np.int64]] = {}
    for condition in CONDITIONS:
        for column in COLUMNS:
            value = usual.get(column, 0)
            if condition == "SR-5-STATE-AWARE":
                value = 1 if "recoveries" in column else value
                value = 100 if column.endswith("tool_schema_tokens") else value
            elif column.endswith("tool_schema_tokens"):
                value = 900
            columns[f"{condition}/{column}"] = np.full(tasks, value, dtype=np.int64)
    for name, change in changes.items():
        if name not in columns:
            raise KeyError(name)
        if isinstance(change, int):
            columns[name] = (np.arange(tasks) < change).astype(np.int64)
        else:
            columns[name] = np.array(change, dtype=np.int64)
    matrix = np.array(list(columns.values())).T.copy()
    return Sample(design_of([tasks // cells] * cells), tuple(columns), matrix)


def gate_of(changes: Mapping[str, Sequence[int] | int], tasks: int = 50) -> Gate:
    """The gate of a changed `grid`, with few replicates."""
    sample = grid(changes, tasks=tasks)
    return decide(estimate(sample, gate_estimands(), Plan(iterations=400)))
