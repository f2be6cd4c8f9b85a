"""The verb ``export``: a finished study, verified again, in the forms that other programs read."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gates.export.format import chosen, export
from gates.finished import Finished
from gates.finished_bundle import finished_bundle
from harness.answer import Answer
from harness.error import ConfigError
from harness.heed import refuse_beside_bundle
from harness.progress import step_bar
from harness.terminal_study import terminal_study

EXPORTS: Final = "exports"
"""The folder of a study's exports, in its terminal folder."""


@dataclass(frozen=True)
class ExportAnswer(Answer):
    """What was written."""

    study: str
    identity: str
    digest: str
    label: str
    folders: tuple[Path, ...]

    def lines(self) -> tuple[str, ...]:
        """Return what is said to people."""
        return (
            f"Study {self.study} ({self.label})",
            *(f"Written to {folder}" for folder in self.folders),
        )


def export_study(arguments: argparse.Namespace) -> ExportAnswer:
    """Export a bundle, or a finished study on this machine."""
    names = chosen(arguments.format)
    if arguments.bundle is None:
        finished, folder = _study(arguments)
    else:
        finished, folder = _bundle(arguments)
    with step_bar(enabled=True) as step:
        folders = export(finished, names, folder, tell=step)
    return ExportAnswer(
        finished.results.record.study,
        finished.results.record.identity,
        finished.results.digest,
        finished.label,
        folders,
    )


def _study(arguments: argparse.Namespace) -> tuple[Finished, Path]:
    study, finished = terminal_study(arguments.override)
    return finished, study.folder.terminal / EXPORTS if arguments.to is None else Path(arguments.to)


def _bundle(arguments: argparse.Namespace) -> tuple[Finished, Path]:
    refuse_beside_bundle(arguments.override)
    if arguments.to is None:
        raise ConfigError(
            "Where a bundle is exported to is not said.", "Name a folder with --to=DIR."
        )
    with step_bar(enabled=True) as step:
        finished = finished_bundle(Path(arguments.bundle), tell=lambda check: step(check.name))
    return finished, Path(arguments.to)
