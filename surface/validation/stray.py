"""Stray files: what lies in the folders of the surface and is read by nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from surface.validation.problem import Problem


def check_strays(catalogs: Path, tasks: Path, splits: Collection[str]) -> Iterator[Problem]:
    """Find files that look like part of the surface and are not.

    Parameters
    ----------
    catalogs
        Holds ``vocabulary.yaml`` and the folder ``services``.
    tasks
        Holds a folder of YAML files for each split.
    splits
        Names of the splits.
    """
    for path in _files(catalogs):
        parts = path.relative_to(catalogs).parts
        if parts != ("vocabulary.yaml",) and not _is_yaml(parts, ("services",), depth=2):
            yield _stray(path, catalogs.parent, "services/<service>.yaml")
    for path in _files(tasks):
        parts = path.relative_to(tasks).parts
        if not _is_yaml(parts, splits, depth=None):
            names = ", ".join(sorted(splits))
            yield _stray(path, tasks.parent, f"<split>/<language>.yaml, the splits being {names}")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if not path.is_dir())


def _is_yaml(parts: tuple[str, ...], folders: Collection[str], *, depth: int | None) -> bool:
    named = len(parts) > 1 and parts[0] in folders and parts[-1].endswith(".yaml")
    return named and depth in {None, len(parts)}


def _stray(path: Path, root: Path, pattern: str) -> Problem:
    return Problem(
        str(path.relative_to(root)),
        "Nothing reads the file.",
        f"Name it {pattern}, or remove it.",
    )
