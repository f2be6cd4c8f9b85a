from __future__ import annotations

from fractions import Fraction

import pytest

from gates.estimand import Estimand
from gates.estimate import Estimate, Interval
from gates.metric_table import METRICS, PROGRESSIVE, STATE_AWARE
from gates.rule import VERDICTS, judge, verdict


def figure(primary: Interval | None, companion: Interval | None) -> Estimate:
    estimand = Estimand(METRICS["task_pass"], STATE_AWARE, PROGRESSIVE, "difference")
    return Estimate(estimand, 1, 2, Fraction(0), primary, companion, None)


@pytest.mark.parametrize(
    ("comparison", "lower", "upper", "supported"),
    [
        (">=", Fraction(-2, 100), Fraction(1), True),
        (">=", Fraction(-2, 100) - Fraction(1, 10**30), Fraction(1), False),
        (">", Fraction(-2, 100), Fraction(1), False),
        ("<", Fraction(-1), Fraction(-2, 100), False),
        ("<", Fraction(-1), Fraction(-2, 100) - Fraction(1, 10**30), True),
    ],
)
def test_support_is_exact_at_the_threshold(
    comparison: str, lower: Fraction, upper: Fraction, supported: bool
) -> None:
    interval = Interval(lower, upper, 0)
    rule = judge("r", "s", figure(interval, None), comparison, Fraction(-2, 100), {})  # type: ignore[arg-type]
    assert rule.supported is supported


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (Fraction(-1, 100), Fraction(3, 100), "non-inferiority demonstrated"),
        (Fraction(-2, 100), Fraction(3, 100), "inconclusive at this sample size"),
        (Fraction(-6, 100), Fraction(-2, 100), "inconclusive at this sample size"),
        (Fraction(-6, 100), Fraction(-3, 100), "inferior"),
    ],
)
def test_words_come_from_the_companion_interval(
    lower: Fraction, upper: Fraction, words: str
) -> None:
    margin = Fraction(-2, 100)
    assert verdict(Interval(lower, upper, 0), margin) == words
    assert verdict(None, margin) == "inconclusive at this sample size"
    wide = Interval(Fraction(-1), Fraction(1), 0)
    rule = judge("r", "s", figure(wide, Interval(lower, upper, 0)), ">=", margin, {}, margin=margin)
    assert rule.verdict == words
    assert words in VERDICTS
