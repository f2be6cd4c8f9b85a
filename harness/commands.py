"""What the verbs that run and aggregate do; loaded when one runs, since it loads the rest."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.answer import Answer
from harness.carried import carried_surface
from harness.compose import load_config
from harness.engine import run_shards
from harness.error import ConfigError
from harness.exchange import study_exchange
from harness.grid import Shard
from harness.hold import hold
from harness.lock import kept_lock
from harness.pin import pin_study, shard_count
from harness.progress import episode_bar, step_bar
from harness.shard import run_shard as run_one
from harness.study import Study


@dataclass(frozen=True)
class ShardAnswer(Answer):
    """What was done about one shard."""

    study: str
    identity: str
    shard: int
    shards: int
    action: Literal["ran", "skipped", "busy"]
    episodes: int

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        shard = f"Shard {self.shard} of {self.shards}"
        if self.action == "busy":
            yield f"{shard} is in the hands of another process; nothing was done."
        elif self.action == "skipped":
            yield f"{shard} was finished before ({self.episodes} episodes)."
        else:
            yield f"{shard} is finished ({self.episodes} episodes)."


@dataclass(frozen=True)
class RunAnswer(Answer):
    """What was done about all shards."""

    study: str
    identity: str
    shards: int
    ran: int
    skipped: int
    busy: int
    results: Path

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield (
            f"Study {self.study}: {self.ran} shards run, {self.skipped} finished before"
            + (f", {self.busy} in other hands" if self.busy else "")
            + f"; results in {self.results}"
        )


@dataclass(frozen=True)
class Aggregated(Answer):
    """The terminal record of a complete study."""

    terminal: Mapping[str, Any]
    path: Path
    require_pass: bool

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        from gates.summary import summary_lines

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
        from gates.simulation import simulation_lines

        yield from simulation_lines(self.record)
        yield f"Written to {self.path.parent}"

    def document(self) -> dict[str, Any]:
        """Return what is said to machines."""
        names = ("study", "identity", "label")
        return {**{name: self.record[name] for name in names}, "simulation": self.path}


def run_shard(arguments: argparse.Namespace) -> ShardAnswer:
    """Run one shard, unless it is finished."""
    study = _held_study(arguments)
    index = study.config.shard.index
    if index is None:
        raise ConfigError("No shard is named.", "Add shard.index=N, counted from 0.")
    shard = Shard(index, shard_count(study))
    with episode_bar(len(study.shard_keys(shard)), enabled=study.config.progress) as advance:
        result = run_one(study, shard, progress=advance)
    return ShardAnswer(
        study.config.study.name,
        study.identity,
        result.shard.index,
        result.shard.count,
        result.action,
        result.episodes,
    )


def run(arguments: argparse.Namespace) -> RunAnswer:
    """Run every missing shard in parallel."""
    study = _held_study(arguments)
    config = study.config
    count = pin_study(study, shard_count(study)).shards
    shards = [Shard(index, count) for index in range(count)]
    with episode_bar(config.study.episodes, enabled=config.progress) as advance:
        results = run_shards(study, shards, workers=config.workers, progress=advance)
    ran = sum(item.action == "ran" for item in results)
    skipped = sum(item.action == "skipped" for item in results)
    busy = len(results) - ran - skipped
    return RunAnswer(
        config.study.name, study.identity, count, ran, skipped, busy, study.folder.root
    )


def aggregate(arguments: argparse.Namespace) -> Aggregated | Simulated:
    """Verify the complete grid and compute the terminal gate."""
    from gates.aggregate import aggregate as aggregate_study
    from gates.aggregate import withdrawn_on_refusal

    study = _held_study(arguments)
    if arguments.simulation:
        study_exchange(study).fetch_all()
        return _aggregate_simulation(study)
    with withdrawn_on_refusal(study.folder):
        study_exchange(study).fetch_all()
        count = shard_count(study)
    with step_bar(enabled=study.config.progress) as step:
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
    from gates.simulation import aggregate_simulation

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


def _study(arguments: argparse.Namespace) -> Study:
    return Study(load_config(arguments.override))


def _held_study(arguments: argparse.Namespace) -> Study:
    study = _study(arguments)
    hold(study)
    return study
