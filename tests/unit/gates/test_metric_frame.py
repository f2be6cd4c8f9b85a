"""The frames hold the record's figures, one a row or a slice, and nothing for what is undefined."""

from __future__ import annotations

import pandas as pd
import pytest

from gates.error import EstimationError
from gates.metric_frame import AXES, metric_frame, slice_frame
from gates.metric_table import CONDITIONS, METRICS
from tests.support.finished import shop


def test_every_metric_of_every_condition_has_a_row() -> None:
    terminal = shop().terminal
    frame = metric_frame(terminal)
    assert list(frame.index) == [(metric, name) for metric in METRICS for name in CONDITIONS]
    assert list(frame.columns) == ["value", "of", "primary", "companion", "reason"]
    row = frame.loc[("task_pass", "ORACLE")]
    assert row["value"] == terminal["metrics"]["ORACLE"]["overall"]["task_pass"]
    assert row["of"] == 8
    assert row["primary"] == terminal["intervals"]["ORACLE"]["task_pass"]["primary"]
    undefined = frame.loc[("next_tool_recall_at_5", "FULL")]
    assert undefined["value"] is pd.NA
    assert undefined["of"] == 0
    assert undefined["reason"].startswith("not estimable")


@pytest.mark.parametrize("axis", AXES)
def test_a_slice_is_a_column(axis: str) -> None:
    terminal = shop().terminal
    frame = slice_frame(terminal, axis, ["initial_miss", "task_pass"])
    assert list(frame.index.unique("metric")) == ["initial_miss", "task_pass"]
    for name, figures in terminal["metrics"]["FULL"][axis].items():
        assert frame.loc[("task_pass", "FULL"), name] == figures["task_pass"]


def test_what_a_record_does_not_hold_is_refused() -> None:
    with pytest.raises(EstimationError, match="'speed'"):
        metric_frame(shop().terminal, ["speed"])
    with pytest.raises(EstimationError, match="not sliced by 'agent'"):
        slice_frame(shop().terminal, "agent")
