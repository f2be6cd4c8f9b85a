"""What a shard ran on: recorded with it, part of no hash."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Final

_PACKAGES: Final = ("bpe-openai", "numpy", "pint", "pyarrow", "pydantic", "rfc8785", "scipy")


def environment() -> dict[str, str]:
    """Return the interpreter, platform and versions of the packages that touch results."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in _PACKAGES:
        found[name] = metadata.version(name)
    return found
