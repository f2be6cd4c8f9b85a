"""Worker processes end with their parent, quietly, and their errors are told once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.engine import run_shards
from harness.error import StudyError
from harness.grid import Shard
from tests.support.tiny import Tiny
from tests.unit.project.checkout import ROOT


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The development study, running in two workers that have begun their shards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", "run", "study=dev", "workers=2", f"results={tmp_path}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while process.poll() is None and len(list(tmp_path.glob("dev/*/attempts/*"))) < 2:
        time.sleep(0.05)
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


@pytest.mark.parametrize("group", [True, False], ids=["all processes", "the first process"])
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "Interrupted."), (signal.SIGTERM, 143, "Terminated.")],
)
def test_a_study_that_is_stopped_ends_quietly(
    running: subprocess.Popen[str], number: signal.Signals, code: int, said: str, group: bool
) -> None:
    (os.killpg if group else os.kill)(running.pid, number)
    # The workers hold the same streams: these end when no process is left.
    output, errors = running.communicate(timeout=60)
    assert running.returncode == code
    assert output == ""
    assert errors == f"{said}\nFinished shards are kept; run the same command again.\n"


def test_workers_do_not_outlive_a_killed_parent(running: subprocess.Popen[str]) -> None:
    running.kill()
    running.communicate(timeout=60)
    assert running.returncode == -signal.SIGKILL


def test_an_error_of_loading_is_told_like_any_other(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tiny = Tiny.build(tmp_path)
    study = tiny.study()
    study.identity  # noqa: B018 - loaded before the file is damaged
    (tiny.tasks / "tiny" / "en.yaml").write_text("- [")
    with pytest.raises(StudyError):
        run_shards(study, [Shard(0, 2)], workers=1, progress=lambda _: None)
    assert capfd.readouterr().err == ""
