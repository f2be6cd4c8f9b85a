"""The whole surface: catalogs and tasks together, in one report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from surface.catalog import CATALOG_FOLDER, Catalog
from surface.task import TASK_FOLDER, Task
from surface.validation.catalogs import check_contents, count_catalogs, read_catalog_files
from surface.validation.chain import count_chains
from surface.validation.location import Location, locate
from surface.validation.prior import blind_tests, check_prior
from surface.validation.problem import Problem, Report
from surface.validation.requirement import CATALOGS, SPLITS, CatalogRequirement, SplitRequirement
from surface.validation.similarity import check_similarity
from surface.validation.stray import check_strays
from surface.validation.tasks import check_split, check_task, read_tasks


def check_surface(
    splits: Sequence[str],
    *,
    catalog_folder: Path = CATALOG_FOLDER,
    task_folder: Path = TASK_FOLDER,
    catalog_requirement: CatalogRequirement = CATALOGS,
    split_requirements: Mapping[str, SplitRequirement] = SPLITS,
    step: Callable[[str], None] = lambda name: None,
) -> Report:
    """Check the catalogs and the tasks of some splits.

    Parameters
    ----------
    splits
        Names of the splits.
    catalog_folder, task_folder
        Where the files are.
    catalog_requirement, split_requirements
        The numbers that have to be reached.
    step
        Is told what was checked.

    Returns
    -------
    Report
        Every problem. Tasks are looked at only when every catalog file can be read, because each
        file that is missing would break tasks that are sound; for the same reason a split is
        looked at as a whole only when each of its files can be read.
    """
    files = read_catalog_files(catalog_folder)
    strays = tuple(check_strays(catalog_folder, task_folder, split_requirements))
    if files.problems or not files.services:
        missing = Problem(str(catalog_folder), "The folder holds no services.", "Restore them.")
        return Report((*strays, *(files.problems or (missing,))), MappingProxyType({}), True)
    catalogs = files.catalogs(catalog_requirement)
    problems = list(strays)
    problems.extend(check_contents(files, catalogs, catalog_requirement))
    counts = count_catalogs(files.vocabulary, catalogs)
    step("catalogs")
    everything: list[Task] = []
    locations: dict[str, Location] = {}
    unread = False
    smallest = catalogs[min(catalogs)].snapshot
    for split in dict.fromkeys(splits):
        if split not in split_requirements:
            known = ", ".join(sorted(split_requirements))
            problems.append(
                Problem(f"split {split}", "The split does not exist.", f"Use one of: {known}.")
            )
            continue
        read = read_tasks(split, task_folder, known=locations)
        locations.update(read.locations)
        problems.extend(read.problems)
        unread = unread or bool(read.problems)
        found = _check_tasks(read.tasks, catalogs)
        # What a file that cannot be read holds would be missed everywhere in the split.
        requirement = split_requirements[split]
        whole = () if read.problems else check_split(split, read.tasks, requirement, smallest)
        problems.extend(locate((*found, *whole), locations))
        counts[f"tasks in {split}"] = len(read.tasks)
        counts.update((f"{what} in {split}", n) for what, n in count_chains(read.tasks).items())
        everything.extend(read.tasks)
        step(f"tasks in {split}")
    problems.extend(locate(check_similarity(everything), locations))
    if not unread:
        problems.extend(check_prior(blind_tests(everything, smallest, files.order)))
    return Report(tuple(problems), MappingProxyType(counts), unread)


def splits_in(task_folder: Path = TASK_FOLDER) -> tuple[str, ...]:
    """Return the names of the study's splits that have files, in the order of their definition."""
    return tuple(split for split in SPLITS if (task_folder / split).is_dir())


def _check_tasks(tasks: Sequence[Task], catalogs: Mapping[int, Catalog]) -> Iterator[Problem]:
    for task in tasks:
        yield from check_task(task, catalogs)
