"""Small truths for simulations."""

from __future__ import annotations

from typing import Any

from gates.power_model import Scenario
from harness.power import RateSection

RATES: dict[str, Any] = {
    "steps": (2, 3),
    "step_success": 0.9,
    "discordance": 0.2,
    "catalog_correlation": 0.5,
    "recall": 0.9,
    "retry": 0.25,
    "initial_miss": 0.4,
    "progressive_initial_miss": 0.6,
    "recovery": 0.7,
    "progressive_recovery": 0.5,
    "whole_catalog": 0.3,
    "tokens": 100,
    "progressive_tokens": 50,
    "whole_catalog_tokens": 1000,
}


def rates(**changes: Any) -> RateSection:
    """Rates of two strata, some of them changed."""
    return RateSection.model_validate(RATES | changes)


def scenario(*, effect: float = 0.0, tasks_per_cell: int = 6, **changes: Any) -> Scenario:
    """Two strata, two languages, three catalogs."""
    return Scenario(rates(**changes), 2, 3, tasks_per_cell, effect)
