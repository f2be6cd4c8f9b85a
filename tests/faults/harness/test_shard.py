"""What kills a shard, and what is left: killed processes, full disks, two writers."""

from __future__ import annotations

import fcntl
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.disk import TEMPORARY_PREFIX, write_whole
from harness.error import InfrastructureError
from harness.grid import Shard
from harness.ledger import Ledger
from harness.manifest import Manifest, read_record
from harness.shard import run_shard
from tests.support.tiny import Tiny
from tests.unit.project.checkout import ROOT

RUN = """
import sys
from pathlib import Path
from harness.grid import Shard
from harness.shard import run_shard
from tests.support.tiny import Tiny
folder = Path(sys.argv[1])
study = Tiny(folder / "configs", folder / "tasks", folder / "results").study()
run_shard(study, Shard(0, 2))
"""


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    study = Tiny.build(tmp_path_factory.mktemp("whole")).study()
    run_shard(study, Shard(0, 2))
    return read_record(study.folder.manifest(Shard(0, 2)), Manifest).logical_digest


def start(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("seed", range(2))
def test_a_killed_shard_runs_again_to_the_same_digest(
    tmp_path: Path, digest: str, seed: int
) -> None:
    tiny = Tiny.build(tmp_path)
    study = tiny.study()
    process = start(tmp_path)
    # Kill it at some moment between its first trace on disk and its end.
    while not study.folder.attempts(Shard(0, 2)).exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(random.Random(seed).uniform(0, 0.5))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    run_shard(study, Shard(0, 2))
    assert read_record(study.folder.manifest(Shard(0, 2)), Manifest).logical_digest == digest


def test_a_disk_that_refuses_leaves_nothing_half_written(tmp_path: Path) -> None:
    target = tmp_path / "table.parquet"
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        with pytest.raises(InfrastructureError) as caught:
            write_whole(target, lambda stream: stream.write(b"x" * 5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.exit_code == 75
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_refuses_keeps_the_older_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "terminal.json"
    write_whole(target, lambda stream: stream.write(b"old"))

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InfrastructureError, match="No space left on device"):
        write_whole(target, lambda stream: stream.write(b"new"))
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["terminal.json"]


def test_of_two_writers_one_wins_and_the_other_says_so(tmp_path: Path) -> None:
    study = Tiny.build(tmp_path).study()
    lock = study.folder.lock(Shard(0, 2))
    lock.parent.mkdir(parents=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert run_shard(study, Shard(0, 2)).action == "busy"
    assert not study.folder.manifests.exists()
    assert run_shard(study, Shard(0, 2)).action == "ran"


def test_an_exclusive_write_does_not_replace(tmp_path: Path) -> None:
    target = tmp_path / "study.json"
    write_whole(target, lambda stream: stream.write(b"first"), exclusive=True)
    with pytest.raises(FileExistsError):
        write_whole(target, lambda stream: stream.write(b"second"), exclusive=True)
    assert target.read_bytes() == b"first"


def test_what_a_killed_writer_left_is_no_stray(tmp_path: Path) -> None:
    study = Tiny.build(tmp_path).study()
    run_shard(study, Shard(0, 2))
    (study.folder.manifests / f"{TEMPORARY_PREFIX}abc").write_bytes(b"half")
    assert all(shard is not None for _, shard in study.folder.written())


def test_a_ledger_line_that_was_cut_short_is_passed_over(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "attempts.jsonl")
    with ledger.attempt():
        pass
    with ledger.path.open("ab") as stream:
        stream.write(b'\n{"attempt": 2, "outcome": "star')
    with ledger.attempt() as number:
        assert number == 2
    assert [attempt.outcome for attempt in ledger.attempts()] == ["finished", "finished"]
