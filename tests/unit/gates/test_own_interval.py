"""A figure of a reader's own gets the study's own draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gates.error import EstimationError
from gates.estimator import UNCHANGING
from gates.metric_table import PROGRESSIVE, STATE_AWARE
from gates.own_interval import OwnFigure, own_interval
from gates.portion import portion
from tests.support.finished import shop

PASSED = tuple(
    f"{condition}/{column}"
    for condition in (STATE_AWARE, PROGRESSIVE)
    for column in ("passes", "episodes")
)


def difference(sums: Any) -> Any:
    first, second = ((sums(above), sums(below)) for above, below in (PASSED[:2], PASSED[2:]))
    return first[0] / first[1] - second[0] / second[1]


def of(statistic: Callable[[Any], Any], **part: Any) -> OwnFigure:
    return own_interval(portion(shop(), **part), PASSED, statistic, shop().plan)


def test_a_known_figure_has_the_intervals_of_the_record() -> None:
    found = of(difference)
    [logged] = [
        item
        for item in shop().terminal["contrasts"]
        if (item["metric"], item["comparator"], item["contrast"])
        == ("task_pass", PROGRESSIVE, "difference")
    ]
    assert found.value == pytest.approx(logged["value"], abs=1e-12)
    assert found.primary == pytest.approx(logged["interval"], abs=1e-12)
    assert found.companion == pytest.approx(logged["companion_interval"], abs=1e-12)
    assert found.reason is None


def test_a_cell_of_one_task_has_no_companion_interval() -> None:
    found = of(difference, tasks=["shop-1"])
    assert found.companion is None
    assert found.primary == (found.value, found.value)
    assert found.reason == (
        f"{UNCHANGING}; no companion interval: the cell three_step_state_dependency x en holds one"
        " task only"
    )


@pytest.mark.parametrize(
    "statistic",
    [
        lambda sums: sums(PASSED[1]) / (sums(PASSED[1]) - sums(PASSED[3])),
        lambda sums: np.zeros(2),
        lambda sums: 0.5,
    ],
)
def test_a_figure_that_is_none_is_refused(statistic: Callable[[Any], Any]) -> None:
    with pytest.raises(EstimationError, match="not one finite number"):
        of(statistic)


def test_a_column_that_is_not_counted_is_refused() -> None:
    with pytest.raises(EstimationError, match="missing from the sums"):
        own_interval(shop().sample, ["FULL/cost"], lambda sums: sums("cost"), shop().plan)
