"""Records of what was estimated, how, and with which intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from gates.design import Design
from gates.error import EstimationError
from gates.estimand import Contrast, Estimand
from gates.metric_table import METRICS
from gates.number import Json, exact, plain

__all__ = ["Estimate", "Estimates", "Interval", "Plan", "ends", "undefined_replicates"]


@dataclass(frozen=True)
class Plan:
    """How intervals are made; the defaults are the protocol's, section 6."""

    iterations: int = 10_000
    """Replicates of each scheme."""

    seed: int = 20260929
    """Seed of every stream."""

    level: str = "0.95"
    """Confidence level as a decimal."""

    stream: int | None = None
    """Random stream of the primary scheme, where a sensitivity analysis has its own."""

    companion: bool = True
    """Whether to make the companion interval too."""

    def to_json(self) -> dict[str, Json]:
        """Give plain values."""
        return {
            "iterations": self.iterations,
            "seed": self.seed,
            "level": self.level,
            "stream": self.stream,
            "companion": self.companion,
        }


@dataclass(frozen=True)
class Interval:
    """Outward order statistics of the replicates."""

    lower: Fraction
    """Lower endpoint."""

    upper: Fraction
    """Upper endpoint."""

    undefined: int
    """Undefined replicates: each counts as the range's least value below, as its greatest above."""

    @property
    def degenerate(self) -> bool:
        """Whether both ends agree: such an interval says nothing about uncertainty."""
        return self.lower == self.upper


def ends(interval: Interval | None) -> list[Json] | None:
    """Return both ends of an interval as plain numbers, or None where there is none."""
    return None if interval is None else [plain(interval.lower), plain(interval.upper)]


def undefined_replicates(primary: Interval | None, companion: Interval | None) -> dict[str, Json]:
    """Return how many replicates of each scheme were undefined; None without an interval."""
    return {
        "primary": None if primary is None else primary.undefined,
        "companion": None if companion is None else companion.undefined,
    }


@dataclass(frozen=True)
class Estimate:
    """One figure with its intervals."""

    estimand: Estimand
    """What it estimates."""

    numerator: int
    """Sum above the line of the (first) condition: a mean's total, a share's events."""

    denominator: int
    """Sum below the line of the (first) condition: of how many it is the mean or share."""

    value: Fraction | None
    """The exact figure; None where it is not estimable."""

    primary: Interval | None
    """Interval of the primary scheme."""

    companion: Interval | None
    """Interval of the companion scheme (Rao and Wu)."""

    reason: str | None
    """Why the value or an interval is missing; None where nothing is."""

    def to_json(self) -> dict[str, Json]:
        """Give plain numbers: floats to read, whole numbers to check."""
        return {
            "metric": self.estimand.metric.key,
            "condition": self.estimand.condition,
            "comparator": self.estimand.comparator,
            "contrast": self.estimand.contrast,
            "unit": self.estimand.metric.unit,
            "numerator": self.numerator,
            "denominator": self.denominator,
            "value": plain(self.value),
            "value_exact": exact(self.value),
            "interval": ends(self.primary),
            "companion_interval": ends(self.companion),
            "degenerate": self.primary is not None and self.primary.degenerate,
            "undefined_replicates": undefined_replicates(self.primary, self.companion),
            "reason": self.reason,
        }


@dataclass(frozen=True, eq=False)
class Estimates:
    """All figures of one sample."""

    design: Design
    """The clusters that were resampled."""

    plan: Plan
    """How the intervals were made."""

    by_key: Mapping[str, Estimate]
    """Estimates by `Estimand.key`, in the order asked for."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions that were estimated, in the order asked for."""
        return tuple(dict.fromkeys(item.estimand.condition for item in self.by_key.values()))

    def get(
        self,
        metric: str,
        condition: str,
        comparator: str | None = None,
        contrast: Contrast | None = None,
    ) -> Estimate:
        """Look up a level or, with a comparator, a difference (or the contrast named).

        Raises
        ------
        EstimationError
            If it was not estimated.
        """
        kind: Contrast = contrast or ("level" if comparator is None else "difference")
        key = Estimand(METRICS[metric], condition, comparator, kind).key
        if key not in self.by_key:
            raise EstimationError(f"{key} was not estimated.", "Add it to the list of estimands.")
        return self.by_key[key]
