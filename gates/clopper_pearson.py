"""Clopper and Pearson's upper bound of a rate, where a bootstrap of zeros would say [0, 0]."""

from __future__ import annotations

from scipy import special

from gates.error import EstimationError
from gates.interval import exact_level

__all__ = ["upper_bound"]


def upper_bound(events: int, units: int, *, level: float | str = 0.95) -> float:
    """Give the one-sided exact upper bound of a rate (Clopper and Pearson 1934).

    The rate at which at most ``events`` among ``units`` trials have probability 1 - level.

    Parameters
    ----------
    events
        Units that had an event, at most ``units``.
    units
        Independent trials: tasks, not episodes (protocol, section 1).
    level
        Confidence level, read as an exact decimal.

    Raises
    ------
    EstimationError
        If there is no trial, or events do not fit.
    """
    if units < 1 or not 0 <= events <= units:
        raise EstimationError(
            f"{events} events in {units} units bound no rate.",
            "Give the number of independent units, and how many of them had an event.",
        )
    if events == units:
        return 1.0
    return float(special.betaincinv(events + 1, units - events, float(exact_level(level))))
