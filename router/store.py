"""Vectors of known texts, addressed by their content.

A vector stands under the SHA-256 of its text and of the encoder that made it. Whoever has the store
needs no encoder for the texts in it; nobody can take the vector of another text, or of another
encoder, by mistake.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from router.vector import quantise

__all__ = ["Encoder", "MissingVectorError", "VectorSource", "VectorStore", "VectorStoreError"]

_KEY_BYTES = 32
_MOST_REMEMBERED = 1 << 13  # texts; a few megabytes


class VectorStoreError(ValueError):
    """A file that is not a vector store, or one of another encoder."""


class MissingVectorError(LookupError):
    """A text that has no stored vector, where no encoder can make one."""


class Encoder(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def identity(self) -> str:
        """Name of the encoder, and of everything that its vectors depend on."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: shape ``(n_texts, n_components)``."""
        ...


@dataclass(frozen=True, eq=False)
class VectorStore:
    """A read-only table of vectors of one encoder."""

    identity: str
    """Identity of the encoder."""
    rows: dict[bytes, int]
    """Row of each text's key."""
    vectors: NDArray[np.int8]
    """Shape ``(n_texts, n_components)``."""

    @classmethod
    def of(
        cls, encoder: Encoder, texts: Iterable[str], known: VectorStore | None = None
    ) -> VectorStore:
        """Encode texts, each alone, so that no vector depends on the company that it is made in.

        Parameters
        ----------
        encoder
            Makes the vectors.
        texts
            What the store is to hold, and nothing else.
        known
            A store whose vectors are taken over, if the same encoder made them: another processor
            may round the last digit of a new one differently.
        """
        by_key = {text_key(encoder.identity, text): text for text in texts}
        keys = sorted(by_key)
        kept = {} if known is None else known.rows
        made = [
            quantise(encoder.encode([by_key[key]]))[0]
            if known is None or key not in kept
            else known.vectors[kept[key]]
            for key in keys
        ]
        vectors = np.stack(made) if made else np.zeros((0, 0), dtype=np.int8)
        return cls(encoder.identity, {key: row for row, key in enumerate(keys)}, vectors)

    @classmethod
    def load(cls, path: Path) -> VectorStore:
        """Read a store.

        Raises
        ------
        VectorStoreError
            When the file does not hold one.
        """
        try:
            with path.open("rb") as file, np.lib.npyio.NpzFile(file) as arrays:
                identity = str(arrays["identity"])
                keys, vectors = arrays["keys"], arrays["vectors"]
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise VectorStoreError(
                f"{path} does not hold text vectors ({error}). Restore or rebuild it."
            ) from error
        if (
            keys.dtype != np.uint8
            or vectors.dtype != np.int8
            or vectors.ndim != 2
            or keys.shape != (len(vectors), _KEY_BYTES)
        ):
            raise VectorStoreError(
                f"{path} holds arrays of another form than text vectors. Restore or rebuild it."
            )
        rows = {keys[row].tobytes(): row for row in range(len(keys))}
        return cls(identity, rows, vectors)

    def save(self, path: Path) -> None:
        """Write the store; equal stores give equal bytes."""
        keys = np.frombuffer(b"".join(self.rows), dtype=np.uint8).reshape(-1, _KEY_BYTES)
        np.savez_compressed(path, identity=np.array(self.identity), keys=keys, vectors=self.vectors)

    def vector(self, text: str) -> NDArray[np.int8] | None:
        """Vector of a text, shape ``(n_components,)``; None where the store does not know it."""
        row = self.rows.get(text_key(self.identity, text))
        return None if row is None else self.vectors[row]

    def __contains__(self, text: str) -> bool:
        return text_key(self.identity, text) in self.rows

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class VectorSource:
    """Where vectors come from: a store, an encoder, or a store with an encoder for the rest.

    Raises
    ------
    VectorStoreError
        When the store was made by another encoder, or there is neither store nor encoder.
    """

    store: VectorStore | None = None
    encoder: Encoder | None = None
    _made: dict[str, NDArray[np.int8]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.store is None and self.encoder is None:
            raise VectorStoreError("Vectors need a store or an encoder. Give one of them.")
        if self.store and self.encoder and self.store.identity != self.encoder.identity:
            raise VectorStoreError(
                f"The vector store was made by {self.store.identity}, not by "
                f"{self.encoder.identity}. Rebuild the store, or use its encoder."
            )

    def prepare(self, texts: Iterable[str]) -> None:
        """Encode what a request needs in one call, and remember it.

        An encoder takes little longer for dozens of texts than for one. Texts that are stored or
        remembered are not encoded again; without an encoder there is nothing to prepare.
        """
        if self.encoder is None:
            return
        new = [
            text
            for text in dict.fromkeys(texts)
            if text not in self._made and (self.store is None or text not in self.store)
        ]
        if new:
            if len(self._made) + len(new) > _MOST_REMEMBERED:
                self._made.clear()
            self._made.update(zip(new, quantise(self.encoder.encode(new)), strict=True))

    def forget(self) -> None:
        """Forget what was prepared."""
        self._made.clear()

    def of(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """Vectors of texts: shape ``(n_texts, n_components)``.

        What is neither stored nor prepared is encoded in one call. Stored vectors are exact. The
        last digit of one that is made here may depend on the texts that were encoded with it: an
        encoder computes in floating point.

        Raises
        ------
        MissingVectorError
            When a text is not stored and there is no encoder.
        """
        if not texts:
            return np.zeros((0, self._components), dtype=np.int8)
        stored = [self._known(text) for text in texts]
        missing = [text for text, vector in zip(texts, stored, strict=True) if vector is None]
        if not missing:
            return np.stack([vector for vector in stored if vector is not None])
        if self.encoder is None:
            identity = "" if self.store is None else self.store.identity
            raise MissingVectorError(
                f"{len(missing)} of {len(texts)} texts have no stored vector, the first of them "
                f"with the key {text_key(identity, missing[0]).hex()}. Rebuild the store with the "
                "texts that are ranked, install the extra `embed` and give its encoder, or switch "
                "the semantic channels off."
            )
        made = iter(quantise(self.encoder.encode(missing)))
        return np.stack([next(made) if vector is None else vector for vector in stored])

    def _known(self, text: str) -> NDArray[np.int8] | None:
        found = None if self.store is None else self.store.vector(text)
        return self._made.get(text) if found is None else found

    @property
    def _components(self) -> int:
        return 0 if self.store is None else self.store.vectors.shape[1]


def text_key(identity: str, text: str) -> bytes:
    """SHA-256 of an encoder's identity and a text, 32 bytes."""
    return hashlib.sha256(f"{identity}\0{text}".encode("utf-8", "surrogatepass")).digest()
