"""Outcome and infrastructure are different types: neither can be recorded as the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from harness.agents.protocol import ContextOverflow
from harness.attempt import Outcome
from harness.error import ConfigError, InfrastructureError, IntegrityError
from harness.failure import PLANT_ERRORS, Failure
from harness.record import Ending
from surface.error import StudyError
from tests.unit.project.checkout import ROOT

SNIPPET = """
from harness.agents.protocol import ContextOverflow
from harness.effort import Effort
from harness.error import InfrastructureError
from harness.failure import Failure
from harness.log import LogWriter
from harness.record import EpisodeRecord

def mixed(log: LogWriter, episode: EpisodeRecord, failure: Failure) -> None:
    log.append(episode, seconds=0.0, effort=Effort())
    Failure.of(InfrastructureError("", ""))
    Failure.of(OSError())
    log.append(failure, seconds=0.0, effort=Effort())
    log.append(InfrastructureError("", ""), seconds=0.0, effort=Effort())
    Failure.of(episode)
    Failure.of(ContextOverflow())
"""


def test_the_type_checker_refuses_either_in_the_others_place(tmp_path: Path) -> None:
    path = tmp_path / "mixed.py"
    path.write_text(SNIPPET)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=pyproject.toml", str(path)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    refused = [line.split(":")[1] for line in checked.stdout.splitlines() if "arg-type" in line]
    wrong = SNIPPET.splitlines().index("    log.append(failure, seconds=0.0, effort=Effort())") + 1
    assert refused == [str(wrong + offset) for offset in range(4)]
    assert "Found 4 errors in 1 file" in checked.stdout


def test_an_overflow_is_no_error_of_the_plant() -> None:
    assert not issubclass(ContextOverflow, (StudyError, *PLANT_ERRORS))


def test_a_refusal_is_none_either() -> None:
    for refusal in (ConfigError, IntegrityError):
        assert not issubclass(refusal, PLANT_ERRORS)


def test_an_episode_and_an_attempt_end_in_different_words() -> None:
    assert set(get_args(Ending)).isdisjoint(get_args(Outcome))


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (InfrastructureError("Gone.", "Wait."), "InfrastructureError", "Gone. Wait."),
        (PermissionError(13, "Permission denied", "/x"), "PermissionError", "[Errno 13] "),
        (KeyboardInterrupt(15), "KeyboardInterrupt", "The process was asked to end."),
    ],
)
def test_a_failure_says_its_class_and_what_happened(
    error: InfrastructureError | OSError | KeyboardInterrupt, kind: str, message: str
) -> None:
    failure = Failure.of(error)
    assert failure.kind == kind
    assert failure.message.startswith(message)
