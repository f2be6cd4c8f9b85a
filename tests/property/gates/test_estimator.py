from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gates.replicate
from gates.bootstrap import Scheme, iter_counts
from gates.design import Design, Sample
from gates.estimand import Estimand, Metric
from gates.estimate import Estimates, Interval, Plan
from gates.estimator import estimate

SHARE = Metric("share", "hits", "events", (0, 1))
MEAN = Metric("mean", "tokens", "episodes", None)
PLAN = Plan(iterations=120)

WANTED = (
    Estimand(SHARE, "X"),
    Estimand(SHARE, "X", "Y", "difference"),
    Estimand(SHARE, "X", "Y", "ratio"),
    Estimand(MEAN, "X"),
    Estimand(MEAN, "X", "Y", "difference"),
    Estimand(MEAN, "X", "Y", "ratio"),
)

Row = tuple[str, str, str, tuple[int, ...]]


@st.composite
def rows(draw: st.DrawFn, least: int = 2) -> list[Row]:
    """Clusters with (hits, events, tokens) of two arms; denominators may be 0."""
    found: list[Row] = []
    for stratum in "ab"[: draw(st.integers(1, 2))]:
        for language in ("en", "ko")[: draw(st.integers(1, 2))]:
            for place in range(draw(st.integers(least, 5))):
                counts: list[int] = []
                for _ in "XY":
                    events = draw(st.integers(0, 4))
                    counts += [draw(st.integers(0, events)), events, draw(st.integers(0, 10**6))]
                found.append((stratum, language, f"{stratum}{language}{place}", tuple(counts)))
    return found


def sample_of(clusters: list[Row]) -> Sample:
    design = Design.of(cluster[:3] for cluster in clusters)
    columns: dict[str, list[int]] = {"hits": [], "events": [], "tokens": []}
    for place, name in enumerate(columns):
        columns[name] = [cluster[3][place + shift] for shift in (0, 3) for cluster in clusters]
    ids = [cluster[2] for cluster in clusters] * 2
    arms = ["X"] * len(clusters) + ["Y"] * len(clusters)
    return Sample.tally(design, ids, arms, columns)


def plain_figure(estimand: Estimand, sums: dict[str, int]) -> Fraction | None:
    """What a figure is, in words of its own."""

    def ratio(arm: str) -> Fraction | None:
        above, below = (
            sums[f"{arm}/{estimand.metric.numerator}"],
            sums[f"{arm}/{estimand.metric.denominator}"],
        )
        return Fraction(above, below) if below else None

    first = ratio("X")
    second = ratio("Y") if estimand.comparator else Fraction(0)
    if first is None or second is None or (estimand.contrast == "ratio" and second == 0):
        return None
    return first / second if estimand.contrast == "ratio" else first - second


def plain_interval(
    estimand: Estimand, sample: Sample, scheme: Scheme
) -> tuple[Fraction, Fraction] | Literal["no end"]:
    """Both ends from sorted fractions, with float arithmetic nowhere."""
    sizes = sample.design.sizes
    low: list[Fraction] = []
    high: list[Fraction] = []
    for counts in iter_counts(sizes, iterations=PLAN.iterations, seed=PLAN.seed, scheme=scheme):
        for row in counts:
            # Rao and Wu's factor itself, where the estimator has whole numbers.
            factors = [
                Fraction(int(count)) * (Fraction(size, size - 1) if scheme == "companion" else 1)
                for count, size in zip(
                    row, [size for size in sizes for _ in range(size)], strict=True
                )
            ]
            scaled = [factor * 12 for factor in factors]
            sums = {
                name: int(sum(f * int(x) for f, x in zip(scaled, column, strict=True)))
                for name, column in zip(sample.names, sample.matrix.T, strict=True)
            }
            value = plain_figure(estimand, sums)
            if value is None and estimand.range is None:
                return "no end"
            low.append(Fraction(estimand.range[0]) if value is None and estimand.range else value)  # type: ignore[arg-type]
            high.append(Fraction(estimand.range[1]) if value is None and estimand.range else value)  # type: ignore[arg-type]
    rank = (PLAN.iterations + 1) * 25 // 1000
    return sorted(low)[rank - 1], sorted(high)[PLAN.iterations - rank]


@settings(max_examples=25)
@given(rows())
def test_estimates_equal_plain_fractions(clusters: list[Row]) -> None:
    sample = sample_of(clusters)
    result = estimate(sample, WANTED, PLAN)
    point = {
        name: int(column.sum()) for name, column in zip(sample.names, sample.matrix.T, strict=True)
    }
    for estimand in WANTED:
        figure = result.by_key[estimand.key]
        assert figure.value == plain_figure(estimand, point)
        if figure.value is None:
            assert figure.reason is not None
            assert figure.primary is None
            continue
        for scheme, found in (("primary", figure.primary), ("companion", figure.companion)):
            expected = plain_interval(estimand, sample, scheme)  # type: ignore[arg-type]
            if expected == "no end":
                assert found is None
                assert figure.reason is not None
            else:
                assert isinstance(found, Interval)
                assert (found.lower, found.upper) == expected


def figures(result: Estimates) -> list[object]:
    return [
        (key, figure.value, figure.primary, figure.companion, figure.reason)
        for key, figure in result.by_key.items()
    ]


@settings(max_examples=25)
@given(st.data())
def test_the_order_of_the_input_does_not_matter(data: st.DataObject) -> None:
    clusters = data.draw(rows())
    shuffled = data.draw(st.permutations(clusters))
    first, second = sample_of(clusters), sample_of(shuffled)
    assert first.design == second.design
    assert (first.matrix == second.matrix).all()
    assert figures(estimate(first, WANTED, PLAN)) == figures(estimate(second, WANTED, PLAN))


@settings(max_examples=25)
@given(st.data())
def test_point_estimates_ignore_which_task_of_a_cell_is_which(data: st.DataObject) -> None:
    clusters = data.draw(rows())
    sample = sample_of(clusters)
    starts = np.cumsum(sample.design.sizes)[:-1]
    order = [
        place
        for cell in np.split(np.arange(len(clusters)), starts)
        for place in data.draw(st.permutations(cell.tolist()))
    ]
    other = Sample(sample.design, sample.names, sample.matrix[order])
    values = [
        [figure.value for figure in estimate(given_, WANTED, PLAN).by_key.values()]
        for given_ in (sample, other)
    ]
    assert values[0] == values[1]


@settings(max_examples=25)
@given(rows(), st.integers(1, 200))
def test_figures_do_not_depend_on_the_chunk(clusters: list[Row], chunk: int) -> None:
    sample = sample_of(clusters)
    whole = figures(estimate(sample, WANTED, PLAN))

    def chunked(sizes: list[int], **options: object) -> object:
        return iter_counts(sizes, chunk=chunk, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gates.replicate, "iter_counts", chunked)
        assert figures(estimate(sample, WANTED, PLAN)) == whole


@settings(max_examples=50)
@given(rows(least=1))
def test_no_figure_leaves_its_range_or_is_not_a_number(clusters: list[Row]) -> None:
    for figure in estimate(sample_of(clusters), WANTED, PLAN).by_key.values():
        ends = [figure.value]
        for interval in (figure.primary, figure.companion):
            if interval is not None:
                assert interval.lower <= interval.upper
                ends += [interval.lower, interval.upper]
        assert figure.reason is not None or None not in ends
        for end in ends:
            if end is not None and figure.estimand.range is not None:
                low, high = figure.estimand.range
                assert low <= end <= high
        assert "nan" not in str(figure.to_json()).lower()
