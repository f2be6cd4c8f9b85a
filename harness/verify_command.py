"""The verb ``verify``: every check with its count, and one line at the end."""

from __future__ import annotations

import argparse
from pathlib import Path

from gates.bundle_confirm import confirm_bundle, written_by_another_version
from gates.bundle_open import opened
from gates.check import Check
from gates.confirm import Confirmed, confirm
from harness.compose import load_config
from harness.error import ConfigError
from harness.exchange import study_exchange
from harness.hold import hold
from harness.output import say
from harness.pin import shard_count
from harness.study import Study


def verify(arguments: argparse.Namespace) -> int:
    """Verify a bundle, or a finished study on this machine."""
    if arguments.bundle is None:
        confirmed = _study(arguments)
    elif arguments.override:
        raise ConfigError(
            f"A bundle says itself what it is; {arguments.override[0]!r} says it again.",
            "Name a bundle, or a study and its results.",
        )
    else:
        confirmed = _bundle(Path(arguments.bundle))
    say(summary(confirmed))
    return 0


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


def _study(arguments: argparse.Namespace) -> Confirmed:
    study = Study(load_config(arguments.override))
    hold(study)
    study_exchange(study).fetch_all()
    return confirm(
        study.folder,
        expected=study.record(shard_count(study)),
        tasks=study.tasks,
        catalogs=study.catalogs,
        tell=_tell,
    )


def _bundle(path: Path) -> Confirmed:
    with opened(path) as folder:
        if written_by_another_version(folder):
            say("The bundle was written by another version of the analysis than this package's.")
        return confirm_bundle(folder, tell=_tell)


def _tell(check: Check) -> None:
    found = len(check.findings)
    verdict = "ok" if not found else "1 finding" if found == 1 else f"{found} findings"
    say(f"  {check.name:<18} {check.count:>9,} {check.unit:<11} {verdict}")
