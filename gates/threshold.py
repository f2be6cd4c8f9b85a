"""The gate's thresholds as exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from gates.error import EstimationError

__all__ = ["Thresholds"]


@dataclass(frozen=True)
class Thresholds:
    """What the first two rules compare with; the defaults are the protocol's, section 6.

    The other four compare with 0 or 1, which no study may move.
    """

    task_pass_margin: Fraction = Fraction(-2, 100)
    """Least acceptable difference of ``task_pass``."""

    recall_threshold: Fraction = Fraction(97, 100)
    """Least acceptable ``next_tool_recall_at_5``."""

    @classmethod
    def of(cls, decimals: Mapping[str, str]) -> Self:
        """Read a study's ``gate`` section: both thresholds as decimals in text.

        Raises
        ------
        EstimationError
            If one is missing, unknown, or not written as a decimal in text: a float such as 0.97 is
            another number than 97/100.
        """
        names = ("task_pass_margin", "recall_threshold")
        if set(decimals) != set(names) or not all(isinstance(v, str) for v in decimals.values()):
            raise EstimationError(
                f"The gate's thresholds are {dict(decimals)!r}.",
                f"Give {' and '.join(names)} as decimals in quotation marks.",
            )
        try:
            return cls(*(Fraction(decimals[name]) for name in names))
        except (ValueError, ZeroDivisionError) as error:
            raise EstimationError(
                f"A threshold of the gate is not a decimal: {error}.",
                'Write it like "-0.02".',
            ) from error
