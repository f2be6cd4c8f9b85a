"""What the verbs about locks do; loaded when one of them runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.checkout import Checkout
from harness.compose import load_config
from harness.disk import is_there
from harness.error import ConfigError
from harness.explain import explain
from harness.freeze import freeze as freeze_one
from harness.hold import check
from harness.lock import Lock, lock_path, read_lock
from harness.output import say
from harness.study import Study


def freeze(arguments: argparse.Namespace) -> int:
    """Freeze a study with its agent, or hold it against its lock."""
    study = Study(load_config(arguments.override))
    if arguments.check:
        lock, reworded = check(study)
        for item in reworded:
            say(f"{item.name} changed in nothing that counts, such as a comment.")
        say(f"What is here is what {lock_path(study)} froze.")
    else:
        lock, written = freeze_one(study, Checkout(), replace=arguments.replace)
        say(f"{'Frozen in' if written else 'Frozen before in'} {lock_path(study)}")
        say(f"Study {lock.study} with agent {lock.agent_name}, commit {lock.commit}")
    say(f"Identity {lock.identity}")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """Say in words what changed between two freezes."""
    if len(arguments.override) != 2:
        raise ConfigError(
            f"{len(arguments.override)} lock files are named, not two.",
            "Say python -m harness diff LOCK1 LOCK2.",
        )
    old, new = (_lock(Path(name)) for name in arguments.override)
    for line in explain(old, new):
        say(line)
    return 0


def _lock(path: Path) -> Lock:
    if not is_there(path):
        raise ConfigError(f"{path} does not exist.", "Name a lock file, as in configs/frozen.")
    return read_lock(path)
