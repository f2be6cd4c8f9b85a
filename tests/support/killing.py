"""Kills a shard at random points and lets it go on: ``python -m tests.support.killing --kills 50``.

Every attempt is a forked process that ends itself with SIGKILL: at a byte of a file that it writes,
or before one of the calls that make files durable, rename, link or remove them. The next attempt
goes on. Whatever happened, the shard has to end with the digest of an uninterrupted run, its files
whole, no attempt forgotten and no finished episode run twice.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from harness.disk import TEMPORARY_PREFIX
from harness.grid import EpisodeKey
from harness.ledger import Ledger
from harness.manifest import Manifest, read_record
from harness.record import EpisodeRecord
from harness.shard import run_shard
from harness.store import file_sha256
from harness.study import Study
from tests.support.recorded import SHARD, Recorded

CALLS = ("fsync", "fdatasync", "replace", "link", "unlink", "ftruncate", "mkdir")
MOST_ATTEMPTS = 40


@dataclass
class Killer:
    """Counts the points at which a process can die, and kills it at one of them."""

    at: int | None
    cut: float
    """Where in a write, as a share of its bytes."""
    points: int = 0

    def due(self) -> bool:
        self.points += 1
        return self.points - 1 == self.at

    def kill(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def install(self) -> None:
        write, fdopen = os.write, os.fdopen

        def cut_write(descriptor: int, content: Any) -> int:
            if self.due():
                write(descriptor, bytes(content)[: int(len(content) * self.cut)])
                self.kill()
            return write(descriptor, content)

        def cut_stream(descriptor: int, *args: Any) -> Any:
            return Stream(fdopen(descriptor, *args), self)

        os.write = cut_write  # type: ignore[assignment]
        os.fdopen = cut_stream  # type: ignore[assignment]
        for name in CALLS:
            if hasattr(os, name):
                setattr(os, name, self.before(getattr(os, name)))

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **options: Any) -> Any:
            if self.due():
                self.kill()
            return call(*args, **options)

        return counted


class Stream:
    """A file that may be killed inside a write."""

    def __init__(self, stream: BinaryIO, killer: Killer) -> None:
        self.stream = stream
        self.killer = killer

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *error: object) -> None:
        self.stream.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, content: Any) -> int:
        if self.killer.due():
            self.stream.write(bytes(content)[: int(len(content) * self.killer.cut)])
            self.stream.flush()
            self.killer.kill()
        return self.stream.write(content)


@dataclass(frozen=True)
class Bench:
    """Attempts at a shard whose episodes were run once and are only handed out from then on."""

    recorded: Recorded

    def attempt(self, results: Path, killer: Killer) -> int | None:
        """Fork an attempt; return the points that it passed, None when it was killed."""
        reader, writer = os.pipe()
        tell = os.write
        child = os.fork()
        if child == 0:
            self.run(results, killer, writer, tell)
        os.close(writer)
        with open(reader, "rb") as answer:
            told = answer.read()
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return None
        if status:
            sys.exit(f"an attempt ended with status {status}")
        return int(told)

    def run(
        self, results: Path, killer: Killer, writer: int, tell: Callable[[int, bytes], int]
    ) -> None:
        status = 1
        try:
            study = self.recorded.at(results)
            count = os.open(results.with_suffix(".runs"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)

            def run(study: Study, key: EpisodeKey, **_: Any) -> EpisodeRecord:
                tell(count, b".")
                return self.recorded.records[key]

            Study.run = run  # type: ignore[method-assign]
            killer.install()
            run_shard(study, SHARD)
            tell(writer, str(killer.points).encode())
            status = 0
        finally:
            os._exit(status)

    def trial(self, results: Path, draw: random.Random, points: int) -> int:
        """Kill attempts until one ends; return how many were killed."""
        for kills in range(MOST_ATTEMPTS):
            spared = draw.random() < 0.3 and kills
            killer = Killer(None if spared else draw.randrange(points), draw.random())
            if self.attempt(results, killer) is not None:
                # A kill may have been due after the last point of a shorter attempt.
                return kills
        sys.exit("no attempt came to its end")

    def check(self, results: Path, kills: int) -> str:
        """Check what a trial left; return its digest."""
        folder = self.recorded.at(results).folder
        manifest = read_record(folder.manifest(SHARD), Manifest)
        for name, entry in manifest.tables.items():
            demand(file_sha256(folder.table(name, SHARD)) == entry.sha256, f"another {name}")
        demand(not folder.log(SHARD).exists(), "the log is still there")
        attempts = Ledger(folder.attempts(SHARD)).attempts()
        demand(all(item.outcome != "started" for item in attempts), "an attempt has no end")
        demand(sum(item.outcome == "finished" for item in attempts) == 1, "not finished once")
        demand(attempts[manifest.attempt - 1].outcome == "finished", "another attempt finished it")
        # An attempt that was killed before its first line in the ledger is none.
        demand(len(attempts) <= kills + 1, "more attempts than there were")
        runs = results.with_suffix(".runs").stat().st_size
        demand(runs <= len(self.recorded.records) + kills, "a finished episode was run again")
        told = sum(item.effort.episodes for item in attempts if item.effort)
        demand(told <= len(self.recorded.records), "an episode was counted twice")
        return manifest.logical_digest


def demand(holds: bool, otherwise: str) -> None:
    if not holds:
        sys.exit(otherwise)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=50, help="how many kills (default: 50)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    # Where there is one, a file system in memory: what is tested is the order of steps.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        bench = Bench(Recorded.build(Path(name) / "bench"))
        points = bench.attempt(Path(name) / "whole", Killer(None, 0))
        if points is None:
            sys.exit("the uninterrupted attempt died")
        digest = bench.check(Path(name) / "whole", 0)
        kills = trials = leftovers = 0
        while kills < arguments.kills:
            results = Path(name) / f"trial-{trials}"
            died = bench.trial(results, draw, points)
            demand(bench.check(results, died) == digest, f"trial {trials}: another digest")
            leftovers += sum(1 for _ in results.rglob(f"{TEMPORARY_PREFIX}*"))
            kills, trials = kills + died, trials + 1
    print(f"{kills} kills in {trials} shards of {points} points each: one digest, nothing lost")
    print(f"{leftovers} temporary files were left, which mean nothing")


if __name__ == "__main__":
    main()
