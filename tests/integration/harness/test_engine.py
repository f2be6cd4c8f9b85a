"""Shards in parallel processes give what they give in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.engine import run_shards
from harness.error import ConfigError
from harness.grid import Shard
from harness.manifest import Manifest, read_record
from harness.pin import pin_study
from harness.shard import run_shard
from tests.support.tiny import EPISODES, Tiny

SHARDS = [Shard(0, 2), Shard(1, 2)]


def manifests(tiny: Tiny) -> list[Manifest]:
    folder = tiny.study().folder
    return [read_record(folder.manifest(shard), Manifest) for shard in SHARDS]


def test_two_processes_give_what_one_gives(tmp_path: Path) -> None:
    parallel = Tiny.build(tmp_path / "parallel")
    seen: list[int] = []
    pin_study(parallel.study(), 2)
    results = run_shards(parallel.study(), SHARDS, workers=2, progress=seen.append)
    assert [result.shard for result in results] == SHARDS
    assert {result.action for result in results} == {"ran"}
    assert sum(seen) == sum(result.episodes for result in results) == EPISODES
    serial = Tiny(parallel.configs, parallel.tasks, tmp_path / "serial")
    for shard in SHARDS:
        run_shard(serial.study(), shard)
    pairs = list(zip(manifests(parallel), manifests(serial), strict=True))
    assert all(one.logical_digest == other.logical_digest for one, other in pairs)
    # Times that were measured side by side say so.
    told = {(one.environment["processes"], other.environment["processes"]) for one, other in pairs}
    assert told == {("2", "1")}


def test_a_study_that_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    study = Tiny.build(tmp_path).study()
    study.__dict__["identity"] = "0" * 64
    with pytest.raises(ConfigError, match="changed while the study ran"):
        run_shards(study, SHARDS, workers=1, progress=lambda _: None)
