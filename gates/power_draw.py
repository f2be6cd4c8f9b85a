"""Simulated studies as sums per task, in the columns of `gates.metric_table`.

Every number comes from raw words of Philox, which NumPy promises to keep: a simulation repeats to
the last digit on any machine. Words are used up study by study, so that the number of studies drawn
at a time changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from gates.metric_table import PROGRESSIVE, STATE_AWARE
from gates.power_model import Scenario

__all__ = ["FIRST_STREAM", "Columns", "draw_passes", "draw_studies"]

FIRST_STREAM: Final = 1_000
"""Simulations use streams from here on, far from those of the analyses."""

_BATCH_WORDS: Final = 4_000_000
_MANTISSA: Final = np.uint64(11)

Columns = Mapping[str, npt.NDArray[np.int64]]
"""Sums by ``<condition>/<column>``, shape (T tasks, S studies), or (T, 1) where all agree."""

Uniform = npt.NDArray[np.float64]


def draw_studies(scenario: Scenario, studies: int, *, seed: int, stream: int) -> Iterator[Columns]:
    """Yield batches of studies with every column that the four rules of evidence need."""
    longest = max(scenario.rates.steps)
    for drawn in _uniform(scenario, studies, 5 + 3 * longest, seed, stream):
        passes, missed, first, second, widened = drawn[:5]
        yield {
            **_passes(scenario, passes),
            **_recall(scenario, drawn[5:]),
            **_recoveries(scenario, missed, first, second),
            **_tokens(scenario, widened),
        }


def draw_passes(scenario: Scenario, studies: int, *, seed: int, stream: int) -> Iterator[Columns]:
    """Yield batches of studies with the columns of task pass alone."""
    for drawn in _uniform(scenario, studies, 1, seed, stream):
        yield _passes(scenario, drawn[0])


def _uniform(
    scenario: Scenario, studies: int, parts: int, seed: int, stream: int
) -> Iterator[list[Uniform]]:
    """Yield uniform numbers below 1, one array of shape (T, S, C) a part, alike over catalogs."""
    tasks, catalogs = scenario.tasks, scenario.catalogs
    each = parts * tasks * (1 + 2 * catalogs)
    repeats = scenario.rates.catalog_correlation**0.5
    generator = np.random.Philox(key=((FIRST_STREAM + stream) << 64) | seed)
    rows = max(1, _BATCH_WORDS // each)
    for begin in range(0, studies, rows):
        count = min(rows, studies - begin)
        words = generator.random_raw(count * each) >> _MANTISSA
        numbers = (words * 2.0**-53).reshape(count, parts, tasks, 1 + 2 * catalogs)
        common, own, whether = np.split(numbers, [1, 1 + catalogs], axis=3)
        alike: Uniform = np.asarray(np.where(whether < repeats, common, own), dtype=np.float64)
        yield list(np.ascontiguousarray(np.transpose(alike, (1, 2, 0, 3))))


def _passes(scenario: Scenario, drawn: Uniform) -> dict[str, npt.NDArray[np.int64]]:
    both, first, second = (scenario.pairs[:, place, np.newaxis, np.newaxis] for place in range(3))
    either = drawn < both
    alone = (drawn >= both) & (drawn < both + first)
    other = (drawn >= both + first) & (drawn < both + first + second)
    episodes = np.full((scenario.tasks, 1), scenario.catalogs, dtype=np.int64)
    return {
        f"{STATE_AWARE}/passes": _sum(either | alone),
        f"{STATE_AWARE}/episodes": episodes,
        f"{PROGRESSIVE}/passes": _sum(either | other),
        f"{PROGRESSIVE}/episodes": episodes,
    }


def _recall(scenario: Scenario, drawn: list[Uniform]) -> dict[str, npt.NDArray[np.int64]]:
    """Count an event for every step but the first, and for every retried step another."""
    rates, steps = scenario.rates, scenario.steps[:, np.newaxis, np.newaxis]
    events = np.zeros(drawn[0].shape, dtype=np.int64)
    hits = np.zeros(drawn[0].shape, dtype=np.int64)
    for place, (arrival, retried, again) in enumerate(
        zip(drawn[::3], drawn[1::3], drawn[2::3], strict=True)
    ):
        arrives = (place < steps - 1) & np.ones_like(arrival, dtype=bool)
        retries = (place < steps) & (retried < rates.retry)
        events += arrives.astype(np.int64) + retries
        hits += (arrives & (arrival < rates.recall)).astype(np.int64)
        hits += retries & (again < rates.recall)
    return {
        f"{STATE_AWARE}/next_tool_events": _sum(events),
        f"{STATE_AWARE}/next_tool_hits": _sum(hits),
    }


def _recoveries(
    scenario: Scenario, missed: Uniform, first: Uniform, second: Uniform
) -> dict[str, npt.NDArray[np.int64]]:
    """Count misses, those of the five among those of the three, and what became of them."""
    rates = scenario.rates
    five, three = missed < rates.initial_miss, missed < rates.progressive_initial_miss
    return {
        f"{STATE_AWARE}/initial_misses": _sum(five),
        f"{STATE_AWARE}/recoveries": _sum(five & (first < rates.recovery)),
        f"{PROGRESSIVE}/initial_misses": _sum(three),
        f"{PROGRESSIVE}/recoveries": _sum(three & (second < rates.progressive_recovery)),
    }


def _tokens(scenario: Scenario, drawn: Uniform) -> dict[str, npt.NDArray[np.int64]]:
    rates = scenario.rates
    whole = _sum(drawn < rates.whole_catalog)
    own = np.full((scenario.tasks, 1), scenario.catalogs * rates.tokens, dtype=np.int64)
    narrow = scenario.catalogs - whole
    return {
        f"{STATE_AWARE}/tool_schema_tokens": own,
        f"{PROGRESSIVE}/tool_schema_tokens": whole * rates.whole_catalog_tokens
        + narrow * rates.progressive_tokens,
    }


def _sum(values: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Add up the catalogs of each task."""
    return np.asarray(values.sum(axis=2), dtype=np.int64)
