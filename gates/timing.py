"""How the times of a study were measured: alone, or while other episodes ran beside."""

from __future__ import annotations

from collections.abc import Iterable

from gates.number import Json
from harness.manifest import Manifest


def timing(manifests: Iterable[Manifest]) -> dict[str, Json]:
    """Return how many episodes ran at once at most, and whether that confounds their times.

    An episode that shares processor, server or network with others takes the longer for them, and
    how much longer depends on what they were. Where a manifest does not say, the times are taken
    for confounded.

    Parameters
    ----------
    manifests
        Of all shards. They know of the processes of one command; whether several commands shared a
        machine or a server nothing records.
    """
    found = tuple(manifests)
    processes = _most(found, "processes")
    episodes = _most(found, "concurrency")
    at_once = None if processes is None or episodes is None else processes * episodes
    return {
        "processes": processes,
        "episodes_per_process": episodes,
        "episodes_at_once": at_once,
        "confounded": at_once != 1,
    }


def _most(manifests: Iterable[Manifest], name: str) -> int | None:
    """Return the largest number that the environments hold, None where one holds none."""
    texts = [manifest.environment.get(name, "") for manifest in manifests]
    valid = all(text.isascii() and text.isdecimal() and len(text) < 10 for text in texts)
    return max(map(int, texts)) if valid and texts else None
