"""The checkout under test: where it is and what git tracks in it."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


def tracked(*patterns: str) -> Iterator[Path]:
    """Yield the tracked files that match any of the git path patterns; all without a pattern."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in listed.split("\0"):
        path = ROOT / name
        # A file that the next commit removes is still listed.
        if name and path.is_file():
            yield path


def project() -> dict[str, Any]:
    """Read pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
