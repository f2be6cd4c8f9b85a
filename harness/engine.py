"""Running shards in parallel: processes on this machine, through the same shard function."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from harness.config import StudyConfig
from harness.error import ConfigError, InfrastructureError
from harness.grid import Shard
from harness.shard import ShardResult, run_shard
from harness.study import Study

_study: Study | None = None


def run_shards(
    study: Study,
    shards: Sequence[Shard],
    *,
    workers: int | None,
    progress: Callable[[ShardResult], None],
) -> tuple[ShardResult, ...]:
    """Run shards and return what was done about each, in their order.

    Parameters
    ----------
    study
        The study. Every process loads it once for itself and must find the same identity.
    shards
        The shards to run.
    workers
        How many processes; None for as many as there are processors to use.
    progress
        Called in this process as each shard ends.

    Raises
    ------
    StudyError
        The first error of a shard. Shards that run go on to their end, others do not start.
    InfrastructureError
        If a process died.
    """
    count = min(workers or _processors(), max(1, len(shards)))
    results: dict[Shard, ShardResult] = {}
    with ProcessPoolExecutor(
        count,
        mp_context=get_context("spawn"),
        initializer=_load,
        initargs=(study.config, study.task_folder),
    ) as pool:
        pending = [pool.submit(_run, shard, study.identity) for shard in shards]
        try:
            for future in as_completed(pending):
                result = future.result()
                results[result.shard] = result
                progress(result)
        except BrokenProcessPool as error:
            raise InfrastructureError(
                "A worker process died.", "Run the same command again; finished shards are kept."
            ) from error
        finally:
            for future in pending:
                future.cancel()
    return tuple(results[shard] for shard in shards)


def _load(config: StudyConfig, task_folder: Path) -> None:
    global _study  # noqa: PLW0603 - a worker process serves one study
    _study = Study(config, task_folder)


def _run(shard: Shard, identity: str) -> ShardResult:
    if _study is None:
        raise InfrastructureError("A worker has no study.", "Run the command again.")
    if _study.identity != identity:
        raise ConfigError(
            "Code, tasks or catalogs changed while the study ran.",
            "Leave the files alone and run the same command again.",
        )
    return run_shard(_study, shard)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
