"""The whole surface: catalogs and tasks together, in one report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from surface.catalog import CATALOG_FOLDER, Catalog
from surface.task import TASK_FOLDER, Task
from surface.validation.catalogs import check_contents, count_catalogs, read_catalog_files
from surface.validation.chain import count_chains
from surface.validation.problem import Problem, Report
from surface.validation.requirement import CATALOGS, SPLITS, CatalogRequirement, SplitRequirement
from surface.validation.similarity import check_similarity
from surface.validation.tasks import check_split, check_task, read_tasks


def check_surface(
    splits: Sequence[str],
    *,
    catalog_folder: Path = CATALOG_FOLDER,
    task_folder: Path = TASK_FOLDER,
    catalog_requirement: CatalogRequirement = CATALOGS,
    split_requirements: Mapping[str, SplitRequirement] = SPLITS,
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

    Returns
    -------
    Report
        Every problem. Tasks are looked at only when every catalog file can be read, because each
        file that is missing would break tasks that are sound.
    """
    files = read_catalog_files(catalog_folder)
    if files.problems or not files.services:
        missing = Problem(str(catalog_folder), "The folder holds no services.", "Restore them.")
        return Report(files.problems or (missing,), MappingProxyType({}))
    catalogs = files.catalogs(catalog_requirement)
    problems = list(check_contents(files.vocabulary, catalogs, catalog_requirement))
    counts = count_catalogs(files.vocabulary, catalogs)
    everything: list[Task] = []
    for split in dict.fromkeys(splits):
        if split not in split_requirements:
            known = ", ".join(sorted(split_requirements))
            problems.append(
                Problem(f"split {split}", "The split does not exist.", f"Use one of: {known}.")
            )
            continue
        tasks, unread = read_tasks(split, task_folder)
        problems.extend(unread)
        problems.extend(_check_tasks(split, tasks, catalogs, split_requirements[split]))
        counts[f"tasks in {split}"] = len(tasks)
        counts.update((f"{what} in {split}", found) for what, found in count_chains(tasks).items())
        everything.extend(tasks)
    problems.extend(_check_ids(everything))
    problems.extend(check_similarity(everything))
    return Report(tuple(problems), MappingProxyType(counts))


def _check_tasks(
    split: str,
    tasks: Sequence[Task],
    catalogs: Mapping[int, Catalog],
    requirement: SplitRequirement,
) -> Iterator[Problem]:
    for task in tasks:
        yield from check_task(task, catalogs)
    yield from check_split(split, tasks, requirement)


def _check_ids(tasks: Sequence[Task]) -> Iterator[Problem]:
    """Find ids that stand in two splits; within one, reading finds them."""
    owners: dict[str, str] = {}
    for task in tasks:
        if owners.setdefault(task.id, task.split) != task.split:
            yield Problem(
                task.id,
                f"The id stands in the splits {owners[task.id]!r} and {task.split!r}.",
                "Rename one.",
            )
