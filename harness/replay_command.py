"""The verb ``replay``: a study again from its answers, beside its results or from its bundle."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gates.bundle import load_terminal
from gates.bundle_layout import STUDY, SURFACE
from gates.bundle_open import opened
from harness.agents.replay import REMEDY
from harness.answer import Answer
from harness.bundled import bundled_study
from harness.compose import load_config
from harness.disk import is_there
from harness.error import IntegrityError, NotTerminalError
from harness.exchange import study_exchange
from harness.heed import refuse_beside_bundle
from harness.manifest import StudyRecord, read_record
from harness.progress import episode_bar
from harness.recorded import recorded_study
from harness.replay import Replayed, recorded_shards, replay_shard
from harness.study import Study


@dataclass(frozen=True)
class ReplayAnswer(Answer):
    """A study that came to the same rows again."""

    study: str
    identity: str
    digest: str
    shards: int
    episodes: int

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield (
            f"Replayed {self.shards} of {self.shards} shards ({self.episodes} episodes) of study"
            f" {self.study} without what answered them: every logical digest is identical;"
            f" identity {self.identity}, digest {self.digest}"
        )


def replay(arguments: argparse.Namespace) -> ReplayAnswer:
    """Run every finished shard again from its recording; nothing is written."""
    with _study(arguments) as study:
        shards = recorded_shards(study)
        finished = [shard for shard in shards if study.folder.is_finished(shard)]
        episodes = sum(len(study.shard_keys(shard)) for shard in finished)
        replayed = Replayed()
        with episode_bar(episodes, enabled=study.config.progress) as advance:
            for shard in finished:
                replay_shard(study, shard, progress=advance, into=replayed)
        if len(finished) < len(shards):
            raise NotTerminalError(
                f"{len(finished)} of {len(shards)} shards ({episodes} episodes) were replayed with"
                " identical digests; the others are not finished.",
                "Run them, then replay again.",
            )
        _hold_to_terminal(study, replayed)
        return ReplayAnswer(
            study.config.study.name, study.identity, replayed.digest, len(shards), episodes
        )


@contextmanager
def _study(arguments: argparse.Namespace) -> Iterator[Study]:
    """Yield the study of a bundle, or one with its results on this machine."""
    if arguments.bundle is None:
        study = Study(load_config(arguments.override))
        study_exchange(study).fetch_all()
        yield study
        return
    refuse_beside_bundle(arguments.override)
    with opened(Path(arguments.bundle)) as folder:
        record = read_record(folder / STUDY, StudyRecord)
        carried = folder / SURFACE
        surface = carried.read_bytes() if is_there(carried) else None
        yield bundled_study(record, recorded_study(record, surface), folder)


def _hold_to_terminal(study: Study, replayed: Replayed) -> None:
    """Hold what the shards came to against the terminal record, if there is one.

    Raises
    ------
    IntegrityError
        If it is about other results.
    """
    path = study.folder.terminal / "terminal.json"
    if not is_there(path):
        return
    terminal = load_terminal(path)
    if (terminal["identity"], terminal["digest"]) != (study.identity, replayed.digest):
        raise IntegrityError(
            f"{path} is about other results: their digest is {terminal['digest']}, that of the"
            f" replay {replayed.digest}.",
            REMEDY,
        )
