"""Service files: the endpoints of one product, one YAML file a service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from router.contract import ToolSpec
from surface.document import NodePath
from surface.listing import NAME, SIZES, Entry, Listing, Reader
from surface.record import Record, read_record
from surface.vocabulary import Vocabulary


class _Service(Record):
    service: str
    description: str = Field(min_length=10)
    endpoints: list[Entry]


@dataclass(frozen=True)
class Service:
    """One service file."""

    name: str
    description: str
    listings: tuple[Listing, ...]

    def tool(self, size: int) -> ToolSpec:
        """Return the service as the catalog of a size holds it."""
        return ToolSpec(
            name=self.name,
            description=self.description,
            endpoints=tuple(item.endpoint for item in self.listings if item.tier <= size),
        )


def load_service(
    path: Path, vocabulary: Vocabulary, *, root: Path | None = None, tiers: Sequence[int] = SIZES
) -> Service:
    """Read one service file.

    Parameters
    ----------
    path, root
        The file, and the folder that its name is shown relative to in errors.
    vocabulary
        The terms that its endpoints refer to.
    tiers
        The catalogs that there are.

    Raises
    ------
    SurfaceError
        For the first defect, with file, line and field.
    """
    record, document = read_record(path, _Service, root=root, context={"tiers": tiers})
    if not NAME.match(record.service) or record.service != path.stem:
        raise document.error(
            f"Service {record.service!r} is not the file's name in lower case.",
            "Give file and service one name.",
            ("service",),
        )
    seen: set[str] = set()
    listings = []
    for position, item in enumerate(record.endpoints):
        place: NodePath = ("endpoints", position)
        if not NAME.match(item.name) or len(f"{record.service}__{item.name}") > 64:
            raise document.error(
                f"{item.name!r} is not a valid endpoint name.",
                "Use lower case, digits and underscores, at most 64 characters with the service.",
                (*place, "name"),
            )
        if item.name in seen:
            raise document.error(
                f"Endpoint {item.name!r} stands twice.", "Rename one.", (*place, "name")
            )
        seen.add(item.name)
        listings.append(Reader(vocabulary, document, place).listing(record.service, item))
    return Service(record.service, record.description, tuple(listings))
