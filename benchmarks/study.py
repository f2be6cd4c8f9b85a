"""The development study end to end: ``python -m benchmarks.study [--times 6]``.

Runs and aggregates it on all cores in a temporary folder, every task so many times over, and tells
wall seconds and peak memory: of this process, which aggregates, and of the largest worker. Six
times over are 2,700 episodes, as many as the full study has.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import tempfile
import time
from pathlib import Path

from gates.aggregate import aggregate
from harness.compose import load_config
from harness.config import DEFAULT_SHARDS
from harness.engine import run_shards
from harness.grid import Shard
from harness.pin import pin_study
from harness.study import Study
from surface.task import TASK_FOLDER


def repeated(times: int, folder: Path) -> Study:
    """Return the development study with every task so many times over, in a folder."""
    config = load_config()
    for path in sorted((TASK_FOLDER / "dev").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        for number in range(times):
            copy = folder / "tasks" / "dev" / f"{path.stem}-{number}.yaml"
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(
                re.sub(r"(?m)^- id: (\S+)$", rf"- id: \1-{number}", text), encoding="utf-8"
            )
    section = config.study.model_copy(update={"tasks_per_cell": times})
    results = folder / "results"
    return Study(config.model_copy(update={"study": section, "results": results}), folder / "tasks")


def megabytes(who: int) -> float:
    """Return the peak memory of this process or of its largest child; Linux counts in KiB."""
    return resource.getrusage(who).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=1, help="how often each task (default: 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        start = time.perf_counter()
        study = repeated(arguments.times, Path(name))
        record = pin_study(study, DEFAULT_SHARDS * arguments.times)
        shards = [Shard(index, record.shards) for index in range(record.shards)]
        run_shards(study, shards, workers=arguments.workers, progress=lambda _: None)
        ran = time.perf_counter()
        aggregate(study.folder, expected=record, tasks=study.tasks, catalogs=study.catalogs)
        ended = time.perf_counter()
    print(
        f"development study {arguments.times} times over, {study.config.study.episodes:,} episodes,"
        f" reference agent, {arguments.workers} workers"
    )
    print(
        f"run {ran - start:.1f} s   aggregate {ended - ran:.1f} s   together {ended - start:.1f} s"
    )
    print(
        f"peak memory: {megabytes(resource.RUSAGE_CHILDREN):.0f} MB a worker,"
        f" {megabytes(resource.RUSAGE_SELF):.0f} MB to aggregate"
    )


if __name__ == "__main__":
    main()
