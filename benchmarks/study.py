"""The development study end to end, and the memory of one shard: ``python -m benchmarks.study``.

Runs the command line as a user would, in a temporary folder, and prints wall seconds of `run` and
`aggregate` on all cores and the peak memory of a process that runs one shard of two.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def harness(*argv: str) -> float:
    """Run a verb, its output thrown away, and return wall seconds."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "harness", *argv], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        one = f"results={Path(folder) / 'one'}"
        harness("run-shard", "study=dev", one, "shard.index=0", "shard.count=2")
        # The largest child so far is the process that ran the shard; Linux counts in KiB.
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        whole = f"results={Path(folder) / 'whole'}"
        run = harness("run", "study=dev", whole)
        aggregate = harness("aggregate", "study=dev", whole)
    print(f"development study, 450 episodes, reference agent, {os.cpu_count()} cores")
    print(f"run {run:.1f} s   aggregate {aggregate:.1f} s   together {run + aggregate:.1f} s")
    print(f"one shard of two (225 episodes): peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
