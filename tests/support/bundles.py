"""Bundles of the shop's study, to be opened, altered and sealed again."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.bundle import BUNDLE
from gates.bundle_confirm import confirm_bundle
from gates.bundle_layout import CRATE, SUMS
from gates.bundle_open import opened
from gates.bundle_write import sums
from gates.confirm import Confirmed
from gates.crate import Entry, crate_metadata
from harness.recorded import Recorded
from tests.support.shop_study import ShopStudy, catalogs, record_of, tasks

Files = dict[str, bytes]


@cache
def honest() -> Files:
    """The files of an honest bundle, by name."""
    with TemporaryDirectory() as name:
        study = ShopStudy.write(Path(name))
        aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())
        return files_of(study.folder.terminal / BUNDLE)


def files_of(path: Path) -> Files:
    """The files of a zip, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sealed(files: Files) -> Files:
    """The files with metadata and hashes made anew, as a forger would."""
    content = {name: value for name, value in files.items() if name not in {CRATE, SUMS}}
    terminal = json.loads(honest()["terminal/terminal.json"])
    metadata = crate_metadata(_entries(content), terminal, published="2026-01-31")
    content[CRATE] = metadata
    return content | {SUMS: sums(_entries(content))}


def zipped(path: Path, files: Files, compression: int = zipfile.ZIP_STORED) -> Path:
    """Write a zip."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def unfolded(path: Path, files: Files) -> Path:
    """Write a folder."""
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


@contextmanager
def of_this_package() -> Iterator[None]:
    """Let the package hold the shop's surface, as it holds that of the real studies."""
    with pytest.MonkeyPatch.context() as patch:
        recorded = Recorded(record_of(), tasks(), catalogs())
        patch.setattr("gates.bundle_confirm.recorded_study", lambda *_: recorded)
        yield


def confirmed(path: Path, **options: Any) -> Confirmed:
    """Open and confirm a bundle."""
    with of_this_package(), opened(path) as folder:
        return confirm_bundle(folder, **options)


def _entries(files: Files) -> dict[str, Entry]:
    return {
        name: Entry(len(value), hashlib.sha256(value).hexdigest()) for name, value in files.items()
    }
