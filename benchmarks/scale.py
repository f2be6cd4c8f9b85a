"""A synthetic study of a million episodes: ``python -m benchmarks.scale --episodes 1000000``.

Writes and aggregates as many episodes as asked for (default: 45,000), each shard through its log,
tables and manifest as any shard, and prints time, peak memory and bytes an episode of both. What is
written is a simulation: copies of the development tasks, of which a simulated agent answered each
once; they compress better than a real study would. Verification and counting make no difference.

A million takes an hour of one core to write and most of one to aggregate. On a 2-core machine that
was busy with other work as well, 1,000,350 episodes in 2,000 shards took 754 bytes an episode on
disk and 2,308 s to aggregate, 2.3 ms an episode; 45,000 episodes took 3.9 ms each there. What grows
with the study are the sums of its tasks, and the resampling of them at the end: over those of the
million's 66,690 tasks it peaked at 789 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from gates.simulation import aggregate_simulation
from harness.agents.cassette import Request
from harness.compose import load_config
from harness.grid import EpisodeKey, Shard, episode_keys
from harness.pin import pin_study
from harness.record import EpisodeRecord
from harness.shard import run_shard
from harness.study import Study
from router.canonical import digest

MARK = "~"
"""Stands between the name of a task and the number of its copy."""


class Copies(Study):
    """A study whose tasks are copies and whose episodes were run once."""

    def run(self, key: EpisodeKey, **_: Any) -> EpisodeRecord:
        """Return the episode of a copied task."""
        record = RECORDS[key._replace(task_id=key.task_id.partition(MARK)[0])]
        agent = digest(dict(self.agent_for(key).identity))
        exchanges = tuple(
            replace(
                item,
                request_sha256=Request(agent, item.messages_sha256, item.tools_sha256).sha256,
            )
            for item in record.exchanges
        )
        return replace(record, key=key, exchanges=exchanges)


RECORDS: dict[EpisodeKey, EpisodeRecord] = {}


def copied(copies: int, results: Path) -> Study:
    """Return the development study with every task so many times over."""
    config = load_config(["agent=simulated"])
    section = config.study.model_copy(update={"name": "scale", "tasks_per_cell": copies})
    study = Copies(config.model_copy(update={"study": section, "results": results}))
    real = Study(config)
    study.__dict__["catalogs"] = real.catalogs
    study.__dict__["tasks"] = {
        name: task.model_copy(update={"id": name})
        for task in real.tasks.values()
        for name in (f"{task.id}{MARK}{number:06d}" for number in range(copies))
    }
    return study


def record(conditions: Sequence[str]) -> None:
    """Run every development episode once with the simulated agent."""
    real = Study(load_config(["agent=simulated"]))
    for key in episode_keys(real.pairs, conditions):
        RECORDS[key] = real.run(key, clock=time.perf_counter)


def write(study: Study, shards: int, workers: int) -> None:
    """Write every shard, in forked processes that share what is loaded here."""
    record(study.config.study.conditions)
    pin_study(study, shards)
    with ProcessPoolExecutor(workers, get_context("fork"), _keep, (study,)) as pool:
        for _ in pool.map(_run, [Shard(index, shards) for index in range(shards)]):
            pass


def _keep(study: Study) -> None:
    global _study  # noqa: PLW0603 - a worker process serves one study
    _study = study


_study: Study | None = None


def _run(shard: Shard) -> int:
    if _study is None:
        raise RuntimeError("the worker has no study")
    return run_shard(_study, shard).episodes


def measured(stage: str, arguments: argparse.Namespace, folder: str) -> Mapping[str, Any]:
    """Run a stage in a process of its own and return what it measured."""
    options = [f"--{name}={getattr(arguments, name)}" for name in ("episodes", "shards", "workers")]
    command = [sys.executable, "-m", "benchmarks.scale", "--stage", stage, "--folder", folder]
    done = subprocess.run([*command, *options], check=True, stdout=subprocess.PIPE)
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


def processor() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(who)[:2]) for who in whose)


def stage(arguments: argparse.Namespace) -> None:
    """Run a stage and print what it took."""
    copies = -(-arguments.episodes // 450)
    study = copied(copies, Path(arguments.folder))
    shards = arguments.shards or max(1, study.config.study.episodes // 500)
    start, busy = time.perf_counter(), processor()
    if arguments.stage == "write":
        write(study, shards, arguments.workers)
    else:
        aggregate_simulation(
            study.folder, expected=study.record(shards), tasks=study.tasks, catalogs=study.catalogs
        )
    peaks = [
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    files = [path for path in study.folder.root.rglob("*") if path.is_file()]
    print(
        json.dumps(
            {
                "seconds": time.perf_counter() - start,
                # Without loading, which a study of copies does in its own way.
                "processor": processor() - busy,
                # Linux counts in KiB.
                "megabytes": max(peaks) / 1024,
                "episodes": study.config.study.episodes,
                "shards": shards,
                "bytes": sum(path.stat().st_size for path in files),
            }
        )
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=45_000)
    parser.add_argument("--shards", type=int, default=0, help="default: one for 500 episodes")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", help="a folder on the disk to measure")
    parser.add_argument("--stage", choices=("write", "aggregate"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.stage:
        stage(arguments)
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        written = measured("write", arguments, folder)
        print(
            f"simulation, never evidence: {written['episodes']:,} episodes in"
            f" {written['shards']:,} shards, {written['bytes'] / written['episodes']:,.0f} bytes an"
            f" episode on disk; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )
        for name, found in (
            ("write", written),
            ("aggregate", measured("aggregate", arguments, folder)),
        ):
            each = found["seconds"] / found["episodes"] * 1000
            print(
                f"{name:9s} {found['seconds']:8.1f} s   {each:6.3f} ms an episode"
                f"   processor {found['processor']:8.1f} s"
                f"   peak memory {found['megabytes']:6.0f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
