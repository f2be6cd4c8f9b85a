"""Finding and opening the bundle of a finished study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gates.bundle import BUNDLE, find_terminal
from gates.bundle_confirm import confirm_bundle
from gates.bundle_open import opened
from gates.check import Tell, tell_nobody
from gates.finished import Finished
from harness.disk import is_there
from harness.error import NotTerminalError
from harness.folder import StudyFolder


def finished_bundle(path: Path, *, tell: Tell = tell_nobody) -> Finished:
    """Open a bundle and verify all of it.

    Parameters
    ----------
    path
        A folder or a zip; it may come from anybody.
    tell
        Is told of each check.

    Raises
    ------
    NotTerminalError
        If it is not terminal.
    IntegrityError
        If it is no bundle, or a check finds something.
    OSError
        If the system refuses.
    """
    with opened(path) as folder:
        return Finished.of(confirm_bundle(folder, tell=tell), StudyFolder(folder))


def named_bundle(variables: Mapping[str, str]) -> Path:
    """Return the bundle that environment variables name.

    Parameters
    ----------
    variables
        ``BUNDLE`` is its path. Without it ``STUDY``, by default ``dev``, has its own below
        ``RESULTS``, by default ``../results``.

    Raises
    ------
    NotTerminalError
        If the study is not terminal.
    IntegrityError
        If it is so under several identities.
    """
    if path := variables.get("BUNDLE"):
        return Path(path)
    return find_bundle(Path(variables.get("RESULTS", "../results")), variables.get("STUDY", "dev"))


def find_bundle(results: Path, study: str) -> Path:
    """Return the bundle of a terminal study below a results folder.

    Raises
    ------
    NotTerminalError
        If the study is not terminal.
    IntegrityError
        If it is so under several identities.
    """
    path = find_terminal(results, study).with_name(BUNDLE)
    if not is_there(path):
        raise NotTerminalError(f"{path} does not exist.", f"Run `make aggregate STUDY={study}`.")
    return path
