"""What comes by construction, and what is possible: ``python -m benchmarks.floor``.

For every cell of the development split, the share of episodes that pass when tools are called by
lot under each condition (the floor that the condition gives by itself), and beside it what the
reference agent passes under `ORACLE` (its ceiling). Agents without a model: an instrument check,
never evidence. No time is measured; the same lines come out on any machine.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from conditions.preregistered import CONDITIONS, Oracle
from gates.text_table import table
from harness.compose import load_config
from harness.grid import episode_keys
from harness.progress import episode_bar
from harness.study import Study

Cell = tuple[str, str]
"""Stratum and language."""

CEILING: Final = "reference, ORACLE"


def passes(agent: str, conditions: Sequence[str]) -> Mapping[tuple[Cell, str], float]:
    """Return the share of passed episodes by cell and condition, over all catalogs."""
    study = Study(load_config(["study=dev", f"agent={agent}"]))
    keys = episode_keys(study.pairs, conditions)
    found = defaultdict(list)
    with episode_bar(len(keys), enabled=True) as advance:
        for key in keys:
            episode = study.run(key, clock=time.perf_counter)
            found[(episode.stratum, episode.language), key.condition].append(episode.task_pass)
            advance(1)
    return {cell: fmean(passed) for cell, passed in found.items()}


def rows() -> Iterator[list[str]]:
    """Yield the table: a line for every cell, and one for all of them."""
    names = list(CONDITIONS)
    floor, ceiling = passes("random", names), passes("reference", [Oracle.name])
    cells = sorted({cell for cell, _ in floor})
    yield ["stratum", "language", *names, CEILING]
    for cell in cells:
        shares = [floor[cell, name] for name in names]
        yield [*cell, *(f"{share:.2f}" for share in (*shares, ceiling[cell, Oracle.name]))]
    means = [fmean(floor[cell, name] for cell in cells) for name in names]
    yield ["all", "", *(f"{mean:.2f}" for mean in (*means, fmean(ceiling.values())))]


def main() -> None:
    """Run both agents and print."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    print("Task pass by lot under each condition, and the reference agent's ceiling (dev split)")
    for line in table(list(rows()), left=2):
        print(line)


if __name__ == "__main__":
    main()
