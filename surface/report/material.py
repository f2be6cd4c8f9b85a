"""Material: the catalogs and tasks that a report is about, read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from router.canonical import digest
from router.snapshot import CatalogSnapshot
from surface.catalog import CATALOG_FOLDER, Catalog, load_catalogs
from surface.task import TASK_FOLDER, Task, load_tasks
from surface.validation import splits_in
from surface.validation.catalogs import read_catalog_files


@dataclass(frozen=True)
class Material:
    """Catalogs and tasks."""

    catalogs: Mapping[int, Catalog]
    """By size."""
    order: Sequence[str]
    """All routes in the order of the files."""
    splits: Mapping[str, Sequence[Task]]
    """The tasks of each split that has files."""

    @property
    def smallest(self) -> CatalogSnapshot:
        """The catalog that holds every route of every task."""
        return self.catalogs[min(self.catalogs)].snapshot

    @property
    def largest(self) -> CatalogSnapshot:
        """The catalog that holds every endpoint."""
        return self.catalogs[max(self.catalogs)].snapshot

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks of all splits."""
        return tuple(task for tasks in self.splits.values() for task in tasks)

    @property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 of each split and catalog over canonical JSON, as a freeze records them."""
        found = {
            f"tasks of {split}": digest(
                [task.model_dump(mode="json", by_alias=True) for task in tasks]
            )
            for split, tasks in self.splits.items()
        }
        for size, catalog in self.catalogs.items():
            examples = {
                route: None if example is None else dict(example)
                for route, example in catalog.examples.items()
            }
            found[f"catalog {size}"] = digest([catalog.snapshot.fingerprint, examples])
        return found


def read_material(catalogs: Path = CATALOG_FOLDER, tasks: Path = TASK_FOLDER) -> Material:
    """Read the surface.

    Raises
    ------
    SurfaceError
        For the first defect of a file.
    """
    loaded = load_catalogs(catalogs)
    return Material(
        loaded,
        read_catalog_files(catalogs).order,
        {
            split: load_tasks(split, tasks, snapshot=loaded[min(loaded)].snapshot)
            for split in splits_in(tasks)
        },
    )
