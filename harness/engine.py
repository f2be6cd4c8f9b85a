"""Running shards in parallel: processes on this machine, through the same shard function."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path

from harness.config import StudyConfig
from harness.error import ConfigError, InfrastructureError
from harness.grid import Shard
from harness.shard import ShardResult, run_shard
from harness.study import Study

_settings: tuple[StudyConfig, Path] | None = None
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

    Notes
    -----
    An interrupt kills the processes, which a shard survives at any moment; so does the end of this
    process, however it comes.
    """
    count = min(workers or _processors(), max(1, len(shards)))
    results: dict[Shard, ShardResult] = {}
    with ProcessPoolExecutor(
        count,
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(study.config, study.task_folder),
    ) as pool:
        pending = []
        try:
            with _interrupts_held():
                pending += [pool.submit(_run, shard, study.identity) for shard in shards]
            for future in as_completed(pending):
                result = future.result()
                results[result.shard] = result
                progress(result)
        except BrokenProcessPool as error:
            raise InfrastructureError(
                "A worker process died.", "Run the same command again; finished shards are kept."
            ) from error
        except KeyboardInterrupt:
            for process in active_children():
                process.kill()
            raise
        finally:
            # Not `Future.cancel`: the pool's own thread would trip over it when processes died.
            pool.shutdown(cancel_futures=True)
    return tuple(results[shard] for shard in shards)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold interrupts back while the body starts processes, which keep them held for good.

    A terminal interrupts every process in the foreground. It is for this one to end the others,
    which would each print a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(config: StudyConfig, task_folder: Path) -> None:
    """Prepare a worker; the study is loaded with a shard, so that an error is the shard's."""
    global _settings  # noqa: PLW0603 - a worker process serves one study
    _settings = config, task_folder
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _end_with_parent() -> None:
    """End this process when its parent has ended, which a killed parent cannot ask for."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(InfrastructureError.exit_code)


def _run(shard: Shard, identity: str) -> ShardResult:
    global _study  # noqa: PLW0603 - a worker process serves one study
    if _settings is None:
        raise InfrastructureError("A worker has no study.", "Run the command again.")
    if _study is None:
        _study = Study(*_settings)
    if _study.identity != identity:
        raise ConfigError(
            "Code, tasks or catalogs changed while the study ran.",
            "Leave the files alone and run the same command again.",
        )
    return run_shard(_study, shard)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
