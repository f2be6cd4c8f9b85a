"""What a configuration says about the model in this process."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.protocol import LARGEST, Section


class LocalSection(Section):
    """A small model in this process, always greedy."""

    kind: Literal["local"]
    package: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """The installed package that ships the weights."""
    file: str = Field(pattern=r"^[A-Za-z0-9_.-]+\.gguf$")
    """Its file of weights."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the weights."""
    engine: str = Field(min_length=1)
    """Version of xllamacpp: another one may compute other last digits."""
    threads: int = Field(ge=1, le=1_024)
    """Another number sums in another order and may answer otherwise."""
    context_tokens: int = Field(ge=1, le=LARGEST)
    max_tokens: int = Field(ge=1, le=1_000_000)
    """New tokens of one turn."""
    seed: int = Field(ge=0, lt=2**32)
