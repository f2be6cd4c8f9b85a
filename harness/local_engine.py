"""Shards in processes of this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from ctypes import Array, c_int64
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from typing import Final

from harness.config import StudyConfig
from harness.error import ConfigError, InfrastructureError
from harness.grid import Shard
from harness.shard import ShardResult, run_shard
from harness.study import Study

_POLL: Final = 0.2
"""Seconds between two looks at how far the processes are."""


@dataclass(frozen=True)
class _Settings:
    """What a process is told when it starts."""

    config: StudyConfig
    task_folder: Path
    done: Array[c_int64]
    """Episodes of each shard, by its place: each is written by one process alone."""


_settings: _Settings | None = None
_study: Study | None = None


def run_locally(
    study: Study,
    shards: Sequence[Shard],
    *,
    workers: int | None,
    progress: Callable[[int], None],
) -> tuple[ShardResult, ...]:
    """Run shards in processes of this machine; see `harness.engine.run_shards`.

    Notes
    -----
    An interrupt kills the processes, which a shard survives at any moment; so does the end of this
    process, however it comes.
    """
    count = min(workers or processors(), max(1, len(shards)))
    done: Array[c_int64] = RawArray(c_int64, max(1, len(shards)))
    told = 0
    # A shard's manifest says how many processes were at work, whoever chose their number.
    config = study.config.model_copy(update={"workers": count})
    with ProcessPoolExecutor(
        count,
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(_Settings(config, study.task_folder, done),),
    ) as pool:
        futures: list[Future[ShardResult]] = []
        try:
            with _interrupts_held():
                futures += [
                    pool.submit(_run, shard, place, study.identity)
                    for place, shard in enumerate(shards)
                ]
            pending = set(futures)
            while pending:
                ended, pending = wait(pending, timeout=_POLL, return_when=FIRST_COMPLETED)
                told, before = sum(done), told
                progress(told - before)
                for future in ended:
                    # Raises the shard's error.
                    future.result()
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
    return tuple(future.result() for future in futures)


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


def _begin(settings: _Settings) -> None:
    """Prepare a worker; the study is loaded with a shard, so that an error is the shard's."""
    global _settings  # noqa: PLW0603 - a worker process serves one study
    _settings = settings
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _end_with_parent() -> None:
    """End this process when its parent has ended, which a killed parent cannot ask for."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(InfrastructureError.exit_code)


def _run(shard: Shard, place: int, identity: str) -> ShardResult:
    global _study  # noqa: PLW0603 - a worker process serves one study
    if _settings is None:
        raise InfrastructureError("A worker has no study.", "Run the command again.")
    done = _settings.done
    if _study is None:
        _study = Study(_settings.config, _settings.task_folder)
    if _study.identity != identity:
        raise ConfigError(
            "Code, tasks or catalogs changed while the study ran.",
            "Leave the files alone and run the same command again.",
        )

    def advance(episodes: int) -> None:
        done[place] += episodes

    return run_shard(_study, shard, progress=advance)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
