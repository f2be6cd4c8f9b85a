"""The identity of a study: one hash over everything that could change an outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from harness.schema import SCHEMA_VERSION
from router.canonical import digest, sha256_hex
from surface.catalog import Catalog
from surface.task import Task

SOURCE_ROOT: Final = Path(__file__).resolve().parent.parent

SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "source.router": ("router/**/*.py",),
    "source.surface": ("surface/*.py",),
    "source.conditions": ("conditions/**/*.py",),
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
}
"""The code and committed vectors that an outcome depends on. Analysis, storage and commands are
recorded, not hashed."""


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
        components[f"catalog.{size}"] = digest([catalog.snapshot.fingerprint, examples])
    for name, patterns in SOURCES.items():
        components[name] = _source_digest(root, patterns)
    return components


def study_identity(components: Mapping[str, str]) -> str:
    """Return the identity over components and the version of the result schema."""
    return digest({"components": dict(components), "schema_version": SCHEMA_VERSION})


def _source_digest(root: Path, patterns: Iterable[str]) -> str:
    """Return the digest of files by name and content, whatever the machine and its line order."""
    files = {
        path.relative_to(root).as_posix(): sha256_hex(path.read_bytes())
        for pattern in patterns
        for path in root.glob(pattern)
        if path.is_file() and path.suffix != ".pyc"
    }
    return digest(files)
