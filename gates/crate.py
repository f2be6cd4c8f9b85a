"""A bundle as an RO-Crate: a research object that repositories and machines can read.

The metadata name every other file with its size and hash; ``SHA256SUMS`` covers the metadata too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gates.bundle_document import PROJECT, readable
from gates.bundle_layout import (
    CHOICES,
    CRATE,
    DICTIONARY,
    ENVIRONMENT,
    LICENCE,
    LOCK,
    PACKAGES,
    README,
    REPORT,
    SCHEMA,
    STUDY,
    SUMS,
    SURFACE,
    TERMINAL,
)

_TYPES: Final = {
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "md": "text/markdown",
    "parquet": "application/vnd.apache.parquet",
}

_SPDX: Final = "https://spdx.org/licenses/MIT"

_DESCRIPTIONS: Final = {
    CHOICES: "Choices, deviations, and what is confirmatory or exploratory",
    DICTIONARY: "Data dictionary",
    ENVIRONMENT: "What the study ran on",
    LICENCE: "Licence",
    LOCK: "The lock that the study was frozen with",
    PACKAGES: "Versions and hashes of all packages",
    README: "What this is and how to verify it",
    REPORT: "The report: gate, figures and every episode, to be read in a browser",
    SCHEMA: "Columns and types of the tables",
    STUDY: "What was pinned when the study began",
    SURFACE: "Catalogs and tasks that the study brings along",
    SUMS: "Hashes of all other files",
    TERMINAL: "Gate, metrics, intervals and analyses beside the gate",
    "attempts": "Attempt ledger of a shard",
    "episodes": "One row an episode",
    "exchanges": "One row a turn: the request by hash, and the answer",
    "gold_traces": "One row a step of a task, followed without an agent",
    "manifests": "Manifest of a shard",
    "transitions": "One row a state",
    "turns": "One row a turn",
}


@dataclass(frozen=True)
class Entry:
    """A file of a bundle."""

    size: int
    """Bytes."""
    sha256: str


def crate_metadata(
    files: Mapping[str, Entry], terminal: Mapping[str, Any], *, published: str
) -> bytes:
    """Return the RO-Crate metadata of a bundle.

    Parameters
    ----------
    files
        Every file but the metadata and ``SHA256SUMS``, by name.
    terminal
        The terminal record.
    published
        The date, as ``2026-01-31``.
    """
    from rocrate.model.contextentity import ContextEntity
    from rocrate.rocrate import ROCrate

    crate = ROCrate()
    crate.name = f"Results of study {terminal['study']}"
    crate.description = (
        f"Tables, manifests and terminal record of study {terminal['study']} (split"
        f" {terminal['split']}, {terminal['counts']['episodes']} episodes) of the State-Aware"
        " Retrieval Study. Every figure can be computed again from the tables."
    )
    crate.keywords = "agents, tool retrieval, benchmark, reproducible research"
    crate.root_dataset["datePublished"] = published
    crate.root_dataset["identifier"] = terminal["identity"]
    licence = ContextEntity(crate, _SPDX, {"@type": "CreativeWork", "name": "MIT License"})
    author = ContextEntity(
        crate,
        "#contributors",
        {"@type": "Organization", "name": "The contributors of the State-Aware Retrieval Study"},
    )
    software = ContextEntity(
        crate, f"#{PROJECT}", {"@type": "SoftwareApplication", "name": PROJECT}
    )
    for entity in (licence, author, software):
        crate.add(entity)
    crate.license = licence
    crate.root_dataset["author"] = author
    crate.root_dataset["mentions"] = software
    for name in sorted({*files, SUMS}):
        crate.add_file(dest_path=name, properties=_properties(name, files.get(name)))
    return readable(crate.metadata.generate())


def crate_differences(content: Any, files: Mapping[str, Entry]) -> Iterator[str]:
    """Yield where RO-Crate metadata do not name the files that are there, as they are.

    Parameters
    ----------
    content
        The metadata, parsed.
    files
        As `crate_metadata` takes them.
    """
    graph = content.get("@graph") if isinstance(content, dict) else None
    if not isinstance(graph, list) or not all(isinstance(item, dict) for item in graph):
        yield f"{CRATE} is no RO-Crate metadata"
        return
    listed = {item.get("@id"): item for item in graph if item.get("@type") == "File"}
    for name in sorted({*files, SUMS} ^ set(map(str, listed))):
        yield f"{CRATE} and the bundle differ about the file {name}"
    for name, entry in files.items():
        named = listed.get(name, {})
        if name in listed and (named.get("sha256"), named.get("contentSize")) != (
            entry.sha256,
            str(entry.size),
        ):
            yield f"{CRATE} says something else of {name}"


def _properties(name: str, entry: Entry | None) -> dict[str, str]:
    folder, _, rest = name.partition("/")
    described = _DESCRIPTIONS.get(name) or _DESCRIPTIONS.get(folder, "")
    kind = _TYPES.get((rest or folder).rpartition(".")[2], "text/plain")
    properties = {"name": name, "description": described, "encodingFormat": kind}
    if entry is not None:
        properties |= {"sha256": entry.sha256, "contentSize": str(entry.size)}
    return properties
