"""Running shards in parallel, on whatever the configuration names, through one shard function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.grid import Shard
from harness.plant import DaskSection
from harness.shard import ShardResult
from harness.study import Study


def run_shards(
    study: Study,
    shards: Sequence[Shard],
    *,
    workers: int | None,
    progress: Callable[[int], None],
) -> tuple[ShardResult, ...]:
    """Run shards and return what was done about each, in their order.

    Parameters
    ----------
    study
        The study. Every process loads it once for itself and must find the same identity.
    shards
        The shards to run.
    workers
        How many processes on this machine; None for as many as there are processors to use.
    progress
        Called in this process with the number of episodes that were added.

    Raises
    ------
    StudyError
        The first error of a shard. Shards that run go on to their end, others do not start.
    InfrastructureError
        If the plant fails: finished shards are kept.
    """
    section = study.config.engine
    if isinstance(section, DaskSection):
        # Loads a cluster's client, which nobody else needs.
        from harness.dask_engine import run_on_dask

        return run_on_dask(study, shards, section, workers=workers, progress=progress)
    from harness.local_engine import run_locally

    return run_locally(study, shards, workers=workers, progress=progress)
