"""The analyses beside the gate, from the counts of a small study."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from gates.bound_size import approximate_tasks
from gates.design import Design, Sample
from gates.estimand import estimands
from gates.estimate import Plan
from gates.estimator import estimate
from gates.gate import decide
from gates.metric_table import COLUMNS, CONDITIONS
from gates.metric_table import PROGRESSIVE as PS
from gates.metric_table import STATE_AWARE as SA
from gates.sensitivity import sensitivity
from gates.terminal import Tally
from harness.grid import EpisodeKey

CELLS = (("a", "en"), ("a", "ko"), ("b", "en"), ("b", "ko"))
TASKS = {f"{'-'.join(cell)}-{place}": cell for cell in CELLS for place in (1, 2)}
SIZES = (100, 250)


def analysed(
    passes: Mapping[tuple[str, int, str], int], conditions: tuple[str, ...] = CONDITIONS
) -> dict[str, Any]:
    """The analyses of a study in which every episode passes unless it is given."""
    keys = [EpisodeKey(*key) for key in product(TASKS, SIZES, conditions)]
    columns = {name: [1] * len(keys) for name in COLUMNS if name != "episodes"}
    columns["passes"] = [passes.get(tuple(key), 1) for key in keys]
    columns["unauthorized_destructive_executions"] = [0] * len(keys)
    design = Design.of((*cell, task_id) for task_id, cell in TASKS.items())
    sample = Sample.tally(
        design, [key.task_id for key in keys], [key.condition for key in keys], columns
    )
    estimates = estimate(sample, estimands(conditions), Plan(iterations=80))
    found = sensitivity(Tally(keys, columns), estimates, sample, decide(estimates))
    return json.loads(json.dumps(found, allow_nan=False))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return analysed(
        {
            ("a-en-1", 100, PS): 0,
            ("a-en-1", 250, PS): 0,
            ("b-ko-2", 250, SA): 0,
            ("b-ko-1", 250, SA): 0,
            ("b-ko-1", 250, PS): 0,
            ("a-ko-2", 100, "ORACLE"): 0,
            ("b-en-1", 100, "ORACLE"): 0,
            ("b-en-1", 250, "ORACLE"): 0,
            ("b-en-2", 250, "ORACLE"): 0,
        }
    )


def test_pairs_of_episodes_overall_and_by_catalog(found: dict[str, Any]) -> None:
    assert list(found["paired"]) == [name for name in CONDITIONS if name != SA]
    table = found["paired"][PS]
    assert table["overall"] == {
        "both": 12,
        "state_aware_only": 2,
        "comparator_only": 1,
        "neither": 1,
        "discordance": 3 / 16,
    }
    assert table["catalog"]["100"]["state_aware_only"] == 1
    assert table["catalog"]["250"]["comparator_only"] == 1
    assert table["catalog"]["250"]["neither"] == 1
    assert found["paired"]["FULL"]["overall"]["comparator_only"] == 2


def test_signs_flip_by_task(found: dict[str, Any]) -> None:
    # Task differences: +2 on a-en-1, -1 on b-ko-2, 0 elsewhere.
    flip = found["sign_flip"]
    assert (flip["tasks_better"], flip["tasks_worse"], flip["tasks_equal"]) == (1, 1, 6)
    assert flip["observed_sum"] == 1
    # |+-2 +-1| is 1 or 3: never below 1.
    assert flip["p_value"] == 1


def test_the_ceiling_stands_by_cell(found: dict[str, Any]) -> None:
    assert found["oracle_ceiling"] == {
        "a": {
            "en": {"passes": 4, "episodes": 4, "value": 1.0},
            "ko": {"passes": 3, "episodes": 4, "value": 0.75},
        },
        "b": {
            "en": {"passes": 1, "episodes": 4, "value": 0.25},
            "ko": {"passes": 4, "episodes": 4, "value": 1.0},
        },
    }


def test_each_catalog_alone_is_of_its_own_episodes(found: dict[str, Any]) -> None:
    of = found["rules"]["task_pass_non_inferiority"]["catalog"]
    assert of["100"]["value_exact"] == "1/8"
    assert of["250"]["value_exact"] == "0"


def test_recovery_on_the_common_misses_is_that_of_the_contrasts(found: dict[str, Any]) -> None:
    assert list(found["common_miss_set"]) == ["exposed", "in_time", "passed"]
    for variant in found["common_miss_set"].values():
        assert variant["metric"].startswith("recovery_after_initial_miss_common_set")
        assert (variant["condition"], variant["comparator"]) == (SA, PS)
        assert variant["interval"] is not None
        assert variant["companion_interval"] is not None


def test_the_bounds_size_follows_from_discordance_and_correlation(found: dict[str, Any]) -> None:
    # Differences per task and catalog: (1, 1), (0, -1) and six times (0, 0): 3 of 16 discordant.
    expected = approximate_tasks(
        3 / 16,
        found["catalog_correlation"],
        catalogs=2,
        effect=0.0,
        margin=-0.02,
        power=0.8,
        level="0.95",
    )
    assert found["bound_size"] == {"true": 0.0, "power": 0.8, "tasks": math.ceil(expected)}


def test_conditions_that_never_differ_leave_no_size_to_name() -> None:
    assert analysed({})["bound_size"]["tasks"] is None


def test_a_study_without_the_oracle_has_no_ceiling() -> None:
    found = analysed({}, (SA, PS))
    assert found["oracle_ceiling"] is None
    assert list(found["paired"]) == [PS]
    assert found["catalog_correlation"] is None
