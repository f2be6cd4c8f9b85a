"""How many tasks a bound needs, to a normal approximation."""

from __future__ import annotations

from scipy import special

from gates.interval import exact_level

__all__ = ["approximate_tasks"]


def approximate_tasks(
    discordance: float,
    correlation: float,
    *,
    catalogs: int,
    effect: float,
    margin: float,
    power: float,
    level: float | str,
) -> float:
    """Give the size at which the lower bound of a paired difference clears a margin.

    A task's mean difference over C catalogs of correlation r has variance
    (discordance - effect**2) (1 + (C - 1) r) / C.

    Parameters
    ----------
    discordance
        Share of pairs of episodes in which one condition alone passes.
    correlation
        Of a pair's difference between two catalogs of a task.
    catalogs
        Pairs of a task.
    effect
        True difference, above the margin.
    margin
        What the bound must clear.
    power
        Probability with which it does.
    level
        Level of the two-sided interval whose lower end is the bound.
    """
    spread = discordance - effect**2
    variance = spread * (1 + (catalogs - 1) * correlation) / catalogs
    tail = float((1 + exact_level(level)) / 2)
    reach = float(special.ndtri(tail)) + float(special.ndtri(power))
    return variance * (reach / (effect - margin)) ** 2
