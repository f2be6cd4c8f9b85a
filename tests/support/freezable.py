"""The tiny study as one that has to be frozen, and a checkout in which all is committed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.checkout import Checkout
from harness.freeze import freeze
from harness.lock import Lock
from tests.support.tiny import CONFIG, Tiny

ARTIFACT = "sha256:" + "ab" * 32

AUTHORIZATION = f"""
authorization:
  - kind: recorded
    predecessor: B2
    run: "36642658406"
    artifact: {ARTIFACT}
    terminal: true
"""

COMMIT = "c0ffee" + "0" * 34


@dataclass(frozen=True)
class Committed(Checkout):
    """A checkout that says what a test wants to hear; the real one is the business of its own."""

    dirty: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()

    def commit(self) -> str:
        return COMMIT

    def changes(self) -> tuple[str, ...]:
        return self.dirty

    def uncommitted(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in self.strange if name in set(names))


def freezable(folder: Path, authorization: str = AUTHORIZATION) -> Tiny:
    """Build the tiny study without a lock."""
    tiny = Tiny.build(folder)
    text = CONFIG.replace("development: true", "development: false")
    (tiny.configs / "study" / "tiny.yaml").write_text(text + authorization)
    return tiny


def frozen(folder: Path, authorization: str = AUTHORIZATION) -> tuple[Tiny, Lock]:
    """Build the tiny study and freeze it with the reference agent."""
    tiny = freezable(folder, authorization)
    lock, _ = freeze(tiny.study(), Committed())
    return tiny, lock
