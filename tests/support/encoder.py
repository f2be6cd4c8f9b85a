"""An encoder for tests: texts that share characters point the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from router.store import VectorSource, VectorStore

N_COMPONENTS = 128


class CharacterEncoder:
    """Adds up one direction for each character trigram of a text."""

    identity = "tests: character trigrams"

    def __init__(self) -> None:
        self.asked: list[str] = []
        """Every text that was encoded."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.stack([_direction(text) for text in texts]).astype(np.float32)


def source(texts: Iterable[str]) -> VectorSource:
    """A store of some texts, without the encoder that made it."""
    return VectorSource(VectorStore.of(CharacterEncoder(), texts))


def _direction(text: str) -> NDArray[np.float64]:
    padded = f"  {text.casefold()}  "
    total = np.zeros(N_COMPONENTS)
    for at in range(len(padded) - 2):
        total += _trigram(padded[at : at + 3])
    return total / float(np.linalg.norm(total))


@cache
def _trigram(characters: str) -> NDArray[np.float64]:
    seed = hashlib.sha256(characters.encode("utf-8", "surrogatepass")).digest()[:8]
    return np.random.default_rng(int.from_bytes(seed, "big")).standard_normal(N_COMPONENTS)
