"""A shard that is stopped goes on where it was, and no attempt is forgotten."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from harness.agents.protocol import ContextOverflow, Latency, Turn, Usage
from harness.attempt import Attempt
from harness.claim import is_claimed
from harness.effort import Effort
from harness.error import InfrastructureError, IntegrityError
from harness.ledger import Ledger
from harness.manifest import Manifest, read_record
from harness.shard import ShardResult, run_shard
from harness.status import study_status
from harness.study import Study
from tests.support.recorded import SHARD, Recorded
from tests.unit.project.checkout import ROOT

ALL = 5


class Killed(BaseException):
    """Ends an attempt as a kill does: nothing of ours handles it."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return Recorded.build(tmp_path_factory.mktemp("recorded"))


@pytest.fixture(scope="module")
def digest(made: Recorded, tmp_path_factory: pytest.TempPathFactory) -> str:
    study = made.at(tmp_path_factory.mktemp("whole"))
    run_shard(study, SHARD)
    return digest_of(study)


@pytest.fixture
def study(made: Recorded, digest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study in a folder of its own, whose episodes are handed out."""
    made.ran.clear()
    monkeypatch.setattr(Study, "run", made.run)
    return made.at(tmp_path / "results")


def digest_of(study: Study) -> str:
    return read_record(study.folder.manifest(SHARD), Manifest).logical_digest


def attempts(study: Study) -> tuple[Attempt, ...]:
    return Ledger(study.folder.attempts(SHARD)).attempts()


def after(episodes: int, do: Callable[[], object]) -> Callable[[int], None]:
    """Return a progress that does something when so many episodes are in the log."""
    left = [episodes]

    def progress(count: int) -> None:
        left[0] -= count
        if left[0] == 0:
            do()

    return progress


def raising(error: BaseException) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise error

    return fail


def test_a_killed_attempt_is_kept_with_what_it_took(
    study: Study, made: Recorded, digest: str
) -> None:
    with pytest.raises(Killed):
        run_shard(study, SHARD, progress=after(3, raising(Killed())))
    [before] = attempts(study)
    assert (before.outcome, before.seconds, before.effort) == ("started", None, None)
    told: list[int] = []
    assert run_shard(study, SHARD, progress=told.append).action == "ran"
    assert digest_of(study) == digest
    assert made.ran == list(study.shard_keys(SHARD))
    assert told == [3, 1, 1]
    first, second = attempts(study)
    assert (first.outcome, first.failure) == ("infrastructure", "Killed")
    assert (second.outcome, second.failure) == ("finished", None)
    assert first.seconds is not None
    assert (first.effort, second.effort) == (Effort(episodes=3), Effort(episodes=2))
    assert read_record(study.folder.manifest(SHARD), Manifest).attempt == 2
    assert not study.folder.log(SHARD).exists()


@pytest.mark.parametrize(
    ("error", "failure", "message"),
    [
        (InfrastructureError("Gone.", "Wait."), "InfrastructureError", "Gone. Wait."),
        (OSError(errno.EIO, "Input/output error"), "OSError", "[Errno 5] Input/output error"),
        (MemoryError("no room"), "MemoryError", "no room"),
        (KeyboardInterrupt(), "KeyboardInterrupt", "The process was asked to end."),
    ],
)
def test_what_the_plant_did_ends_an_attempt_and_keeps_its_episodes(
    study: Study, made: Recorded, digest: str, error: BaseException, failure: str, message: str
) -> None:
    with pytest.raises(type(error)):
        run_shard(study, SHARD, progress=after(2, raising(error)))
    [attempt] = attempts(study)
    assert (attempt.outcome, attempt.failure) == ("infrastructure", failure)
    assert str(attempt.message).startswith(message.split(".", maxsplit=1)[0])
    assert attempt.effort == Effort(episodes=2)
    run_shard(study, SHARD)
    assert digest_of(study) == digest
    assert made.ran == list(study.shard_keys(SHARD))


def test_a_refusal_is_no_failure_of_the_plant(study: Study) -> None:
    with pytest.raises(IntegrityError):
        run_shard(study, SHARD, progress=after(2, raising(IntegrityError("Bad.", "Mend it."))))
    [attempt] = attempts(study)
    assert (attempt.outcome, attempt.failure) == ("refused", "IntegrityError")


def test_a_folder_that_vanishes_while_a_shard_runs_is_the_plants(study: Study, digest: str) -> None:
    gone = after(2, lambda: shutil.rmtree(study.config.results))
    with pytest.raises(InfrastructureError) as caught:
        run_shard(study, SHARD, progress=gone)
    assert caught.value.exit_code == 75
    assert not study.folder.manifests.exists()
    shutil.rmtree(study.config.results, ignore_errors=True)
    run_shard(study, SHARD)
    assert digest_of(study) == digest


def test_a_log_that_vanishes_before_the_tables_is_the_plants(study: Study, digest: str) -> None:
    with pytest.raises(InfrastructureError, match="has lost 5 episodes"):
        run_shard(study, SHARD, progress=after(ALL, study.folder.log(SHARD).unlink))
    assert not study.folder.manifests.exists()
    run_shard(study, SHARD)
    assert digest_of(study) == digest


@pytest.mark.parametrize("call", range(9))
def test_a_disk_that_is_full_at_any_write_loses_nothing(
    study: Study, digest: str, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    real, calls = os.write, [0]

    def write(descriptor: int, content: Any) -> int:
        calls[0] += 1
        if calls[0] > call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, content)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(InfrastructureError, match="No space left on device") as caught:
            run_shard(study, SHARD)
    assert caught.value.exit_code == 75
    assert not study.folder.is_finished(SHARD) or digest_of(study) == digest
    run_shard(study, SHARD)
    assert digest_of(study) == digest
    assert all(item.outcome != "started" for item in attempts(study))


def test_no_duration_comes_from_a_clock_that_jumps(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(10_000, 0, -1_000))
    monkeypatch.setattr(time, "time", lambda: float(next(ticks)))
    elapsed = iter(range(0, 100, 7))
    book = Ledger(study.folder.attempts(SHARD), now=time.time, timer=lambda: float(next(elapsed)))
    for _ in range(2):
        with book.attempt():
            pass
    assert [item.seconds for item in book.attempts()] == [7.0, 7.0]
    assert [item.number for item in book.attempts()] == [1, 2]
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: -1e9)
        assert run_shard(study, SHARD).action == "ran"
    status = study_status(study)
    assert status is not None
    assert status.shards[SHARD.index].state == "finished"


def test_of_two_workers_at_once_exactly_one_runs_it(
    made: Recorded, study: Study, digest: str
) -> None:
    results: list[ShardResult] = []
    start = threading.Barrier(2)

    def work() -> None:
        own = made.at(study.config.results)
        start.wait()
        results.append(run_shard(own, SHARD))

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    actions = sorted(item.action for item in results)
    assert actions in (["busy", "ran"], ["ran", "skipped"])
    assert made.ran == list(study.shard_keys(SHARD))
    assert [item.outcome for item in attempts(study)] == ["finished"]
    assert digest_of(study) == digest


def test_status_tells_what_runs_from_what_died(study: Study) -> None:
    seen: list[str] = []

    def look() -> None:
        status = study_status(study)
        assert status is not None
        seen.append(status.shards[SHARD.index].state)

    def look_and_die() -> NoReturn:
        look()
        raise Killed

    with pytest.raises(Killed):
        run_shard(study, SHARD, progress=after(2, look_and_die))
    look()
    run_shard(study, SHARD)
    look()
    assert seen == ["running", "unfinished", "finished"]


def test_whoever_only_looks_does_not_keep_a_worker_out(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = study.folder.lock(SHARD)
    assert not is_claimed(path)
    path.parent.mkdir(parents=True)
    path.touch()
    looking = os.open(path, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    monkeypatch.setattr(time, "sleep", lambda _: os.close(looking))
    assert run_shard(study, SHARD).action == "ran"
    assert not is_claimed(path)


def test_a_file_system_without_locks_is_the_plants(
    study: Study, made: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> NoReturn:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(InfrastructureError, match="No locks available"):
        run_shard(study, SHARD)
    assert made.ran == []


def test_a_manifest_that_came_in_between_is_not_replaced(
    study: Study, made: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As where a file system has no locks: the other finishes while this one makes its tables.
    other = made.at(tmp_path / "other")
    run_shard(other, SHARD)

    def intrude() -> None:
        shutil.copytree(other.folder.root, study.folder.root, dirs_exist_ok=True)

    with monkeypatch.context() as patch:
        real = type(study.folder).table

        def table(*arguments: Any) -> Path:
            path = real(*arguments)
            if arguments[1] == "episodes" and not path.exists():
                intrude()
            return path

        patch.setattr(type(study.folder), "table", table)
        result = run_shard(study, SHARD)
    assert result.action == "skipped"
    theirs = other.folder.manifest(SHARD).read_bytes()
    assert study.folder.manifest(SHARD).read_bytes() == theirs


def test_what_answering_took_is_counted_even_of_an_episode_that_is_lost(
    made: Recorded, tmp_path: Path, digest: str
) -> None:
    study = made.at(tmp_path / "results")
    real, turns = study.agent, [0]

    class Costly:
        identity = real.identity
        evidence = real.evidence

        def act(self, messages: Any, tools: Any) -> Turn:
            turns[0] += 1
            if turns[0] == 3:
                raise InfrastructureError("The server is gone.", "Start it.")
            if turns[0] == 4:
                raise ContextOverflow
            answer = real.act(messages, tools)  # type: ignore[union-attr]
            return replace(answer, usage=Usage(10, 0, 5), latency=Latency(1.0, 20.0, attempts=2))

    study.__dict__["agent"] = Costly()
    with pytest.raises(InfrastructureError, match="The server is gone"):
        run_shard(study, SHARD)
    [attempt] = attempts(study)
    assert attempt.effort == Effort(
        turns=2, unanswered=1, retries=2, waited_ms=40.0, input_tokens=20, output_tokens=10
    )
    run_shard(study, SHARD)
    last = attempts(study)[-1].effort
    assert last is not None
    assert last.episodes == ALL
    assert last.turns == turns[0] - 3
    assert last.input_tokens == 10 * (last.turns - 1)


def test_shards_that_are_killed_at_random_points_lose_nothing() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.support.killing", "--kills", "50"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    assert "one digest, nothing lost" in ended.stdout
