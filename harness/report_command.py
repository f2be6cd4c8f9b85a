"""The verb ``report``: the page of a finished study, written again from its tables."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from gates.bundle_layout import LOCK, REPORT
from gates.bundle_open import opened
from gates.finished import Finished
from gates.finished_bundle import finished_bundle
from gates.report.page import report_page
from harness.answer import Answer
from harness.disk import is_there, write_whole
from harness.error import ConfigError
from harness.heed import refuse_beside_bundle
from harness.lock import kept_lock
from harness.progress import step_bar
from harness.terminal_study import terminal_study


@dataclass(frozen=True)
class ReportAnswer(Answer):
    """Where the page is."""

    study: str
    identity: str
    digest: str
    label: str
    report: Path

    def lines(self) -> tuple[str, ...]:
        """Return what is said to people."""
        return (f"Study {self.study} ({self.label})", f"Written to {self.report}")


def report(arguments: argparse.Namespace) -> ReportAnswer:
    """Write the report of a bundle, or of a finished study on this machine."""
    finished, path, frozen = _study(arguments) if arguments.bundle is None else _bundle(arguments)
    page = report_page(finished, frozen=frozen)
    write_whole(path, lambda stream: stream.write(page))
    record = finished.results.record
    return ReportAnswer(
        record.study, record.identity, finished.results.digest, finished.label, path
    )


def _study(arguments: argparse.Namespace) -> tuple[Finished, Path, bool]:
    study, finished = terminal_study(arguments.override)
    path = study.folder.terminal / REPORT if arguments.to is None else Path(arguments.to)
    return finished, path, kept_lock(study) is not None


def _bundle(arguments: argparse.Namespace) -> tuple[Finished, Path, bool]:
    refuse_beside_bundle(arguments.override)
    if arguments.to is None:
        raise ConfigError(
            "Where the report of a bundle goes is not said.", "Name a file with --to=FILE."
        )
    bundle = Path(arguments.bundle)
    with step_bar(enabled=True) as step:
        finished = finished_bundle(bundle, tell=lambda check: step(check.name))
    with opened(bundle) as folder:
        frozen = is_there(folder / LOCK)
    return finished, Path(arguments.to), frozen
