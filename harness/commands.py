"""What the verbs that run and aggregate do; loaded when one runs, since it loads the rest."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.answer import Answer
from harness.compose import load_config
from harness.engine import run_shards
from harness.error import ConfigError
from harness.grid import Shard
from harness.hold import hold
from harness.pin import pin_study, shard_count
from harness.progress import episode_bar
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


def _study(arguments: argparse.Namespace) -> Study:
    return Study(load_config(arguments.override))


def _held_study(arguments: argparse.Namespace) -> Study:
    study = _study(arguments)
    hold(study)
    return study
