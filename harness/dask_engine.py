"""Shards on the workers of a Dask cluster.

The driver maps the shards and nothing else: what a worker does is `run_shard`, so that it does not
matter whether Dask runs a shard once, or again because a worker went away. Workers see the same
results folder, or share a store.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.config import StudyConfig
from harness.error import ConfigError, InfrastructureError
from harness.grid import Shard
from harness.identity import SOURCES
from harness.local_engine import processors
from harness.plant import DaskSection
from harness.shard import ShardResult, run_shard
from harness.study import Study
from surface.error import StudyError

_EVERY: Final = 0.5
"""Seconds between two messages about the progress of a shard."""

_PATIENCE: Final = 60.0
"""Seconds to wait for the scheduler, and for its first worker."""

_AGAIN: Final = "See to the cluster, then run the same command again; finished shards are kept."

_loading = threading.Lock()
_loaded: dict[str, Study] = {}
"""The study of the run that this worker serves, by the run's topic."""
_sources: dict[str, str] = {}
"""The components of the code that this worker runs: it reads no other while it lives."""


@dataclass(frozen=True)
class Job:
    """What every shard of a run has in common."""

    config: StudyConfig
    task_folder: Path
    identity: str
    topic: str
    """Where progress is told."""


def run_on_dask(
    study: Study,
    shards: Sequence[Shard],
    section: DaskSection,
    *,
    workers: int | None,
    progress: Callable[[int], None],
) -> tuple[ShardResult, ...]:
    """Run shards on a cluster; see `harness.engine.run_shards`.

    Raises
    ------
    ConfigError
        If the extra ``dask`` is not installed.
    InfrastructureError
        If the cluster does not answer, has no worker, or lost too many over one shard.
    """
    try:
        import distributed
    except ImportError as error:
        raise ConfigError(
            "The engine dask needs a package that is not installed.", "Install the extra dask."
        ) from error
    # Workers need not share this one's working folder.
    results = study.config.results.absolute()
    counter = _Counter(progress)
    with _cluster(section, workers) as client:
        # A shard's manifest says how many are at work; more may join, so that none is ever alone.
        processes = max(2, len(client.scheduler_info(n_workers=-1)["workers"]))
        job = Job(
            study.config.model_copy(update={"results": results, "workers": processes}),
            study.task_folder,
            study.identity,
            f"shards-{secrets.token_hex(8)}",
        )
        client.subscribe_topic(job.topic, lambda event: counter.take(*event[1]))
        futures = client.map(_run, list(shards), job=job, pure=False, retries=section.retries)
        try:
            for future in distributed.as_completed(futures):
                found = _result(future)
                counter.take(found.shard.index, found.episodes)
            return tuple(map(_result, futures))
        finally:
            client.cancel([future for future in futures if not future.done()])


def _result(future: Any) -> ShardResult:
    """Return what a future that has ended came to, or raise its error."""
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    try:
        found: ShardResult | StudyError = future.result()
    except KilledWorker as error:
        raise InfrastructureError("Worker after worker died over one shard.", _AGAIN) from error
    except FutureCancelledError as error:
        raise InfrastructureError("The Dask cluster gave the shards up.", _AGAIN) from error
    if isinstance(found, StudyError):
        raise found
    return found


@contextmanager
def _cluster(section: DaskSection, workers: int | None) -> Iterator[Any]:
    """Connect to the cluster, or start one on this machine for the time of the body."""
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        try:
            address = section.scheduler or stack.enter_context(
                LocalCluster(
                    n_workers=workers or processors(),
                    threads_per_worker=1,
                    dashboard_address=":0",
                    silence_logs=logging.ERROR,
                )
            )
            client = stack.enter_context(Client(address, timeout=_PATIENCE))
            client.wait_for_workers(1, timeout=_PATIENCE)
        except OSError as error:
            place = section.scheduler or "of this machine"
            raise InfrastructureError(
                f"The Dask cluster {place} has no scheduler or no worker.", _AGAIN
            ) from error
        yield client


class _Counter:
    """Adds up the episodes of shards, of which workers tell how far they are."""

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._done: dict[int, int] = {}

    def take(self, index: int, episodes: int) -> None:
        """Take how many episodes of a shard are done; fewer than before are no news."""
        with self._lock:
            more = episodes - self._done.get(index, 0)
            if more > 0:
                self._done[index] = episodes
                self._progress(more)


def _run(shard: Shard, *, job: Job) -> ShardResult | StudyError:
    """Run a shard in a worker. What trying again does not help is returned, not raised."""
    from distributed import get_worker

    worker = get_worker()
    done, told = 0, time.monotonic()

    def advance(episodes: int) -> None:
        nonlocal done, told
        done += episodes
        if time.monotonic() - told >= _EVERY:
            told = time.monotonic()
            worker.log_event(job.topic, [shard.index, done])

    try:
        return run_shard(_study(job), shard, progress=advance)
    except InfrastructureError:
        raise
    except StudyError as error:
        return error


def _study(job: Job) -> Study:
    with _loading:
        if job.topic not in _loaded:
            study = Study(job.config, job.task_folder)
            sources = {name: study.components[name] for name in SOURCES}
            # A worker that outlives an update reads the new files and runs the old code.
            if study.identity != job.identity or (_sources or sources) != sources:
                raise ConfigError(
                    "A worker has other code, tasks or catalogs than this machine.",
                    "Install the same version everywhere, restart the workers, then run again.",
                )
            _sources.update(sources)
            _loaded.clear()
            _loaded[job.topic] = study
        return _loaded[job.topic]
