"""Metrics of a terminal record as data frames: one row a figure, nothing computed anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd

from gates.error import EstimationError
from gates.metric_table import METRICS
from gates.summary import ordered

AXES = ("catalog", "stratum", "language")
"""What a terminal record is sliced by."""


def metric_frame(terminal: Mapping[str, Any], metrics: Collection[str] = ()) -> pd.DataFrame:
    """Return the metrics over all episodes with their denominators and both intervals.

    Parameters
    ----------
    terminal
        A terminal record.
    metrics
        Which of them; all if empty.

    Returns
    -------
    DataFrame
        Indexed by metric and condition; an undefined value is missing and has its reason.

    Raises
    ------
    EstimationError
        If there is no such metric.
    """
    rows = [
        {
            "metric": metric,
            "condition": condition,
            "value": terminal["metrics"][condition]["overall"][metric],
            "of": terminal["denominators"][condition]["overall"][metric],
            "primary": terminal["intervals"][condition][metric]["primary"],
            "companion": terminal["intervals"][condition][metric]["companion"],
            "reason": terminal["undefined"].get(f"metrics.{condition}.overall.{metric}"),
        }
        for metric in _known(metrics)
        for condition in ordered(terminal["metrics"])
    ]
    frame = pd.DataFrame(rows).set_index(["metric", "condition"])
    return frame.astype({"value": "Float64", "of": "Int64"})


def slice_frame(
    terminal: Mapping[str, Any], axis: str, metrics: Collection[str] = ()
) -> pd.DataFrame:
    """Return metrics by catalog, stratum or language.

    Parameters
    ----------
    terminal
        A terminal record.
    axis
        One of `AXES`.
    metrics
        Which of them; all if empty.

    Returns
    -------
    DataFrame
        One row a metric and condition, one column a slice; an undefined value is missing.

    Raises
    ------
    EstimationError
        If there is no such axis or metric.
    """
    if axis not in AXES:
        raise EstimationError(
            f"A study is not sliced by {axis!r}.", f"Choose one of {', '.join(AXES)}."
        )
    rows = {
        (metric, condition): {
            name: figures[metric] for name, figures in terminal["metrics"][condition][axis].items()
        }
        for metric in _known(metrics)
        for condition in ordered(terminal["metrics"])
    }
    frame = pd.DataFrame.from_dict(rows, orient="index").astype("Float64")
    frame.index = pd.MultiIndex.from_tuples(rows, names=["metric", "condition"])
    return frame


def _known(metrics: Collection[str]) -> Collection[str]:
    if strangers := [name for name in metrics if name not in METRICS]:
        raise EstimationError(
            f"There is no metric {strangers[0]!r}.", "Choose among gates.metric_table.METRICS."
        )
    return metrics or tuple(METRICS)
