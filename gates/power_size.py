"""How many tasks it takes until the bound of the task-pass difference clears the margin.

The bound is that of the stratified t interval, which covers as the companion does and costs a
thousandth of it: thousands of tasks would otherwise be resampled ten thousand times in every
simulated study. The search begins at the size that a normal approximation gives.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from gates.bound_size import approximate_tasks
from gates.figure import FIGURES
from gates.number import Json
from gates.power_draw import draw_passes
from gates.power_interval import t_ends
from gates.power_model import Scenario
from gates.power_score import Simulation

__all__ = ["power_at", "size_row"]

_LEAST: Final = 2
"""Tasks of a cell below which it has no variance."""

_MOST: Final = 20_000
"""Tasks beyond which nothing is simulated: nobody writes as many."""


def size_row(scenario: Scenario, power: float, how: Simulation, *, stream: int) -> dict[str, Json]:
    """Find the least number of tasks whose bound clears the margin with a given probability.

    Parameters
    ----------
    scenario
        The truth; its tasks per cell are what is sought.
    power
        The probability.
    how
        Studies, level and margin.
    stream
        Random stream.

    Returns
    -------
    dict
        ``true``, ``discordance``, ``catalog_correlation``, ``approximate_tasks``, ``tasks``,
        ``tasks_per_cell`` and the simulated ``power``; these four null with a ``reason`` where the
        true difference does not lie above the margin, or not far enough.
    """
    row: dict[str, Json] = {
        "true": scenario.effect,
        "discordance": scenario.rates.discordance,
        "catalog_correlation": scenario.rates.catalog_correlation,
    }
    nothing = dict.fromkeys(("approximate_tasks", "tasks", "tasks_per_cell", "power"))
    if scenario.effect <= float(how.thresholds.task_pass_margin):
        reason = "no number of tasks: the true difference is not above the margin"
        return {**row, **nothing, "reason": reason}
    guess = approximate_tasks(
        scenario.rates.discordance,
        scenario.rates.catalog_correlation,
        catalogs=scenario.catalogs,
        effect=scenario.effect,
        margin=float(how.thresholds.task_pass_margin),
        power=power,
        level=how.level,
    )
    if guess > _MOST:
        return {**row, **nothing, "reason": f"more than {_MOST:,} tasks"}
    cells = scenario.tasks // scenario.tasks_per_cell
    size = max(_LEAST, math.ceil(guess / cells))
    found: dict[int, float] = {}

    def reached(each: int) -> bool:
        if each not in found:
            sized = replace(scenario, tasks_per_cell=each)
            found[each] = power_at(sized, how, stream=stream)
        return found[each] >= power

    while not reached(size):
        size += 1
    while size > _LEAST and reached(size - 1):
        size -= 1
    return {
        **row,
        "approximate_tasks": round(guess),
        "tasks": size * cells,
        "tasks_per_cell": size,
        "power": found[size],
        "reason": None,
    }


def power_at(scenario: Scenario, how: Simulation, *, stream: int) -> float:
    """Simulate how often the lower bound lies above the margin."""
    design, estimand = scenario.design, FIGURES["task_pass_non_inferiority"]
    margin = float(how.thresholds.task_pass_margin)
    cleared = 0
    for columns in draw_passes(scenario, how.studies, seed=how.draw_seed, stream=stream):
        ends = t_ends(columns, estimand, design, how.level)
        cleared += int(np.count_nonzero(ends.beyond(">", margin)))
    return cleared / how.studies
