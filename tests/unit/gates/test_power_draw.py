"""Simulated studies have the truth that was stated, and repeat to the last digit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gates.metric_table import PROGRESSIVE as PS
from gates.metric_table import STATE_AWARE as SA
from gates.paired import catalog_correlation
from gates.power_draw import Columns, draw_passes, draw_studies
from gates.power_model import Scenario
from tests.support.power import scenario

STUDIES = 400


def drawn(truth: Scenario, studies: int = STUDIES, seed: int = 7, stream: int = 0) -> Columns:
    batches = list(draw_studies(truth, studies, seed=seed, stream=stream))
    return {
        name: values
        if values.shape[1] == 1
        else np.concatenate([batch[name] for batch in batches], axis=1)
        for name, values in batches[0].items()
    }


def near(shares: Any, expected: float) -> None:
    """The mean over studies lies within 5 of its standard errors."""
    values = np.asarray(shares, dtype=np.float64)
    error = values.std(ddof=1) / values.size**0.5
    assert abs(values.mean() - expected) <= 5 * error + 1e-12


@pytest.fixture(scope="module")
def columns() -> Columns:
    return drawn(scenario(effect=-0.05))


def ratio(columns: Columns, above: str, below: str) -> Any:
    return columns[above].sum(axis=0) / columns[below].sum(axis=0)


def test_passes_have_the_stated_rates(columns: Columns) -> None:
    first = ratio(columns, f"{SA}/passes", f"{SA}/episodes")
    second = ratio(columns, f"{PS}/passes", f"{PS}/episodes")
    near(second, (0.81 + 0.729) / 2)
    near(first - second, -0.05)


def test_recall_misses_recoveries_and_tokens_have_the_stated_rates(columns: Columns) -> None:
    near(ratio(columns, f"{SA}/next_tool_hits", f"{SA}/next_tool_events"), 0.9)
    near(ratio(columns, f"{SA}/initial_misses", f"{SA}/episodes"), 0.4)
    near(ratio(columns, f"{PS}/initial_misses", f"{PS}/episodes"), 0.6)
    near(ratio(columns, f"{SA}/recoveries", f"{SA}/initial_misses"), 0.7)
    near(ratio(columns, f"{PS}/recoveries", f"{PS}/initial_misses"), 0.5)
    near(ratio(columns, f"{PS}/tool_schema_tokens", f"{PS}/episodes"), 300 + 35)
    assert set(columns[f"{SA}/tool_schema_tokens"].ravel().tolist()) == {300}


def test_events_follow_the_steps(columns: Columns) -> None:
    # A task of n steps has n - 1 arrivals and n steps to retry, on each of three catalogs.
    events = columns[f"{SA}/next_tool_events"]
    near(events[:12].mean(axis=0), 3 * (1 + 2 * 0.25))
    near(events[12:].mean(axis=0), 3 * (2 + 3 * 0.25))
    assert (columns[f"{SA}/next_tool_hits"] <= events).all()


def test_the_five_miss_where_the_three_miss(columns: Columns) -> None:
    assert (columns[f"{SA}/initial_misses"] <= columns[f"{PS}/initial_misses"]).all()


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8, 1.0])
def test_catalogs_are_as_alike_as_stated(correlation: float) -> None:
    # Var of a task's sum over 3 catalogs: 3 d (1 + 2 r) where the true difference is 0.
    columns = drawn(scenario(catalog_correlation=correlation))
    sums = columns[f"{SA}/passes"] - columns[f"{PS}/passes"]
    near((sums.astype(np.float64) ** 2).mean(axis=0), 3 * 0.2 * (1 + 2 * correlation))
    if correlation == 1:
        assert set(np.unique(sums)) <= {-3, 0, 3}


def test_a_pilots_correlation_is_the_one_that_is_drawn() -> None:
    # The mixture of the model, with its probability of repeating, as the pilot would measure it.
    rng = np.random.default_rng(3)
    common, own = rng.random((20_000, 1)), rng.random((20_000, 3))
    alike = np.where(rng.random((20_000, 3)) < 0.5**0.5, common, own)
    values = (alike < 0.1).astype(int) - (alike > 0.9)
    assert catalog_correlation(values) == pytest.approx(0.5, abs=0.03)


def test_passes_alone_are_drawn_with_the_stated_rates() -> None:
    truth = scenario(effect=0.04)
    batches = list(draw_passes(truth, 300, seed=1, stream=5))
    differences = np.concatenate(
        [(item[f"{SA}/passes"] - item[f"{PS}/passes"]).mean(axis=0) / 3 for item in batches]
    )
    assert differences.size == 300
    near(differences, 0.04)


def test_the_batch_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drawn(scenario(), studies=23)
    monkeypatch.setattr("gates.power_draw._BATCH_WORDS", 5_000)
    parts = drawn(scenario(), studies=23)
    assert whole.keys() == parts.keys()
    assert all((whole[name] == parts[name]).all() for name in whole)


def test_seed_and_stream_make_the_studies() -> None:
    def passes(**source: int) -> list[int]:
        found: list[int] = drawn(scenario(), studies=5, **source)[f"{SA}/passes"].ravel().tolist()
        return found

    assert passes() == passes()
    assert passes() != passes(seed=8)
    assert passes() != passes(stream=1)
