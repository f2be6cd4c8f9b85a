"""The development study end to end: ``python -m benchmarks.study [--times 6] [--overhead]``.

Runs and aggregates it on all cores in a temporary folder, every task so many times over, and tells
wall and processor seconds and peak memory: of this process, which aggregates, and of the largest
worker. Six times over are 2,700 episodes, as many as the full study has. ``--overhead`` runs it
with one worker before, and tells how much longer the workers take than their share of that time:
it means something on a machine that is idle and has a core for each.
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
from harness.manifest import StudyRecord
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


def run(times: int, workers: int, folder: Path) -> tuple[Study, StudyRecord]:
    """Run every shard of the repeated study in a folder."""
    study = repeated(times, folder)
    record = pin_study(study, DEFAULT_SHARDS * times)
    shards = [Shard(index, record.shards) for index in range(record.shards)]
    run_shards(study, shards, workers=workers, progress=lambda _: None)
    return study, record


def processor() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(who)[:2]) for who in whose)


def megabytes(who: int) -> float:
    """Return the peak memory of this process or of its largest child; Linux counts in KiB."""
    return resource.getrusage(who).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=1, help="how often each task (default: 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--overhead", action="store_true", help="run with one worker before")
    arguments = parser.parse_args()
    times, workers = arguments.times, arguments.workers
    with tempfile.TemporaryDirectory() as name:
        alone = 0.0
        if arguments.overhead:
            start = time.perf_counter()
            run(times, 1, Path(name) / "alone")
            alone = time.perf_counter() - start
        start, busy = time.perf_counter(), processor()
        study, record = run(times, workers, Path(name) / "study")
        ran = time.perf_counter()
        aggregate(study.folder, expected=record, tasks=study.tasks, catalogs=study.catalogs)
        ended, busy = time.perf_counter(), processor() - busy
    print(
        f"development study {times} times over, {study.config.study.episodes:,} episodes,"
        f" reference agent, {workers} workers"
    )
    print(
        f"run {ran - start:.1f} s   aggregate {ended - ran:.1f} s   together {ended - start:.1f} s"
        f"   processor {busy:.1f} s   load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    print(
        f"peak memory: {megabytes(resource.RUSAGE_CHILDREN):.0f} MB a worker,"
        f" {megabytes(resource.RUSAGE_SELF):.0f} MB to aggregate"
    )
    if alone:
        over = workers * (ran - start) / alone - 1
        print(f"one worker runs {alone:.1f} s: {over:+.1%} against an equal share for {workers}")


if __name__ == "__main__":
    main()
