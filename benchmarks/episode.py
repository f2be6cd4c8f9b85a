"""Harness time of an episode, the agent's time apart: ``python -m benchmarks.episode``.

Runs the development split with the reference agent and prints, for each catalog and condition, the
median milliseconds of processor time an episode that are not the agent's. Nothing is stored and no
outcome is shown.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from harness.compose import load_config
from harness.grid import episode_keys
from harness.study import Study


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=10, help="how many tasks (default: 10)")
    arguments = parser.parse_args()
    study = Study(load_config())
    wanted = set(list(study.tasks)[: arguments.tasks])
    pairs = [pair for pair in study.pairs if pair.task_id in wanted]
    spent: dict[tuple[int, str], list[float]] = {}
    for key in episode_keys(pairs, study.config.study.conditions):
        record = study.run(key, clock=time.process_time)
        harness = record.wall_latency_ms - record.model_ms
        spent.setdefault((key.catalog_size, key.condition), []).append(harness)
    print(f"development split, {len(wanted)} tasks, reference agent; median ms an episode")
    for (size, condition), values in sorted(spent.items()):
        print(f"{size:4d}  {condition:22s} {median(values):6.2f}")


if __name__ == "__main__":
    main()
