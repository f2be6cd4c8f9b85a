"""The verb ``aggregate``; loaded when it runs, since it loads the gates."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gates.aggregate import aggregate as aggregate_study
from gates.aggregate import withdrawn_on_refusal, write_blind_report
from gates.simulation import aggregate_simulation, simulation_lines
from gates.summary import summary_lines
from harness.answer import Answer
from harness.carried import carried_surface
from harness.compose import load_config
from harness.error import ConfigError
from harness.exchange import study_exchange
from harness.hold import hold
from harness.lock import kept_lock
from harness.pin import shard_count
from harness.progress import episode_bar, step_bar
from harness.study import Study


@dataclass(frozen=True)
class Aggregated(Answer):
    """The terminal record of a complete study."""

    terminal: Mapping[str, Any]
    path: Path
    require_pass: bool

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield from summary_lines(self.terminal)
        yield f"Written to {self.path.parent}"

    def document(self) -> dict[str, Any]:
        """Return what is said to machines."""
        names = ("study", "identity", "digest", "evidence", "development", "gate")
        return {**{name: self.terminal[name] for name in names}, "terminal": self.path}

    def exit_code(self) -> int:
        """Return what the command ends with when nothing failed."""
        return 0 if self.terminal["gate"]["passed"] or not self.require_pass else 4


@dataclass(frozen=True)
class Simulated(Answer):
    """The record of a simulated agent's results."""

    record: Mapping[str, Any]
    path: Path

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield from simulation_lines(self.record)
        yield f"Written to {self.path.parent}"

    def document(self) -> dict[str, Any]:
        """Return what is said to machines."""
        names = ("study", "identity", "label")
        return {**{name: self.record[name] for name in names}, "simulation": self.path}


@dataclass(frozen=True)
class Blinded(Answer):
    """A report in which every outcome is masked."""

    study: str
    identity: str
    blind_report: Path

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield f"Study {self.study} is complete and verified; every outcome is masked"
        yield f"Written to {self.blind_report}"


def aggregate(arguments: argparse.Namespace) -> Aggregated | Simulated | Blinded:
    """Verify the complete grid and compute the terminal gate."""
    _refuse_together(arguments)
    study = _held_study(arguments)
    if arguments.simulation:
        study_exchange(study).fetch_all()
        return _aggregate_simulation(study)
    with withdrawn_on_refusal(study.folder):
        study_exchange(study).fetch_all()
        count = shard_count(study)
    with step_bar(enabled=study.config.progress) as step:
        if arguments.blind:
            path = write_blind_report(
                study.folder,
                expected=study.record(count),
                tasks=study.tasks,
                catalogs=study.catalogs,
                frozen=kept_lock(study) is not None,
                step=step,
            )
            return Blinded(study.config.study.name, study.identity, path)
        terminal = aggregate_study(
            study.folder,
            expected=study.record(count),
            tasks=study.tasks,
            catalogs=study.catalogs,
            lock=kept_lock(study),
            surface=carried_surface(study.config.surface, study.config.study.split),
            step=step,
        )
    return Aggregated(terminal, study.folder.terminal / "terminal.json", arguments.require_pass)


def _aggregate_simulation(study: Study) -> Simulated:
    config = study.config
    with episode_bar(config.study.episodes, enabled=config.progress) as advance:
        record = aggregate_simulation(
            study.folder,
            expected=study.record(shard_count(study)),
            tasks=study.tasks,
            catalogs=study.catalogs,
            progress=advance,
        )
    return Simulated(record, study.folder.simulation / "simulation.json")


def _held_study(arguments: argparse.Namespace) -> Study:
    study = Study(load_config(arguments.override))
    hold(study)
    return study


def _refuse_together(arguments: argparse.Namespace) -> None:
    """Refuse options that contradict each other."""
    if arguments.blind and (arguments.require_pass or arguments.simulation):
        raise ConfigError(
            "--blind shows no outcome, and another option asks for one.",
            "Leave out --blind, or --require-pass and --simulation.",
        )
