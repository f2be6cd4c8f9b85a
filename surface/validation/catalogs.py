"""Reading and checking the catalogs, all defects at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from surface.catalog import CATALOG_FOLDER, Catalog, collect
from surface.error import SurfaceError
from surface.pointer import leaves
from surface.service import Service, load_service
from surface.validation.arrangement import check_arrangement
from surface.validation.example import check_examples
from surface.validation.meeting import check_common, check_used
from surface.validation.naming import check_descriptions, check_tool_names
from surface.validation.nesting import check_nesting, check_sizes
from surface.validation.problem import Problem
from surface.validation.requirement import CATALOGS, CatalogRequirement
from surface.validation.rival import effect
from surface.validation.text import check_text
from surface.vocabulary import Vocabulary, load_vocabulary


@dataclass(frozen=True)
class CatalogFiles:
    """What could be read of a catalog folder, and what could not."""

    vocabulary: Vocabulary
    services: tuple[Service, ...]
    problems: tuple[Problem, ...]
    """One for each file with a defect; the other files are read all the same."""

    @property
    def order(self) -> tuple[str, ...]:
        """All routes, in the order of the files and of the endpoints in them."""
        return tuple(
            f"{service.name}.{item.endpoint.name}"
            for service in self.services
            for item in service.listings
        )

    def catalogs(self, requirement: CatalogRequirement = CATALOGS) -> Mapping[int, Catalog]:
        """Return the catalogs by tier, whatever their sizes."""
        return MappingProxyType({tier: collect(tier, self.services) for tier in requirement.sizes})


def read_catalog_files(folder: Path = CATALOG_FOLDER) -> CatalogFiles:
    """Read a catalog folder as far as it can be read."""
    root = folder.parent
    try:
        vocabulary = load_vocabulary(folder / "vocabulary.yaml", root=root)
    except SurfaceError as error:
        # Without the vocabulary no service can be understood.
        return CatalogFiles(Vocabulary({}), (), (Problem.of(error),))
    services: list[Service] = []
    problems: list[Problem] = []
    for path in sorted((folder / "services").glob("*.yaml")):
        try:
            services.append(load_service(path, vocabulary, root=root))
        except SurfaceError as error:
            problems.append(Problem.of(error))
    return CatalogFiles(vocabulary, tuple(services), tuple(problems))


def check_catalogs(
    folder: Path = CATALOG_FOLDER, requirement: CatalogRequirement = CATALOGS
) -> tuple[Problem, ...]:
    """Return every defect of a catalog folder.

    Parameters
    ----------
    folder
        Holds ``vocabulary.yaml`` and ``services/``.
    requirement
        Sizes and counts that the catalogs have to reach.
    """
    files = read_catalog_files(folder)
    if not files.services:
        return files.problems or (
            Problem(str(folder), "The folder holds no service files.", "Restore them."),
        )
    found = check_contents(files, files.catalogs(requirement), requirement)
    return (*files.problems, *found)


def check_contents(
    files: CatalogFiles, catalogs: Mapping[int, Catalog], requirement: CatalogRequirement
) -> Iterator[Problem]:
    """Check catalogs that have been read, keyed by tier."""
    snapshots = {tier: catalog.snapshot for tier, catalog in catalogs.items()}
    largest = catalogs[max(catalogs)]
    yield from check_sizes(snapshots, requirement.sizes)
    yield from check_nesting(snapshots)
    if len(largest.snapshot.tools) < requirement.services:
        yield Problem(
            f"catalog {max(catalogs)}",
            f"The catalog has {len(largest.snapshot.tools)} services, fewer than "
            f"{requirement.services}.",
            "Add services.",
        )
    if requirement.arranged:
        yield from check_arrangement(files.services)
    yield from check_common(snapshots, files.vocabulary, requirement.spread)
    yield from check_used(largest.snapshot, files.vocabulary)
    yield from check_tool_names(largest.snapshot)
    yield from check_descriptions(largest.snapshot)
    yield from check_examples(largest)
    for route, endpoint in zip(largest.snapshot.routes, largest.snapshot.endpoints, strict=True):
        for text in leaves([endpoint.model_dump(mode="json"), largest.examples.get(route)]):
            if isinstance(text, str):
                yield from check_text(route, text)


def count_catalogs(vocabulary: Vocabulary, catalogs: Mapping[int, Catalog]) -> dict[str, int]:
    """Return how much the catalogs hold."""
    largest = catalogs[max(catalogs)].snapshot
    effects = Counter(map(effect, largest.endpoints))
    return {
        "terms": len(vocabulary.terms),
        "services": len(largest.tools),
        **{
            f"endpoints in catalog {tier}": len(item.snapshot.routes)
            for tier, item in catalogs.items()
        },
        "read endpoints": effects["read"],
        "write endpoints": effects["write"],
        "destructive endpoints": effects["destructive"],
    }
