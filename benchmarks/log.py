"""Cost of durable logging, an episode: ``python -m benchmarks.log``.

Appends every episode of the development study to an episode log on a local disk, each durable
before the next, and prints milliseconds an episode: in all, of processor time alone, and of a bare
write and sync of as many bytes, which is the disk's own part.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

from harness.compose import load_config
from harness.effort import Effort
from harness.grid import Shard, episode_keys
from harness.journal import encode, read_journal
from harness.log import EpisodeLog, Owner
from harness.record import EpisodeRecord
from harness.study import Study


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tasks", type=int, default=30, help="how many tasks (default: all 30)")
    parser.add_argument("--folder", help="a folder on the disk to measure")
    arguments = parser.parse_args()
    study = Study(load_config())
    wanted = set(list(study.tasks)[: arguments.tasks])
    pairs = [pair for pair in study.pairs if pair.task_id in wanted]
    keys = episode_keys(pairs, study.config.study.conditions)
    episodes = [study.run(key, clock=time.perf_counter) for key in keys]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        owner = Owner(study="dev", identity=study.identity, shard=Shard(0, 1).name)
        log = EpisodeLog(Path(name) / "log", owner, keys)
        wall, processor = appended(log, episodes)
        lines = [encode(payload) for payload in read_journal(log.path)][-len(episodes) :]
        bare = synced(Path(name) / "bare", lines)
        size = log.path.stat().st_size / len(episodes)
    print(f"{len(episodes)} episodes of the development study, {size:,.0f} bytes each on average")
    for what, values in (("logging", wall), ("  processor", processor), ("disk alone", bare)):
        print(
            f"{what:12s} median {median(values):6.3f} ms   p95 {quantiles(values, n=20)[-1]:7.3f}"
        )
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def appended(log: EpisodeLog, episodes: Sequence[EpisodeRecord]) -> tuple[list[float], list[float]]:
    """Append episodes; return wall and processor milliseconds of each."""
    wall, processor = [], []
    with log.writing(1) as writer:
        for episode in episodes:
            start, busy = time.perf_counter(), time.process_time()
            writer.append(episode, seconds=0.0, effort=Effort(episodes=1))
            processor.append((time.process_time() - busy) * 1000)
            wall.append((time.perf_counter() - start) * 1000)
    return wall, processor


def synced(path: Path, lines: Sequence[bytes]) -> list[float]:
    """Append lines without anything else; return wall milliseconds of each."""
    wall = []
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    sync = getattr(os, "fdatasync", os.fsync)
    for line in lines:
        start = time.perf_counter()
        os.write(descriptor, line)
        sync(descriptor)
        wall.append((time.perf_counter() - start) * 1000)
    os.close(descriptor)
    return wall


if __name__ == "__main__":
    main()
