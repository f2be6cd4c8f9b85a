"""What is estimated: a metric of one condition or a contrast of two, and the arithmetic of both.

`evaluate` is the one function that turns sums into a figure: with exact sums it gives the estimate,
with the sums of all replicates at once the bootstrap distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from gates.metric_table import COLUMNS, CONDITIONS, METRICS, STATE_AWARE, Metric, Range

__all__ = ["COLUMNS", "METRICS", "Contrast", "Estimand", "Metric", "estimands", "evaluate"]

Contrast = Literal["level", "difference", "ratio"]

Quantity = TypeVar("Quantity", Fraction, npt.NDArray[np.float64])

_COSTS: Final = (
    "tool_schema_tokens",
    "input_tokens",
    "tool_schema_tokens_to_completion",
    "input_tokens_to_completion",
)


@dataclass(frozen=True)
class Estimand:
    """A metric of one condition, or a contrast of two conditions."""

    metric: Metric
    """What is measured."""

    condition: str
    """The condition, or the first of the two."""

    comparator: str | None = None
    """The second condition; None for a level."""

    contrast: Contrast = "level"
    """``level``, ``difference`` (condition - comparator) or ``ratio`` (condition / comparator)."""

    def __post_init__(self) -> None:
        if (self.comparator is None) is not (self.contrast == "level"):
            raise ValueError(f"A {self.contrast} of {self.condition} and {self.comparator}.")

    @property
    def key(self) -> str:
        """Identifier, such as ``task_pass[FULL]`` or ``task_pass[FULL - ORACLE]``."""
        if self.comparator is None:
            return f"{self.metric.key}[{self.condition}]"
        sign = "-" if self.contrast == "difference" else "/"
        return f"{self.metric.key}[{self.condition} {sign} {self.comparator}]"

    @property
    def range(self) -> Range | None:
        """Least and greatest value, which an undefined replicate counts as; None if unbounded."""
        if self.metric.range is None or self.contrast == "ratio":
            return None
        low, high = self.metric.range
        return (low, high) if self.contrast == "level" else (low - high, high - low)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of sums: numerator and denominator of the condition, then of the comparator."""
        arms = (self.condition,) if self.comparator is None else (self.condition, self.comparator)
        names = (self.metric.numerator, self.metric.denominator)
        return tuple(f"{arm}/{name}" for arm in arms for name in names)

    @property
    def divisors(self) -> tuple[str, ...]:
        """Columns whose sum must not be 0, else the figure is undefined."""
        names = self.columns
        return names[1::2] + (names[2:3] if self.contrast == "ratio" else ())


def evaluate(estimand: Estimand, total: Callable[[str], Quantity]) -> Quantity:
    """Compute a figure from sums.

    Parameters
    ----------
    estimand
        What to compute.
    total
        Gives the sum of a column: a `Fraction`, or float64 of shape (B,) with one whole number
        below 2**53 a replicate. Where a sum of `Estimand.divisors` is 0, the figure is undefined,
        and what it then is remains the caller's to decide.

    Returns
    -------
    Fraction or NDArray of float64
        The exact figure, or one a replicate.
    """
    names = estimand.columns
    first = total(names[0]) / total(names[1])
    if estimand.contrast == "level":
        return first
    second = total(names[2]) / total(names[3])
    return first - second if estimand.contrast == "difference" else first / second


def estimands(conditions: Sequence[str] = CONDITIONS) -> tuple[Estimand, ...]:
    """List what the study estimates.

    Every metric of every condition; every difference of the state-aware condition to another one;
    the ratio of their tokens.

    Parameters
    ----------
    conditions
        Conditions that were run; contrasts need the state-aware one among them.
    """
    others = [name for name in conditions if name != STATE_AWARE and STATE_AWARE in conditions]
    return (
        *(Estimand(metric, name) for metric in METRICS.values() for name in conditions),
        *(
            Estimand(metric, STATE_AWARE, name, "difference")
            for metric in METRICS.values()
            for name in others
        ),
        *(Estimand(METRICS[key], STATE_AWARE, name, "ratio") for key in _COSTS for name in others),
    )
