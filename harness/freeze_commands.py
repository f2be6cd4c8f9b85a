"""What the verbs about locks do; loaded when one of them runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.answer import Answer
from harness.checkout import Checkout
from harness.compose import load_config
from harness.disk import is_there
from harness.error import ConfigError
from harness.explain import explain
from harness.freeze import freeze as freeze_one
from harness.hold import check
from harness.lock import Lock, lock_path, read_lock
from harness.study import Study


@dataclass(frozen=True)
class FreezeAnswer(Answer):
    """A lock that was written, or that what is here agrees with."""

    study: str
    agent: str
    identity: str
    commit: str
    lock: Path
    action: Literal["frozen", "frozen before", "checked"]
    reworded: tuple[str, ...]
    """Files that changed in nothing that counts."""

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        if self.action == "checked":
            for name in self.reworded:
                yield f"{name} changed in nothing that counts, such as a comment."
            yield f"What is here is what {self.lock} froze."
        else:
            yield f"{self.action.capitalize()} in {self.lock}"
            yield f"Study {self.study} with agent {self.agent}, commit {self.commit}"
        yield f"Identity {self.identity}"


@dataclass(frozen=True)
class DiffAnswer(Answer):
    """What changed between two locks, in words."""

    old: str
    """Identity of the older one."""
    new: str
    changes: tuple[str, ...]

    def lines(self) -> tuple[str, ...]:
        """Return what is said to people."""
        return self.changes


def freeze(arguments: argparse.Namespace) -> FreezeAnswer:
    """Freeze a study with its agent, or hold it against its lock."""
    study = Study(load_config(arguments.override))
    reworded: tuple[str, ...] = ()
    action: Literal["frozen", "frozen before", "checked"]
    if arguments.check:
        lock, items = check(study)
        action, reworded = "checked", tuple(item.name for item in items)
    else:
        lock, written = freeze_one(study, Checkout(), replace=arguments.replace)
        action = "frozen" if written else "frozen before"
    return FreezeAnswer(
        lock.study, lock.agent_name, lock.identity, lock.commit, lock_path(study), action, reworded
    )


def diff(arguments: argparse.Namespace) -> DiffAnswer:
    """Say in words what changed between two freezes."""
    if len(arguments.override) != 2:
        raise ConfigError(
            f"{len(arguments.override)} lock files are named, not two.",
            "Say python -m harness diff LOCK1 LOCK2.",
        )
    old, new = (_lock(Path(name)) for name in arguments.override)
    return DiffAnswer(old.identity, new.identity, tuple(explain(old, new)))


def _lock(path: Path) -> Lock:
    if not is_there(path):
        raise ConfigError(f"{path} does not exist.", "Name a lock file, as in configs/frozen.")
    if not path.is_file():
        raise ConfigError(f"{path} is not a file.", "Name a lock file, as in configs/frozen.")
    return read_lock(path)
