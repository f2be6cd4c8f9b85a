from __future__ import annotations

import numpy as np
import pytest

from gates.error import EstimationError
from tests.support.power import scenario


def test_the_design_is_strata_then_languages_then_tasks() -> None:
    found = scenario(tasks_per_cell=12)
    assert found.design.sizes == (12, 12, 12, 12)
    assert [cell[0] for cell in found.design.cells] == ["000", "000", "001", "001"]
    assert found.tasks == len(found.design.task_ids) == 48
    assert found.steps.tolist() == [2] * 24 + [3] * 24


def test_pairs_have_the_stated_margins_in_every_stratum() -> None:
    found = scenario(effect=-0.05)
    both, first, second, neither = found.pairs.T
    assert np.allclose(both + first + second + neither, 1)
    assert np.allclose(both + second, [0.81] * 12 + [0.729] * 12)
    assert np.allclose(first - second, -0.05)
    assert np.allclose(first + second, 0.2)


def test_what_is_true_of_each_rule() -> None:
    assert scenario(effect=0.03).truth == {
        "task_pass_non_inferiority": 0.03,
        "next_tool_recall": 0.9,
        "recovery_superiority": pytest.approx(0.2),
        "schema_token_economy": pytest.approx(100 - (300 + 35)),
    }


@pytest.mark.parametrize(
    "changes",
    [
        # More difference than discordance; no room below 1; more discordance than passes.
        {"effect": 0.21},
        {"effect": 0.0, "step_success": 0.999},
        {"effect": 0.0, "step_success": 0.2},
    ],
)
def test_rates_that_do_not_fit_each_other_are_an_error(changes: dict[str, float]) -> None:
    with pytest.raises(EstimationError, match="No pair of episodes"):
        scenario(**changes)  # type: ignore[arg-type]


def test_rates_that_just_fit_are_taken() -> None:
    # 1 - 0.9 - 0.2 / 2 is 0, and less in floats.
    assert 1 - 0.9 - 0.1 < 0
    assert scenario(steps=(1, 1), step_success=0.9, discordance=0.2).pairs.min() == 0


def test_five_hold_three() -> None:
    with pytest.raises(EstimationError, match="misses less"):
        scenario(progressive_initial_miss=0.3)
