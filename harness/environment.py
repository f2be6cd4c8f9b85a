"""What a shard ran on: recorded with it, part of no hash."""

from __future__ import annotations

import platform
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Final

_PACKAGES: Final = ("bpe-openai", "numpy", "pint", "pyarrow", "pydantic", "rfc8785", "scipy")


def environment() -> dict[str, str]:
    """Return the interpreter, platform and versions of the packages that touch results."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in _PACKAGES:
        found[name] = metadata.version(name)
    return found


def locked_packages(lock: Path) -> dict[str, str]:
    """Return the installed version of every package that a requirements file pins.

    Packages that are not for this machine, and so not installed, are left out.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    found = {}
    for line in lock.read_text(encoding="utf-8").splitlines():
        name, pinned, _ = line.partition("==")
        if pinned and not name[0].isspace():
            with suppress(metadata.PackageNotFoundError):
                found[name] = metadata.version(name)
    return dict(sorted(found.items()))
