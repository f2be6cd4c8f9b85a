"""The git checkout that a study is frozen from."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from harness.error import ConfigError
from harness.identity import SOURCE_ROOT
from harness.origin import LOCK_SUFFIX

_NEEDED: Final = "Freeze from a git checkout of the project."


@dataclass(frozen=True)
class Checkout:
    """A working tree and what is committed of it."""

    root: Path = SOURCE_ROOT

    def commit(self) -> str:
        """Return the hash of the commit that is checked out.

        Raises
        ------
        ConfigError
            If the folder is no git checkout or has no commit.
        """
        return self._git("rev-parse", "--verify", "HEAD^{commit}").strip()

    def changes(self) -> tuple[str, ...]:
        """Return what is not committed: changed, added, removed and unknown files.

        Lock files are left out: they are what a freeze writes, and nothing hashes them.

        Raises
        ------
        ConfigError
            If the folder is no git checkout.
        """
        listed = self._git(
            "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", "."
        )
        names = (entry[3:] for entry in listed.split("\0") if entry)
        return tuple(sorted(name for name in names if not _is_lock(name)))

    def uncommitted(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the files whose content is not the one that the commit has.

        What `changes` cannot see is seen here: files that git was told to ignore or to take for
        unchanged.

        Parameters
        ----------
        names
            Files relative to the root.

        Raises
        ------
        ConfigError
            If the folder is no git checkout.
        """
        wanted = sorted(set(names))
        tree = self._git("ls-tree", "-r", "-z", "HEAD", "--", ".")
        committed = {}
        for entry in filter(None, tree.split("\0")):
            about, _, name = entry.partition("\t")
            committed[name] = about.split()[2]
        known = [name for name in wanted if name in committed]
        # These paths alone git reads from the top of the checkout.
        prefix = self._git("rev-parse", "--show-prefix").strip()
        paths = [f"{prefix}{name}" for name in known]
        here = self._git("hash-object", "--stdin-paths", given=paths).split() if known else []
        same = {name for name, found in zip(known, here, strict=True) if committed[name] == found}
        return tuple(name for name in wanted if name not in same)

    def _git(self, *words: str, given: Sequence[str] = ()) -> str:
        # Variables such as GIT_DIR would have git look at another repository.
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        try:
            done = subprocess.run(
                ["git", *words],
                cwd=self.root,
                env=kept | {"LC_ALL": "C"},
                input="".join(f"{line}\n" for line in given),
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="surrogateescape",
                check=False,
            )
        except FileNotFoundError as error:
            raise ConfigError("There is no git to ask what is committed.", _NEEDED) from error
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise ConfigError(f"Git refuses {self.root}: {reason.rstrip('.')}.", _NEEDED)
        return done.stdout


def _is_lock(name: str) -> bool:
    path = PurePosixPath(name)
    return path.parent.name == "frozen" and path.name.endswith(LOCK_SUFFIX)
