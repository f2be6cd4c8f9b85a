"""A part of a study is estimated by the study's own arithmetic, over the episodes of the part."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gates.error import EstimationError
from gates.estimand import Estimand
from gates.estimate import Estimate
from gates.estimator import estimate
from gates.metric_table import METRICS, PROGRESSIVE, STATE_AWARE
from gates.portion import portion
from tests.support.finished import shop

DIFFERENCE = Estimand(METRICS["task_pass"], STATE_AWARE, PROGRESSIVE, "difference")


def of(**part: Any) -> Estimate:
    estimates = estimate(portion(shop(), **part), [DIFFERENCE], shop().plan)
    return estimates.by_key[DIFFERENCE.key]


def test_the_whole_is_the_study() -> None:
    study = shop()
    whole = portion(study)
    assert whole.names == study.sample.names
    assert np.array_equal(whole.matrix, study.sample.matrix)
    [logged] = [
        item
        for item in study.terminal["contrasts"]
        if (item["metric"], item["comparator"], item["contrast"])
        == ("task_pass", PROGRESSIVE, "difference")
    ]
    assert of().to_json() == logged


def test_one_catalog_is_what_the_analyses_beside_the_gate_show() -> None:
    beside = shop().terminal["sensitivity"]["rules"]["task_pass_non_inferiority"]["catalog"]
    for size in shop().catalogs:
        found, logged = of(catalogs=[size]).to_json(), beside[str(size)]
        assert found["value"] == logged["value"]
        assert found["interval"] == logged["interval"]


def test_a_language_keeps_its_tasks_alone() -> None:
    part = portion(shop(), languages=["de"], catalogs=[4])
    assert part.design.task_ids == ("shop-3", "shop-4")
    assert part.select([f"{STATE_AWARE}/episodes"]).ravel().tolist() == [1, 1]
    assert portion(shop(), tasks=["shop-2"]).design.task_ids == ("shop-2",)
    assert portion(shop(), strata=["recoverable_execution_failure"]).design.sizes == (2,)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"catalogs": [100]}, "no catalog 100"),
        ({"strata": ["two"]}, "no stratum 'two'"),
        ({"languages": ["fr"]}, "no language 'fr'"),
        ({"tasks": ["shop-1", "shop-9"]}, "no task 'shop-9'"),
        ({"languages": ["de"], "tasks": ["shop-1"]}, "No episode"),
        ({"catalogs": []}, "No episode"),
    ],
)
def test_a_part_that_is_not_there_is_refused(part: dict[str, Any], message: str) -> None:
    with pytest.raises(EstimationError, match=message):
        portion(shop(), **part)
