"""What the verb ``check-surface`` does and says."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.answer import Answer
from harness.compose import load_config
from harness.output import complain
from harness.progress import step_bar
from harness.study import Study
from harness.surface_check import check_own_surface, check_study_surface, summary
from surface.validation import Report


@dataclass(frozen=True)
class SurfaceAnswer(Answer):
    """What is wrong with the surface, and what it holds."""

    report: Report

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield f"Surface: {summary(self.report)}"

    def document(self) -> Mapping[str, Any]:
        """Return what is said to machines."""
        return {"problems": self.report.problems, "counts": self.report.counts}

    def exit_code(self) -> int:
        """Return what the command ends with when nothing failed."""
        return 1 if self.report.problems else 0


def check_surface(arguments: argparse.Namespace) -> SurfaceAnswer:
    """Validate catalogs and tasks."""
    config = load_config(arguments.override)
    with step_bar(enabled=config.progress) as step:
        if config.study.surface is not None:
            report = check_own_surface(Study(config))
        else:
            report = check_study_surface(config.study.split, step=step)
    if report.problems:
        complain(*map(str, report.problems))
    return SurfaceAnswer(report)
