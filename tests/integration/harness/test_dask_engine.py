"""Two Dask nodes, one of which is killed: every shard ends once, as on one machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from harness.engine import run_shards
from harness.error import ConfigError, InfrastructureError
from harness.grid import Shard
from harness.ledger import Ledger
from harness.manifest import Manifest, read_record
from harness.shard import run_shard
from tests.support.network import places
from tests.support.tiny import EPISODES, Tiny
from tests.unit.project.checkout import ROOT

SHARDS = [Shard(index, 5) for index in range(5)]


@contextmanager
def node(
    folder: Path, *command: str, enter: tuple[str, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*enter, sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DASK_LOGGING__DISTRIBUTED": "error"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler, and two nodes with networks or at least addresses of their own."""
    address = folder / "scheduler.json"
    options = ("--no-dashboard", "--scheduler-file", str(address))
    with ExitStack() as stack:
        found = stack.enter_context(places(2))
        scheduler = ("distributed.cli.dask_scheduler", "--host", found[0].near, "--port", "0")
        stack.enter_context(node(folder, *scheduler, *options))
        nodes = [
            stack.enter_context(
                node(
                    folder,
                    *("distributed.cli.dask_worker", "--host", place.host, "--no-nanny"),
                    *("--nthreads", "1", "--local-directory", str(folder / f"node-{number}")),
                    *options,
                    enter=place.enter,
                )
            )
            for number, place in enumerate(found)
        ]
        deadline = time.monotonic() + 60
        while not address.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        yield json.loads(address.read_text())["address"], nodes


def digests(tiny: Tiny) -> list[str]:
    folder = tiny.study("shard.count=5").folder
    return [read_record(folder.manifest(shard), Manifest).logical_digest for shard in SHARDS]


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    tiny = Tiny.build(tmp_path_factory.mktemp("local"))
    for shard in SHARDS:
        run_shard(tiny.study("shard.count=5"), shard)
    return tiny


def test_a_node_that_is_killed_changes_nothing(local: Tiny, tmp_path: Path) -> None:
    tiny = Tiny(local.configs, local.tasks, tmp_path / "results")
    with cluster(tmp_path) as (address, nodes):
        study = tiny.study("shard.count=5", "engine=dask", f"engine.scheduler={address}")
        attempts = study.folder.root / "attempts"

        def kill_one_at_work() -> None:
            while not attempts.is_dir() or len(list(attempts.iterdir())) < 2:
                time.sleep(0.02)
            nodes[0].send_signal(signal.SIGKILL)

        killer = threading.Thread(target=kill_one_at_work, daemon=True)
        killer.start()
        told: list[int] = []
        results = run_shards(study, SHARDS, workers=None, progress=told.append)
        killer.join()
        assert nodes[0].wait(timeout=60) == -signal.SIGKILL
    assert [result.shard for result in results] == SHARDS
    assert {result.action for result in results} == {"ran"}
    assert sum(told) == EPISODES
    assert digests(tiny) == digests(local)
    for shard in SHARDS:
        ended = [item.outcome for item in Ledger(study.folder.attempts(shard)).attempts()]
        assert ended[-1] == "finished"
        assert set(ended[:-1]) <= {"infrastructure"}


def test_a_cluster_on_this_machine_does_what_processes_do(local: Tiny, tmp_path: Path) -> None:
    tiny = Tiny(local.configs, local.tasks, tmp_path / "results")
    study = tiny.study("shard.count=5", "engine=dask")
    results = run_shards(study, SHARDS, workers=2, progress=lambda _: None)
    assert [result.action for result in results] == ["ran"] * 5
    assert digests(tiny) == digests(local)
    study.__dict__["identity"] = "0" * 64
    with pytest.raises(ConfigError, match="other code, tasks or catalogs than this machine"):
        run_shards(study, SHARDS[:1], workers=1, progress=lambda _: None)


def test_a_cluster_that_does_not_answer_is_infrastructure(
    local: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.dask_engine._PATIENCE", 1.0)
    study = local.study("shard.count=5", "engine=dask", "engine.scheduler=tcp://127.0.0.1:9")
    with pytest.raises(InfrastructureError, match=r"tcp://127\.0\.0\.1:9 has no scheduler") as no:
        run_shards(study, SHARDS, workers=None, progress=lambda _: None)
    assert no.value.exit_code == 75


def test_a_shard_that_failed_is_tried_again_and_its_error_told(local: Tiny, tmp_path: Path) -> None:
    tiny = Tiny(local.configs, local.tasks, tmp_path / "results")
    study = tiny.study("shard.count=5", "engine=dask", "engine.retries=1")
    study.folder.root.mkdir(parents=True)
    (study.folder.root / "locks").write_text("")
    with pytest.raises(InfrastructureError, match="cannot be written"):
        run_shards(study, SHARDS[:1], workers=1, progress=lambda _: None)
