"""A study's own surface as one document, so that its results can be verified without its folder.

The files stand in it letter for letter, in the order in which they are read. Services keep their
names, which their files have to bear; no other name of a file means anything, so that none is kept
and none can lead anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

from pydantic import Field

from harness.manifest import Record, parse_record, record_bytes
from surface.task import task_files

LARGEST_SURFACE: Final = 256 * 2**20
"""Bytes; the 0.14 surface would take two million."""

ServiceName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$", max_length=200)]


class CarriedSurface(Record):
    """The texts of vocabulary, services and one split."""

    remedy = "Take the results again from where they were published."

    vocabulary: str
    services: dict[ServiceName, str]
    tasks: list[str]


def carried_surface(surface: Path | None, split: str) -> bytes | None:
    """Return the surface that a study brings along, as a file holds it.

    Parameters
    ----------
    surface
        Its folder, which holds ``catalogs/`` and ``tasks/``; None for the surface of this package,
        which is not carried.
    split
        The study's split; no other is carried.

    Raises
    ------
    SurfaceError
        If the split has no task files.
    OSError
        If a file cannot be read.
    """
    if surface is None:
        return None
    catalogs = surface / "catalogs"
    services = sorted((catalogs / "services").glob("*.yaml"))
    return record_bytes(
        CarriedSurface(
            vocabulary=_text(catalogs / "vocabulary.yaml"),
            services={path.stem: _text(path) for path in services},
            tasks=[_text(path) for path in task_files(split, surface / "tasks")],
        )
    )


@contextmanager
def unfolded(content: bytes, split: str) -> Iterator[tuple[Path, Path]]:
    """Yield temporary folders of catalogs and of tasks that hold a carried surface.

    Raises
    ------
    IntegrityError
        If the document is none.
    OSError
        If the system refuses.
    """
    carried = parse_record(content, CarriedSurface, "The surface that the results carry")
    with TemporaryDirectory(prefix="surface-") as name:
        catalogs, tasks = Path(name) / "catalogs", Path(name) / "tasks"
        files = {
            catalogs / "vocabulary.yaml": carried.vocabulary,
            **{
                catalogs / "services" / f"{service}.yaml": text
                for service, text in carried.services.items()
            },
            **{
                tasks / split / f"{number:05}.yaml": text
                for number, text in enumerate(carried.tasks)
            },
        }
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        yield catalogs, tasks


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")
