"""Every analysis beside the gate, fixed in advance, none of which decides (the study's statistics).

The Rao-Wu companion stands beside every figure already; the other analyses are gathered here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gates.bound_size import approximate_tasks
from gates.design import Design, Sample
from gates.estimate import Estimates
from gates.gate import Gate
from gates.metric_table import ORACLE, PROGRESSIVE, STATE_AWARE
from gates.number import Json, plain
from gates.paired import catalog_correlation, paired_table
from gates.sign_flip import sign_flip
from gates.terminal import Tally
from gates.variation import variations
from gates.zero_count import instrument_bounds, zero_counts

__all__ = ["sensitivity"]

Tree = dict[str, Json]

_POWER = 0.8
_COMMON = "recovery_after_initial_miss_common_set"


def sensitivity(tally: Tally, estimates: Estimates, sample: Sample, gate: Gate) -> Tree:
    """Compute the analyses beside the gate.

    Parameters
    ----------
    tally
        Every episode's counts.
    estimates
        What was estimated from them.
    sample
        Their sums per task.
    gate
        What was decided.

    Returns
    -------
    dict
        JSON-ready; results/README.md says what each key means.

    Raises
    ------
    EstimationError
        If episodes are not paired.
    """
    design, conditions = estimates.design, estimates.conditions
    passes = _passes(tally)
    others = [name for name in conditions if name != STATE_AWARE]
    differences = _differences(design, passes[STATE_AWARE], passes[PROGRESSIVE])
    catalogs = sorted({key.catalog_size for key in tally.keys})
    by_catalog = {size: _of_catalog(design, tally, size) for size in catalogs}
    return {
        "rules": {**variations(sample, by_catalog, gate)},
        "sign_flip": sign_flip(
            differences.sum(axis=1), iterations=estimates.plan.iterations, seed=estimates.plan.seed
        ).to_json(),
        "paired": {name: _paired(passes[STATE_AWARE], passes[name], catalogs) for name in others},
        "catalog_correlation": catalog_correlation(differences),
        "bound_size": _bound_size(differences, gate),
        "common_miss_set": {
            variant: estimates.get(f"{_COMMON}{suffix}", STATE_AWARE, PROGRESSIVE).to_json()
            for variant, suffix in (("exposed", ""), ("in_time", "_in_time"), ("passed", "_passed"))
        },
        "instrument": instrument_bounds(sample, conditions, estimates.plan.level),
        "zero_counts": zero_counts(estimates, sample),
        "oracle_ceiling": _ceiling(sample) if ORACLE in conditions else None,
    }


Passes = Mapping[tuple[str, int], int]


def _passes(tally: Tally) -> dict[str, dict[tuple[str, int], int]]:
    """Give whether each episode passed, by condition, then by task and catalog."""
    found: dict[str, dict[tuple[str, int], int]] = {}
    for key, passed in zip(tally.keys, tally.columns["passes"], strict=True):
        found.setdefault(key.condition, {})[key.task_id, key.catalog_size] = passed
    return found


def _differences(design: Design, first: Passes, second: Passes) -> npt.NDArray[np.int64]:
    """Give the paired differences of passes, shape (T tasks, C catalogs), in canonical order."""
    sizes = sorted({size for _, size in first})
    return np.array(
        [
            [first[task_id, size] - second[task_id, size] for size in sizes]
            for task_id in design.task_ids
        ],
        dtype=np.int64,
    )


def _of_catalog(design: Design, tally: Tally, size: int) -> Sample:
    kept = [place for place, key in enumerate(tally.keys) if key.catalog_size == size]
    return Sample.tally(
        design,
        [tally.keys[place].task_id for place in kept],
        [tally.keys[place].condition for place in kept],
        {name: [values[place] for place in kept] for name, values in tally.columns.items()},
    )


def _paired(first: Passes, second: Passes, catalogs: Sequence[int]) -> Tree:
    def only(passes: Passes, size: int) -> dict[tuple[str, int], int]:
        return {pair: passed for pair, passed in passes.items() if pair[1] == size}

    return {
        "overall": paired_table(first, second).to_json(),
        "catalog": {
            str(size): paired_table(only(first, size), only(second, size)).to_json()
            for size in catalogs
        },
    }


def _bound_size(differences: npt.NDArray[np.int64], gate: Gate) -> Tree:
    """Give the tasks at which rule 1's bound would have 80% power, were both conditions equal."""
    catalogs, correlation = differences.shape[1], catalog_correlation(differences)
    margin = gate.rule("task_pass_non_inferiority").threshold
    known = margin < 0 and (correlation is not None or catalogs == 1) and differences.any()
    tasks = (
        approximate_tasks(
            float(np.abs(differences).mean()),
            correlation or 0.0,
            catalogs=catalogs,
            effect=0.0,
            margin=float(margin),
            power=_POWER,
            level=gate.plan.level,
        )
        if known
        else None
    )
    return {"true": 0.0, "power": _POWER, "tasks": None if tasks is None else math.ceil(tasks)}


def _ceiling(sample: Sample) -> Tree:
    """Give what the agent passes when it sees exactly the required tools: by stratum, language."""
    counts = sample.select([f"{ORACLE}/passes", f"{ORACLE}/episodes"])
    starts = np.concatenate([[0], np.cumsum(sample.design.sizes)[:-1]]).astype(np.intp)
    found: dict[str, Tree] = {}
    for cell, (passes, episodes) in zip(
        sample.design.cells, np.add.reduceat(counts, starts, axis=0).tolist(), strict=True
    ):
        found.setdefault(cell[0], {})[cell[1]] = {
            "passes": passes,
            "episodes": episodes,
            "value": plain(Fraction(passes, episodes)),
        }
    return {**found}
