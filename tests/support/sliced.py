"""The development slice, run by the reference agent: a study that its bundle tells whole."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gates.aggregate import aggregate
from gates.bundle import BUNDLE
from harness.compose import load_config
from harness.folder import StudyFolder
from harness.grid import Shard
from harness.shard import run_shard
from harness.study import Study


@cache
def _kept() -> TemporaryDirectory[str]:
    """A folder that lasts as long as the process."""
    return TemporaryDirectory(prefix="slice-")


@cache
def sliced() -> StudyFolder:
    """The terminal study, run once a process."""
    results = Path(_kept().name) / "results"
    study = Study(load_config(["study=slice", "agent=reference", f"results={results}"]))
    run_shard(study, Shard(0, 1))
    aggregate(study.folder, expected=study.record(1), tasks=study.tasks, catalogs=study.catalogs)
    return study.folder


def bundle() -> Path:
    """Its bundle."""
    return sliced().terminal / BUNDLE
