"""Speed of both bootstraps with all metrics, beside scipy.stats.bootstrap on one metric.

The counts are synthetic. Everything is timed in one process with one BLAS thread, alternating, so
that both sides meet the same machine. SciPy's bootstrap knows neither strata nor shared draws: its
time is for one metric and one interval, and the ratios below say what they compare.

    python -m benchmarks.bootstrap [--iterations 10000] [--repeats 7] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gates.design import Sample

# Read by the BLAS library when NumPy loads it, which is why NumPy is imported in functions here.
_ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}


def synthetic_sample(seed: int = 20260929) -> Sample:
    """Random counts for every column of the study: 30 cells of 6 tasks, 5 conditions."""
    import numpy as np

    from gates.design import Design, Sample
    from gates.metric_table import COLUMNS, CONDITIONS

    design = Design.of(
        (f"stratum-{stratum}", f"language-{language}", f"task-{stratum}-{language}-{place}")
        for stratum in range(5)
        for language in range(6)
        for place in range(6)
    )
    source = np.random.default_rng(seed)
    names = tuple(f"{condition}/{column}" for condition in CONDITIONS for column in COLUMNS)
    matrix = source.integers(0, 4, size=(len(design.task_ids), len(names)))
    for position, name in enumerate(names):
        if name.endswith("episodes"):
            matrix[:, position] = 3
        elif "tokens" in name:
            matrix[:, position] = source.integers(1_000, 300_000, len(matrix))
    return Sample(design, names, matrix)


def contenders(iterations: int) -> tuple[dict[str, Callable[[], object]], int]:
    """What is timed, by label, and how many intervals the first of them makes."""
    import numpy as np
    import numpy.typing as npt
    from scipy import stats

    from gates.estimand import Estimand, estimands
    from gates.estimate import Plan
    from gates.estimator import estimate
    from gates.metric_table import METRICS, PROGRESSIVE, STATE_AWARE

    sample = synthetic_sample()
    everything = estimands()
    one = Estimand(METRICS["next_tool_recall_at_5"], STATE_AWARE, PROGRESSIVE, "difference")
    plan = Plan(iterations=iterations)
    primary = Plan(iterations=iterations, companion=False)
    columns = tuple(column.astype(np.float64) for column in sample.select(one.columns).T)

    def difference(*parts: npt.NDArray[np.float64], axis: int = -1) -> npt.NDArray[np.float64]:
        a, b, c, d = (part.sum(axis=axis) for part in parts)
        return np.asarray(a / b - c / d)

    def peer() -> object:
        return stats.bootstrap(
            columns,
            difference,
            paired=True,
            vectorized=True,
            n_resamples=iterations,
            method="percentile",
            rng=np.random.default_rng(1),
        )

    jobs: dict[str, Callable[[], object]] = {
        f"both bootstraps, {len(everything)} figures": lambda: estimate(sample, everything, plan),
        "primary bootstrap, one figure": lambda: estimate(sample, [one], primary),
        "scipy.stats.bootstrap, the same figure, unstratified": peer,
    }
    return jobs, 2 * len(everything)


def measure(
    jobs: Mapping[str, Callable[[], object]], repeats: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Seconds of each job, on the clock and of the processor, after one warm-up, taking turns."""
    for job in jobs.values():
        job()
    seconds: dict[str, list[float]] = {label: [] for label in jobs}
    busy: dict[str, list[float]] = {label: [] for label in jobs}
    for _ in range(repeats):
        for label, job in jobs.items():
            start, begun = time.perf_counter(), time.process_time()
            job()
            busy[label].append(time.process_time() - begun)
            seconds[label].append(time.perf_counter() - start)
    return seconds, busy


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--iterations", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(arguments)
    os.environ.update(_ONE_THREAD)
    jobs, intervals = contenders(chosen.iterations)
    seconds, busy = measure(jobs, chosen.repeats)
    medians = {label: statistics.median(values) for label, values in seconds.items()}
    whole, single, peer = medians.values()
    ratios = {
        "SciPy, one interval / ours, one interval": peer / single,
        f"SciPy, one interval / ours, one of {intervals} made together": peer / whole * intervals,
    }
    if chosen.json:
        print(json.dumps({"seconds": seconds, "cpu_seconds": busy, "peer_ratios": ratios}))
        return
    print(
        f"180 tasks x {chosen.iterations} replicates, Python {platform.python_version()},"
        f" {platform.machine()}, one BLAS thread; median of {chosen.repeats} (least to most),"
        " and of the processor alone"
    )
    for label, values in seconds.items():
        print(
            f"{medians[label]:8.3f} s  ({min(values):.3f} to {max(values):.3f})"
            f"  {statistics.median(busy[label]):.3f} s  {label}"
        )
    for label, ratio in ratios.items():
        print(f"{ratio:8.2f} x  peer ratio: {label}")


if __name__ == "__main__":
    main()
