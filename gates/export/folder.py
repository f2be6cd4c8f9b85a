"""The folder of an export: there whole or not at all, never in place of somebody's own files."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from gates.bundle_document import PROJECT, readable
from gates.finished import Finished
from gates.summary import answered
from harness.disk import TEMPORARY_PREFIX, disk_error, is_there, remove_whole, sync_folder
from harness.error import ConfigError

NOTE: Final = "EXPORT.json"
"""Says in every folder what was exported, and of what; a folder without it is not ours."""


def write_folder(path: Path, name: str, finished: Finished, fill: Callable[[Path], None]) -> None:
    """Write an export's folder under a temporary name, then give it its own.

    Parameters
    ----------
    path
        The folder. An older export there goes when the new one is complete.
    name
        Of the format.
    finished
        What is exported, for the note.
    fill
        Writes the files.

    Raises
    ------
    ConfigError
        If something else has that name.
    InfrastructureError
        If the disk refuses; nothing is left behind.
    """
    if is_there(path) and not (path.is_dir() and is_there(path / NOTE)):
        raise ConfigError(
            f"{path} is there and is no export.", "Move it away, or name another folder."
        )
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=TEMPORARY_PREFIX, dir=path.parent))
        fill(temporary)
        (temporary / NOTE).write_bytes(readable(note(name, finished, temporary)))
        temporary.chmod(0o755)
        remove_whole(path)
        os.rename(temporary, path)
        temporary = None
        sync_folder(path.parent)
    except OSError as error:
        raise disk_error(path, error) from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def note(name: str, finished: Finished, folder: Path) -> dict[str, Any]:
    """Return what an export says of itself, with the hash of every file in its folder."""
    record = finished.results.record
    return {
        "format": name,
        "label": finished.label,
        "answered": answered(finished.terminal),
        "study": record.study,
        "split": record.split,
        "development": record.development,
        "evidence": record.evidence,
        "identity": record.identity,
        "digest": finished.results.digest,
        "version": metadata.version(PROJECT),
        "files": {
            file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        },
    }
