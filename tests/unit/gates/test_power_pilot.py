"""Rates come from a terminal record, and from what is stated where it has none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.bundle import TERMINAL_KEYS
from gates.metric_table import PROGRESSIVE, STATE_AWARE
from gates.power_pilot import pilot_rates
from gates.power_report import report_power
from harness.compose import load_config
from harness.error import ConfigError
from harness.schema import SCHEMA_VERSION
from tests.support.power import rates
from tests.support.shop_study import ShopStudy, catalogs, record_of, tasks


def terminal(**changes: Any) -> dict[str, Any]:
    """A pilot of two strata with 40 and 60 episodes an arm."""
    first = {
        "task_pass": 0.8,
        "next_tool_recall_at_5": 0.93,
        "initial_miss": 0.3,
        "recovery_after_initial_miss": 0.6,
        "tool_schema_tokens": 4321.4,
    }
    second = {
        "task_pass": (0.9**2 + 0.9**3) / 2,
        "initial_miss": 0.5,
        "recovery_after_initial_miss": None,
        "whole_catalog": 0.25,
        "tool_schema_tokens": 0.75 * 1000 + 0.25 * 90_000,
        "tool_schema_tokens_narrow": 1000.0,
    } | changes
    steps = {
        "b": {"state_completion": 81, "task_pass": 40},
        "a": {"state_completion": 180, "task_pass": 60},
    }
    overall = {"state_completion": 261, "task_pass": 100, "next_tool_recall_at_5": 213}
    return {
        "metrics": {STATE_AWARE: {"overall": first}, PROGRESSIVE: {"overall": second}},
        "denominators": {STATE_AWARE: {"overall": overall}, PROGRESSIVE: {"stratum": steps}},
        "sensitivity": {
            "paired": {PROGRESSIVE: {"overall": {"discordance": 0.12}}},
            "catalog_correlation": -0.1,
        },
    }


def test_what_the_pilot_measured_is_taken() -> None:
    found = pilot_rates(terminal(), rates())
    assert found.steps == (2, 3)
    assert found.step_success == pytest.approx(0.9)
    assert found.discordance == 0.12
    # A negative intraclass correlation is none.
    assert found.catalog_correlation == 0
    assert found.recall == 0.93
    # 213 events where 161 arrivals alone would be, over 261 steps.
    assert found.retry == pytest.approx(52 / 261)
    assert (found.initial_miss, found.progressive_initial_miss) == (0.3, 0.5)
    assert (found.tokens, found.progressive_tokens) == (4321, 1000)
    assert (found.whole_catalog, found.whole_catalog_tokens) == (0.25, 90_000)


def test_what_it_has_not_stays_as_stated() -> None:
    found = pilot_rates(terminal(), rates())
    assert found.recovery == 0.6
    assert found.progressive_recovery == rates().progressive_recovery
    none = terminal()
    none["sensitivity"]["catalog_correlation"] = None
    assert pilot_rates(none, rates()).catalog_correlation == rates().catalog_correlation


@pytest.mark.parametrize(
    ("changes", "tokens"),
    [
        ({"whole_catalog": 0.0, "tool_schema_tokens": 1000.0}, (1000, 0)),
        (
            {
                "whole_catalog": 1.0,
                "tool_schema_tokens": 90_000.0,
                "tool_schema_tokens_narrow": None,
            },
            (0, 90_000),
        ),
    ],
)
def test_a_pilot_that_never_or_always_reached_the_whole_catalog(
    changes: dict[str, Any], tokens: tuple[int, int]
) -> None:
    found = pilot_rates(terminal(**changes), rates())
    assert (found.progressive_tokens, found.whole_catalog_tokens) == tokens


@pytest.mark.parametrize("passed", [0.0, 1.0])
def test_nothing_or_all_passed(passed: float) -> None:
    found = pilot_rates(terminal(task_pass=passed), rates())
    assert found.step_success == pytest.approx(passed, abs=1e-9)


def test_a_real_record_is_a_pilot_and_is_named(tmp_path: Path) -> None:
    study = ShopStudy.write(tmp_path)
    aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())
    path = study.folder.terminal / "terminal.json"
    config = load_config(["power=quick", "power.studies=10", "power.iterations=39"])
    section = config.power.model_copy(update={"pilot": str(path)})
    two = config.study.model_copy(update={"strata": config.study.strata[:2]})
    found = report_power(
        config.model_copy(update={"power": section, "study": two, "results": tmp_path})
    )
    assert found["pilot"]["study"] == "shop"
    assert found["pilot"]["evidence"] == "instrument"
    assert len(found["rates"]["steps"]) == 2
    assert found["evidence"] == "simulation"


EMPTY = {**{key: {} for key in TERMINAL_KEYS}, "schema_version": SCHEMA_VERSION}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "is no file"),
        ("nothing", "is not readable JSON"),
        ("[]", "is not a terminal record"),
        (json.dumps(EMPTY), "has not the figures"),
        (json.dumps(EMPTY | terminal(tool_schema_tokens="many")), "has not the figures"),
        (json.dumps(EMPTY | terminal(whole_catalog=7)), "has not the figures"),
    ],
)
def test_what_is_no_pilot_is_wrong_use(tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / "terminal.json"
    if content is not None:
        path.write_text(content)
    config = load_config([f"results={tmp_path}"])
    power = config.power.model_copy(update={"pilot": str(path)})
    with pytest.raises(ConfigError, match=words) as caught:
        report_power(config.model_copy(update={"power": power}))
    assert caught.value.remedy.startswith("Let power.pilot name")
