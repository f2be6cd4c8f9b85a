"""One rule of the gate: a figure, a threshold, and what carries it (protocol, section 6).

Values and thresholds are fractions and are compared as such: 39/50 - 40/50 >= -2/100 holds. The
intervals stand beside and decide nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from gates.estimate import Estimate, Interval, ends, undefined_replicates
from gates.number import Json, exact, plain

__all__ = [
    "VERDICTS",
    "Carried",
    "Comparison",
    "Role",
    "Rule",
    "Verdict",
    "check",
    "holds",
    "judge",
    "verdict",
]

Comparison = Literal[">=", ">", "<", "=="]

Role = Literal["evidence", "instrument"]

Verdict = Literal["non-inferiority demonstrated", "inferior", "inconclusive at this sample size"]

VERDICTS: Final[tuple[Verdict, ...]] = (
    "non-inferiority demonstrated",
    "inferior",
    "inconclusive at this sample size",
)

Carried: TypeAlias = Estimate | Fraction | int | str | Mapping[str, int] | None
"""What carries a rule: an estimate, an exact number, a count, a remark, counts by condition."""

_HOLDS: Final[dict[Comparison, Callable[[Fraction, Fraction], bool]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}


@dataclass(frozen=True)
class Rule:
    """One rule of the gate and what carries it."""

    id: str
    """Stable identifier."""

    statement: str
    """The rule in words."""

    role: Literal["evidence", "instrument"]
    """Rules 1 to 4 carry the evidence, rules 5 and 6 check the instrument."""

    value: Fraction | None
    """The exact figure; None where it is not estimable."""

    comparison: Comparison
    """How the value must stand to the threshold."""

    threshold: Fraction
    """The exact threshold."""

    passed: bool
    """Whether the value is estimable and stands so."""

    interval: Interval | None
    """Primary interval."""

    companion_interval: Interval | None
    """Companion interval (Rao and Wu)."""

    supported: bool | None
    """Whether the primary interval lies wholly on the passing side; None for rules 5 and 6."""

    verdict: Verdict | None
    """Words for rule 1, from the companion interval; None for the others."""

    reason: str | None
    """Why the value or an interval is missing."""

    carried_by: Mapping[str, Carried]
    """What carries the rule, by name."""

    def holds(self, value: Fraction | None) -> bool:
        """Whether a value is estimable and stands to the threshold as the rule demands."""
        return holds(value, self.comparison, self.threshold)

    def supports(self, interval: Interval | None) -> bool:
        """Whether an interval is there and lies wholly on the passing side."""
        return _supports(self.comparison, self.threshold, interval)

    def to_json(self) -> dict[str, Json]:
        """Give plain numbers."""
        companion = self.companion_interval
        return {
            "id": self.id,
            "statement": self.statement,
            "role": self.role,
            "value": plain(self.value),
            "value_exact": exact(self.value),
            "comparison": self.comparison,
            "threshold": plain(self.threshold),
            "threshold_exact": exact(self.threshold),
            "passed": self.passed,
            "interval": ends(self.interval),
            "companion_interval": ends(companion),
            "degenerate": self.interval is not None and self.interval.degenerate,
            "undefined_replicates": undefined_replicates(self.interval, companion),
            "supported": self.supported,
            "verdict": self.verdict,
            "reason": self.reason,
            "carried_by": {name: _carried_json(item) for name, item in self.carried_by.items()},
        }


def holds(value: Fraction | None, comparison: Comparison, threshold: Fraction) -> bool:
    """Whether a value is estimable and stands so to a threshold."""
    return value is not None and _HOLDS[comparison](value, threshold)


def judge(
    rule_id: str,
    statement: str,
    figure: Estimate,
    comparison: Comparison,
    threshold: Fraction,
    carried_by: Mapping[str, Carried],
    *,
    margin: Fraction | None = None,
) -> Rule:
    """Decide a rule about an estimate.

    Parameters
    ----------
    rule_id, statement
        Identifier and words.
    figure
        The estimate; where its value is missing the rule fails with its reason.
    comparison, threshold
        How the value must stand to what.
    carried_by
        What carries the rule.
    margin
        Margin of non-inferiority, for the rule that has a verdict.
    """
    return Rule(
        id=rule_id,
        statement=statement,
        role="evidence",
        value=figure.value,
        comparison=comparison,
        threshold=threshold,
        passed=holds(figure.value, comparison, threshold),
        interval=figure.primary,
        companion_interval=figure.companion,
        supported=_supports(comparison, threshold, figure.primary),
        verdict=None if margin is None else verdict(figure.companion, margin),
        reason=figure.reason,
        carried_by=carried_by,
    )


def check(
    rule_id: str,
    statement: str,
    value: Fraction | None,
    threshold: Fraction,
    carried_by: Mapping[str, Carried],
) -> Rule:
    """Decide a rule about the instrument: a value that must equal the threshold.

    A count or share that may not differ at all has no interval: a bootstrap of zeros is [0, 0].
    """
    return Rule(
        id=rule_id,
        statement=statement,
        role="instrument",
        value=value,
        comparison="==",
        threshold=threshold,
        passed=value == threshold,
        interval=None,
        companion_interval=None,
        supported=None,
        verdict=None,
        reason=None if value is not None else "not estimable: no attempt was logged",
        carried_by=carried_by,
    )


def verdict(companion: Interval | None, margin: Fraction) -> Verdict:
    """Put the companion interval of a difference into words.

    *Demonstrated* needs all of it above the margin, *inferior* all of it below; anything else, a
    missing interval too, is inconclusive.
    """
    if companion is not None and companion.lower > margin:
        return "non-inferiority demonstrated"
    if companion is not None and companion.upper < margin:
        return "inferior"
    return "inconclusive at this sample size"


def _supports(comparison: Comparison, threshold: Fraction, interval: Interval | None) -> bool:
    if interval is None:
        return False
    worst = interval.upper if comparison == "<" else interval.lower
    return holds(worst, comparison, threshold)


def _carried_json(item: Carried) -> Json:
    if isinstance(item, Estimate):
        return item.to_json()
    if isinstance(item, Fraction):
        return plain(item)
    if isinstance(item, Mapping):
        return {**item}
    return item
