"""Confirming a bundle: that its files are the listed ones, and all that `gates.confirm` checks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from gates.bundle import load_terminal
from gates.bundle_document import analysis, written_documents
from gates.bundle_layout import CRATE, ENVIRONMENT, LOCK, REPORT, STUDY, SUMS, SURFACE, TERMINAL
from gates.bundle_open import refused
from gates.bundle_write import sums
from gates.check import Check, Tell, tell_nobody
from gates.confirm import Confirmed, confirm
from gates.crate import Entry, crate_differences
from gates.finding import refuse
from gates.finished import Finished
from gates.report.page import report_page
from harness.folder import StudyFolder
from harness.lock import Lock, read_lock
from harness.manifest import StudyRecord, read_record
from harness.recorded import recorded_study
from harness.strict_json import strict_json

_REMEDY: Final = "Take the bundle again from where it was published."


def confirm_bundle(folder: Path, *, tell: Tell = tell_nobody) -> Confirmed:
    """Verify a bundle that `gates.bundle_open.opened` yields; it needs nothing but this package.

    Parameters
    ----------
    folder
        Where its files lie.
    tell
        Is told of each check.

    Raises
    ------
    NotTerminalError
        If a shard is missing.
    IntegrityError
        If it was made with another version of the package, or if a check finds something.
    OSError
        If the system refuses.
    """
    files = _entries(folder)
    record = read_record(folder / STUDY, StudyRecord)
    terminal = load_terminal(folder / TERMINAL)
    checks = (
        Check.of("files", len(files), "files", _altered(folder, files)),
        Check.of("crate", len(files), "files", _crate(folder, files)),
        Check.of("lock", int(LOCK in files), "locks", _lock(folder, files, record)),
    )
    for check in checks:
        tell(check)
    refuse(checks, _REMEDY)
    study = recorded_study(record, (folder / SURFACE).read_bytes() if SURFACE in files else None)
    confirmed = confirm(
        StudyFolder(folder),
        expected=study.expected,
        tasks=study.tasks,
        catalogs=study.catalogs,
        tell=tell,
        aggregated=True,
    )
    finished = Finished.of(confirmed, StudyFolder(folder))
    written = {
        **written_documents(record, terminal),
        REPORT: report_page(finished, frozen=LOCK in files),
    }
    documents = Check.of("documents", len(written), "documents", _reworded(folder, written))
    tell(documents)
    refuse([documents], "Verify with the version of the package that wrote the bundle.")
    return replace(confirmed, checks=(*checks, *confirmed.checks, documents))


def written_by_another_version(folder: Path) -> bool:
    """Whether other code than this package's computed and wrote a bundle.

    The code of the analysis is in no identity: it may be mended after the scoring, and then says
    something else.
    """
    content = _json(folder / ENVIRONMENT)
    return not isinstance(content, dict) or content.get("analysis") != analysis()


def _entries(folder: Path) -> dict[str, Entry]:
    """Return every file but the list of hashes, by name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != SUMS:
            with path.open("rb") as stream:
                found[name] = Entry(
                    path.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest()
                )
    return found


def _altered(folder: Path, files: Mapping[str, Entry]) -> Iterator[str]:
    content = (folder / SUMS).read_bytes()
    listed = {}
    for line in content.decode("utf-8").splitlines():
        sha256, _, name = line.partition("  ")
        listed[name] = sha256
    for name in sorted({*listed, *files}):
        if name not in files:
            yield f"{name} is listed and not there"
        elif name not in listed:
            yield f"{name} is there and not listed"
        elif files[name].sha256 != listed[name]:
            yield f"{name} is not the file that is listed"
    if content != sums(files) and all(
        name in files and files[name].sha256 == sha256 for name, sha256 in listed.items()
    ):
        yield f"{SUMS} is not written as it is here"


def _crate(folder: Path, files: Mapping[str, Entry]) -> Iterator[str]:
    named = {name: entry for name, entry in files.items() if name != CRATE}
    yield from crate_differences(_json(folder / CRATE), named)


def _lock(folder: Path, files: Mapping[str, Entry], record: StudyRecord) -> Iterator[str]:
    """Check that a frozen study has its lock, and that the lock is of these results."""
    if LOCK not in files:
        if not record.development:
            yield "a study that is not for development has no lock"
        return
    lock: Lock = read_lock(folder / LOCK)
    for name in ("study", "split", "identity", "agent", "evidence", "components", "config"):
        if getattr(lock, name) != getattr(record, name):
            yield f"the lock has another {name} than {STUDY}"


def _reworded(folder: Path, written: Mapping[str, bytes]) -> Iterator[str]:
    for name, content in written.items():
        if (folder / name).read_bytes() != content:
            yield f"{name} is not what this package writes"


def _json(path: Path) -> Any:
    try:
        return strict_json(path.read_bytes())
    except ValueError as error:
        refused(f"{path.name} is not JSON that has one meaning ({error})")
