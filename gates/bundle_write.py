"""Writing a bundle: one zip, the same bytes for the same results."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from gates.bundle_document import environment_document, written_documents
from gates.bundle_layout import (
    CRATE,
    DICTIONARY,
    LICENCE,
    LOCK,
    PACKAGES,
    REPORT,
    STUDY,
    SUMS,
    SURFACE,
    TERMINAL,
)
from gates.crate import Entry, crate_metadata
from gates.results import Results
from harness.attempt import Entry as Attempted
from harness.attempt import encode_entry, read_entries
from harness.disk import is_there, write_whole
from harness.folder import StudyFolder
from harness.grid import Shard
from harness.identity import SOURCE_ROOT
from harness.schema import TABLES
from router.canonical import canonical_json

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can state: entries have no time of their own."""

_TAKEN: Final = {
    DICTIONARY: SOURCE_ROOT / "results" / "README.md",
    LICENCE: SOURCE_ROOT / "LICENSE",
    PACKAGES: SOURCE_ROOT / "requirements.lock",
}
"""Documents that are taken from the checkout as they are."""

Source = bytes | Path


def write_bundle(
    path: Path,
    folder: StudyFolder,
    results: Results,
    terminal: Mapping[str, Any],
    *,
    report: bytes,
    lock: Path | None = None,
    surface: bytes | None = None,
) -> None:
    """Write the bundle of a verified study, whole or not at all.

    Parameters
    ----------
    path
        The zip.
    folder
        Where the results lie.
    results
        The verified rows.
    terminal
        The terminal record.
    report
        The study's report, see `gates.report.page`.
    lock
        The lock that the study was frozen with, if it was.
    surface
        The surface that the study brings along, if it does; see `harness.carried`.

    Raises
    ------
    InfrastructureError, OSError
        If the plant fails.

    Notes
    -----
    Nothing is compressed: tables are already, and every version of a compressor has bytes of its
    own. Messages of the attempt ledger stay behind, since they name folders and servers.
    """
    files = _files(folder, results, terminal)
    files[REPORT] = report
    if lock is not None:
        files[LOCK] = lock
    if surface is not None:
        files[SURFACE] = surface
    ledgers = _ledgers(folder, results.record.shards)
    for name, attempts in ledgers.items():
        files[name] = b"".join(encode_entry(attempt) + b"\n" for attempt in attempts)
    entries = {name: _entry(source) for name, source in files.items()}
    files[CRATE] = crate_metadata(entries, terminal, published=_day(ledgers.values()))
    entries[CRATE] = _entry(files[CRATE])
    files[SUMS] = sums(entries)
    write_whole(path, lambda stream: _zip(stream, files))


def sums(entries: Mapping[str, Entry]) -> bytes:
    """Return the content of ``SHA256SUMS``, as `sha256sum --check` takes it."""
    return "".join(f"{entries[name].sha256}  {name}\n" for name in sorted(entries)).encode()


def _files(folder: StudyFolder, results: Results, terminal: Mapping[str, Any]) -> dict[str, Source]:
    files: dict[str, Source] = {
        STUDY: folder.study_record,
        TERMINAL: canonical_json(dict(terminal)) + b"\n",
        **_TAKEN,
        **written_documents(results.record, terminal),
        **environment_document(results.manifests),
    }
    for index in range(results.record.shards):
        shard = Shard(index, results.record.shards)
        files[f"manifests/{shard.name}.json"] = folder.manifest(shard)
        for name in TABLES:
            files[f"{name}/{shard.name}.parquet"] = folder.table(name, shard)
    return files


def _ledgers(folder: StudyFolder, shards: int) -> dict[str, tuple[Attempted, ...]]:
    """Return the ledgers that are there, by name, without messages."""
    found = {}
    for index in range(shards):
        path = folder.attempts(Shard(index, shards))
        if is_there(path):
            entries = (entry.model_copy(update={"message": None}) for entry in read_entries(path))
            found[f"attempts/{path.name}"] = tuple(entries)
    return found


def _day(ledgers: Iterable[tuple[Attempted, ...]]) -> str:
    """Return the day of the last attempt: the results are as old as that."""
    moments = [entry.at for entries in ledgers for entry in entries]
    return datetime.fromtimestamp(max(moments, default=0), UTC).date().isoformat()


def _entry(source: Source) -> Entry:
    if isinstance(source, bytes):
        return Entry(len(source), hashlib.sha256(source).hexdigest())
    with source.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
        return Entry(stream.tell(), found)


def _zip(stream: BinaryIO, files: Mapping[str, Source]) -> None:
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _EPOCH)
            # Of a regular file that everybody may read, whatever system writes it.
            info.create_system, info.external_attr = 3, 0o100644 << 16
            source = files[name]
            archive.writestr(info, source if isinstance(source, bytes) else source.read_bytes())
