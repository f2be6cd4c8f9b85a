"""Reading a requirements lock strictly: entries with hashes, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


class LockError(ValueError):
    """A line that does not belong in a lock."""


@dataclass(frozen=True)
class Entry:
    """One pinned distribution: its name, its version and where it applies."""

    name: str
    version: Version
    requirement: Requirement

    def applies(self, python: str, platform: str = "linux") -> bool:
        """Tell whether the entry is installed on a Python version such as ``3.12``."""
        environment = {
            "python_version": python,
            "python_full_version": f"{python}.1",
            "sys_platform": platform,
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }
        marker = self.requirement.marker
        return marker is None or marker.evaluate(environment)


def read_lock(text: str) -> tuple[Entry, ...]:
    """Read a lock.

    Raises
    ------
    LockError
        When a line is anything but a comment or ``name==version [; marker]`` with SHA-256 hashes:
        an option, an address, a range, or an entry without a hash.
    """
    entries = []
    for line in text.replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, *hashes = re.split(r"\s+(?=--)", line.strip())
        if not hashes or not all(map(_HASH.fullmatch, hashes)):
            raise LockError(f"{head!r} has no hash, or something beside its hashes")
        if "://" in line or head.startswith("-"):
            raise LockError(f"{head!r} names a place instead of a version")
        requirement = Requirement(head)
        pins = list(requirement.specifier)
        if requirement.url or len(pins) != 1 or pins[0].operator != "==" or "*" in pins[0].version:
            raise LockError(f"{head!r} is not one version")
        name = canonicalize_name(requirement.name)
        entries.append(Entry(name, Version(pins[0].version), requirement))
    return tuple(entries)
