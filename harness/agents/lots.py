"""Lots: draws that depend on what they are drawn for, and on nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

T = TypeVar("T")

_BITS: Final = 53
"""As many as a float holds, so that no draw is rounded up to 1."""

_RANGE: Final = float(2**_BITS)


@dataclass(frozen=True)
class Lots:
    """The lots of one episode.

    Each draw is a hash of the seed, the episode and the draw's name. No draw therefore depends on
    how many went before it, and conditions that come to the same point draw the same: a name holds
    no condition.
    """

    seed: int
    episode: str
    """Task and catalog."""

    def uniform(self, *name: str | int) -> float:
        """Return a number in [0, 1)."""
        text = "\x00".join(map(str, (self.seed, self.episode, *name)))
        value = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        return float(value >> (64 - _BITS)) / _RANGE

    def choice(self, items: Sequence[T], *name: str | int) -> T:
        """Return one of some items, which must not be empty."""
        return items[int(self.uniform(*name) * len(items))]
