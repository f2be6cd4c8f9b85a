"""What a bundle holds, by name, and how large each of it may be.

A bundle is laid out like the results of its study, with documents beside them, so that the same
code reads both. Names are compared with this list and with nothing else: what is not on it is not
opened, whatever it is called.
"""

from __future__ import annotations

import re
from typing import Final

from harness.attempt import LARGEST_LEDGER
from harness.carried import LARGEST_SURFACE
from harness.config import MAX_SHARDS
from harness.manifest import LARGEST_RECORD
from harness.schema import TABLES

CRATE: Final = "ro-crate-metadata.json"
SUMS: Final = "SHA256SUMS"
TERMINAL: Final = "terminal/terminal.json"
STUDY: Final = "study.json"
LOCK: Final = "lock.json"
SURFACE: Final = "surface.json"
CHOICES: Final = "choices.json"
SCHEMA: Final = "schema.json"
ENVIRONMENT: Final = "environment.json"
README: Final = "README.md"
REPORT: Final = "report.html"
DICTIONARY: Final = "DICTIONARY.md"
LICENCE: Final = "LICENSE"
PACKAGES: Final = "requirements.lock"

_MEBI: Final = 2**20
_LARGEST: Final[dict[str, int]] = {
    CRATE: 256 * _MEBI,
    SUMS: 128 * _MEBI,
    TERMINAL: 256 * _MEBI,
    STUDY: LARGEST_RECORD,
    LOCK: LARGEST_RECORD,
    SURFACE: LARGEST_SURFACE,
    CHOICES: _MEBI,
    SCHEMA: _MEBI,
    ENVIRONMENT: LARGEST_RECORD,
    README: _MEBI,
    REPORT: 16 * _MEBI,
    DICTIONARY: _MEBI,
    LICENCE: _MEBI,
    PACKAGES: 4 * _MEBI,
}
REQUIRED: Final = frozenset(_LARGEST) - {LOCK, SURFACE}
"""What every bundle holds; a study that is for development has no lock, and one on the surface of
this package carries none."""

LARGEST_TABLE: Final = 1024 * _MEBI
LARGEST_BUNDLE: Final = 4 * 1024 * _MEBI
"""Bytes of all files; a study of 2,700 episodes takes about 20 MB."""
MOST_FILES: Final = len(_LARGEST) + MAX_SHARDS * (2 + len(TABLES))

_SHARDED: Final = re.compile(
    r"(?:(manifests/shard-[0-9]{5}-of-[0-9]{5}\.json)"
    r"|(attempts/shard-[0-9]{5}-of-[0-9]{5}\.jsonl)"
    rf"|((?:{'|'.join(TABLES)})/shard-[0-9]{{5}}-of-[0-9]{{5}}\.parquet))\Z"
)
_FOLDERS: Final = frozenset({"manifests", "attempts", "terminal", *TABLES})


def is_folder(name: str) -> bool:
    """Whether a bundle has a folder of that name."""
    return name in _FOLDERS


def largest(name: str) -> int | None:
    """Return how many bytes the file of a name may have; None where a bundle has no such file."""
    if name in _LARGEST:
        return _LARGEST[name]
    found = _SHARDED.match(name)
    if found is None:
        return None
    return (LARGEST_RECORD, LARGEST_LEDGER, LARGEST_TABLE)[(found.lastindex or 1) - 1]
