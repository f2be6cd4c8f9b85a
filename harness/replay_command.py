"""The verb ``replay``."""

from __future__ import annotations

import argparse

from harness.compose import load_config
from harness.error import NotTerminalError
from harness.exchange import study_exchange
from harness.output import say
from harness.progress import episode_bar
from harness.replay import recorded_shards, replay_shard
from harness.study import Study


def replay(arguments: argparse.Namespace) -> int:
    """Run every finished shard again from its recording; nothing is written."""
    study = Study(load_config(arguments.override))
    study_exchange(study).fetch_all()
    shards = recorded_shards(study)
    finished = [shard for shard in shards if study.folder.is_finished(shard)]
    episodes = sum(len(study.shard_keys(shard)) for shard in finished)
    with episode_bar(episodes, enabled=study.config.progress) as advance:
        for shard in finished:
            replay_shard(study, shard, progress=advance)
    told = f"{len(finished)} of {len(shards)} shards ({episodes} episodes)"
    if len(finished) < len(shards):
        raise NotTerminalError(
            f"{told} were replayed with identical digests; the others are not finished.",
            "Run them, then replay again.",
        )
    say(f"Replayed {told} without what answered them: every logical digest is identical.")
    return 0
