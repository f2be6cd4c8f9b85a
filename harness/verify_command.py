"""The verb ``verify``: every check with its count, and one line at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gates.bundle_confirm import confirm_bundle, written_by_another_version
from gates.bundle_open import opened
from gates.check import Check, Tell
from gates.confirm import Confirmed, confirm
from harness.answer import Answer, teller
from harness.compose import load_config
from harness.exchange import study_exchange
from harness.heed import refuse_beside_bundle
from harness.hold import hold
from harness.pin import shard_count
from harness.progress import step_bar
from harness.study import Study


@dataclass(frozen=True)
class VerifyAnswer(Answer):
    """What stood every check."""

    confirmed: Confirmed
    other_analysis: bool
    """Whether another version of the analysis wrote the bundle."""

    def lines(self) -> tuple[str, ...]:
        """Return what is said to people."""
        return (summary(self.confirmed),)

    def document(self) -> Mapping[str, Any]:
        """Return what is said to machines."""
        results, terminal = self.confirmed.results, self.confirmed.terminal
        return {
            "study": results.record.study,
            "identity": results.record.identity,
            "digest": results.digest,
            "episodes": len(results.episodes),
            "checks": self.confirmed.checks,
            "gate": None if terminal is None else terminal["gate"],
            "other_analysis": self.other_analysis,
        }


def verify(arguments: argparse.Namespace) -> VerifyAnswer:
    """Verify a bundle, or a finished study on this machine."""
    if arguments.bundle is None:
        return _study(arguments)
    refuse_beside_bundle(arguments.override)
    return _bundle(arguments)


def summary(confirmed: Confirmed) -> str:
    """Return the line that verification ends in."""
    record = confirmed.results.record
    return (
        f"Verified: {len(confirmed.results.episodes):,} episodes of study {record.study} by"
        f" {len(confirmed.checks)} checks; {_gate(confirmed)}; identity {record.identity}, digest"
        f" {confirmed.results.digest}"
    )


def _gate(confirmed: Confirmed) -> str:
    if confirmed.terminal is None:
        return "no terminal record yet"
    gate = confirmed.terminal["gate"]
    held = sum(rule["passed"] for rule in gate["rules"])
    verdict = "PASSED" if gate["passed"] else "NOT PASSED"
    return f"gate {verdict}, {held} of {len(gate['rules'])} rules hold"


def _study(arguments: argparse.Namespace) -> VerifyAnswer:
    study = Study(load_config(arguments.override))
    hold(study)
    study_exchange(study).fetch_all()
    with step_bar(enabled=study.config.progress and _needs_bar(arguments)) as step:
        confirmed = confirm(
            study.folder,
            expected=study.record(shard_count(study)),
            tasks=study.tasks,
            catalogs=study.catalogs,
            tell=_told(teller(arguments), step),
        )
    return VerifyAnswer(confirmed, other_analysis=False)


def _bundle(arguments: argparse.Namespace) -> VerifyAnswer:
    tell = teller(arguments)
    enabled = _needs_bar(arguments)
    with opened(Path(arguments.bundle)) as folder, step_bar(enabled=enabled) as step:
        if other := written_by_another_version(folder):
            tell("The bundle was written by another version of the analysis than this package's.")
        return VerifyAnswer(confirm_bundle(folder, tell=_told(tell, step)), other)


def _needs_bar(arguments: argparse.Namespace) -> bool:
    """Whether whoever waits sees no checks: on a terminal their lines would break a bar."""
    return arguments.json or not sys.stdout.isatty()


def _told(tell: Callable[[str], None], step: Callable[[str], None]) -> Tell:
    """Return what says each check, and counts it where nobody reads that."""

    def told(check: Check) -> None:
        step(check.name)
        tell(line(check))

    return told


def line(check: Check) -> str:
    """Return what is said about one check."""
    found = len(check.findings)
    verdict = "ok" if not found else "1 finding" if found == 1 else f"{found} findings"
    return f"  {check.name:<18} {check.count:>9,} {check.unit:<11} {verdict}"
