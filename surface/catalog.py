"""The nested catalogs: 100, 250 and 500 endpoints over one set of service files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from jsonschema import Draft202012Validator

from router.snapshot import CatalogSnapshot
from surface.error import SurfaceError
from surface.listing import SIZES
from surface.service import Service, load_service
from surface.vocabulary import Vocabulary, load_vocabulary

__all__ = [
    "CATALOG_FOLDER",
    "SIZES",
    "Catalog",
    "build_catalog",
    "collect",
    "load_catalogs",
    "load_services",
]

CATALOG_FOLDER: Final = Path(__file__).parent / "catalogs"


@dataclass(frozen=True, eq=False)
class Catalog:
    """What can be called: a snapshot for retrieval and an example observation for each route."""

    size: int
    snapshot: CatalogSnapshot
    examples: Mapping[str, Mapping[str, Any] | None]

    @cached_property
    def argument_validators(self) -> Mapping[str, Draft202012Validator]:
        """Return a compiled validator of each route's arguments."""
        return {
            route: Draft202012Validator(endpoint.input_schema)
            for route, endpoint in zip(self.snapshot.routes, self.snapshot.endpoints, strict=True)
        }


def load_services(
    folder: Path = CATALOG_FOLDER, sizes: Sequence[int] = SIZES
) -> tuple[Vocabulary, tuple[Service, ...]]:
    """Read the vocabulary and every service file of a folder, ordered by file name.

    Parameters
    ----------
    folder
        Holds ``vocabulary.yaml`` and the folder ``services``.
    sizes
        The tiers that an endpoint may have.

    Raises
    ------
    SurfaceError
        For the first defect, with file, line and field.
    """
    vocabulary = load_vocabulary(folder / "vocabulary.yaml", root=folder.parent)
    services = tuple(
        load_service(path, vocabulary, root=folder.parent, tiers=sizes)
        for path in sorted((folder / "services").glob("*.yaml"))
    )
    return vocabulary, services


def load_catalogs(
    folder: Path = CATALOG_FOLDER, sizes: Sequence[int] = SIZES
) -> Mapping[int, Catalog]:
    """Read the catalogs, keyed by size.

    Parameters
    ----------
    folder
        Holds ``vocabulary.yaml`` and the folder ``services``.
    sizes
        How many endpoints each catalog holds.

    Raises
    ------
    SurfaceError
        For a defect in a file, a route that stands twice, or a catalog that does not hold as many
        endpoints as its size says.
    """
    _, services = load_services(folder, sizes)
    return MappingProxyType({size: build_catalog(size, services) for size in sizes})


def build_catalog(size: int, services: Iterable[Service]) -> Catalog:
    """Return the catalog of one size: every endpoint whose tier is not above it.

    Raises
    ------
    SurfaceError
        If it does not hold as many endpoints as its size says.
    """
    catalog = collect(size, services)
    if len(catalog.snapshot.routes) != size:
        raise SurfaceError(
            f"Catalog {size} holds {len(catalog.snapshot.routes)} endpoints.",
            "Correct the tiers in the service files.",
            file="catalogs/services",
        )
    return catalog


def collect(tier: int, services: Iterable[Service]) -> Catalog:
    """Return every endpoint whose tier is not above the one given, however many there are."""
    listed = tuple(services)
    snapshot = CatalogSnapshot.of(
        tool for service in listed if (tool := service.tool(tier)).endpoints
    )
    examples = {
        item.route: item.example
        for service in listed
        for item in service.listings
        if item.tier <= tier
    }
    return Catalog(tier, snapshot, MappingProxyType(examples))
