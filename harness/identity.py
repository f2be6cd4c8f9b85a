"""The identity of a study: one hash over everything that could change an outcome.

A component is hashed by what the study reads of it. Beside it stand the hashes of its files, so
that whoever finds another component can be told which file it is in; of tasks, catalogs and
configuration these also move with a comment, which changes no component.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from harness.schema import SCHEMA_VERSION
from router.canonical import digest, sha256_hex
from surface.catalog import Catalog
from surface.task import Task

SOURCE_ROOT: Final = Path(__file__).resolve().parent.parent

Files = Mapping[str, str]
"""SHA-256 of files by name: below `SOURCE_ROOT` where they lie there."""

SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "source.router": ("router/**/*.py",),
    "source.surface": ("surface/*.py",),
    "state_contract": tuple(
        f"conditions/{name}.py"
        for name in ("contract", "observation", "outcome", "rendering", "state")
    ),
    "conditions": ("conditions/exposure.py", "conditions/preregistered.py"),
    "retriever": ("conditions/**/*.py",),
    "source.episode": tuple(
        f"harness/{name}.py"
        for name in (
            "call",
            "conversation",
            "episode",
            "prompt",
            "study",
            "tokens",
            "toolname",
            "trace",
            "transition",
        )
    ),
    "source.agents": ("harness/agents/**/*",),
    "vectors": ("conditions/*.npz",),
    "metrics": ("gates/counts.py", "gates/metric_table.py"),
    "gate": ("gates/gate.py", "gates/threshold.py"),
}
"""The code, definitions and committed vectors that an outcome or its meaning depends on; a file
belongs to the first component that names it. Other analysis, storage and commands are recorded,
not hashed."""

ANALYSIS: Final[Mapping[str, tuple[str, ...]]] = {
    "analysis.gates": ("gates/**/*.py",),
    "analysis.harness": ("harness/*.py",),
}
"""The code that a lock records as a version: what SOURCES names is not in it again."""


def study_components(
    *,
    config: Mapping[str, Any],
    tasks: Iterable[Task],
    catalogs: Mapping[int, Catalog],
    agent: Mapping[str, Any],
    root: Path = SOURCE_ROOT,
) -> dict[str, str]:
    """Return the SHA-256 of every component of a study, by name.

    Parameters
    ----------
    config
        The protocol and identity keys.
    tasks
        The split's tasks.
    catalogs
        The catalogs by size.
    agent
        The agent's identity.
    root
        Folder that the sources lie in.
    """
    components = {
        "config": digest(dict(config)),
        "agent": digest(dict(agent)),
        "tasks": digest([task.model_dump(mode="json", by_alias=True) for task in tasks]),
    }
    for size, catalog in catalogs.items():
        examples = {
            route: None if example is None else dict(example)
            for route, example in catalog.examples.items()
        }
        components[catalog_component(size)] = digest([catalog.snapshot.fingerprint, examples])
    return components | {name: digest(files) for name, files in source_files(root).items()}


def study_identity(components: Mapping[str, str]) -> str:
    """Return the identity over components and the version of the result schema."""
    return digest({"components": dict(components), "schema_version": SCHEMA_VERSION})


def catalog_component(size: int) -> str:
    """Return the name of a catalog's component."""
    return f"catalog.{size}"


def source_files(root: Path = SOURCE_ROOT) -> dict[str, dict[str, str]]:
    """Return the files of every component of `SOURCES`, whatever the machine and its line order."""
    return _assigned(SOURCES, root)


def analysis_files(root: Path = SOURCE_ROOT) -> dict[str, dict[str, str]]:
    """Return the files of the code that is recorded as a version."""
    found = _assigned({**SOURCES, **ANALYSIS}, root)
    return {name: found[name] for name in ANALYSIS}


def file_hashes(files: Iterable[Path], *, folder: Path) -> dict[str, str]:
    """Return the SHA-256 of files by name.

    Parameters
    ----------
    files
        The files.
    folder
        What the names of files that lie outside the project are relative to.

    Raises
    ------
    OSError
        If one cannot be read.
    """
    hashes = {}
    for path in (item.resolve() for item in files):
        inside = path.is_relative_to(SOURCE_ROOT)
        name = path.relative_to(SOURCE_ROOT if inside else folder.resolve()).as_posix()
        hashes[name] = sha256_hex(path.read_bytes())
    return dict(sorted(hashes.items()))


def _assigned(patterns: Mapping[str, tuple[str, ...]], root: Path) -> dict[str, dict[str, str]]:
    taken: set[Path] = set()
    found: dict[str, dict[str, str]] = {}
    for component, globs in patterns.items():
        paths = {
            path
            for pattern in globs
            for path in root.glob(pattern)
            if path.is_file() and path.suffix != ".pyc"
        } - taken
        taken |= paths
        found[component] = {
            path.relative_to(root).as_posix(): sha256_hex(path.read_bytes())
            for path in sorted(paths)
        }
    return found
