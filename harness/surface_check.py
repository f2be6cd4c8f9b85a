"""Checking the surface whole: catalogs and tasks, and the committed vectors of their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from conditions.vectors import VECTOR_FILE, study_texts, task_queries
from harness.error import ConfigError
from harness.study import Study
from router.store import VectorStore, VectorStoreError
from surface.catalog import load_catalogs
from surface.error import SurfaceError
from surface.task import TASK_FOLDER
from surface.validation import Problem, Report, check_surface, splits_in
from surface.validation.location import locate
from surface.validation.playthrough import check_playthrough
from surface.validation.tasks import read_tasks

_REMEDY = "Run `make vectors` and commit the file."


def check_study_surface(split: str, *, step: Callable[[str], None] = lambda name: None) -> Report:
    """Check everything that a study of a split is played on.

    The other splits are read too, because no task may stand in two of them in other words.

    Parameters
    ----------
    split
        Name of the study's split.
    step
        Is told what was checked.
    """
    report = check_surface(list(dict.fromkeys((*splits_in(), split))), step=step)
    if report.unread:
        return report
    vectors = tuple(check_vectors())
    step("vectors")
    return Report((*report.problems, *vectors), report.counts)


def check_own_surface(study: Study) -> Report:
    """Check the surface of a study that has its own, as far as the rules are not the 0.14 study's.

    That is: it loads, its tasks fill the grid, and the gold passes each task in each catalog.
    """
    section = study.config.study
    try:
        catalogs = study.catalogs
    except SurfaceError as error:
        return Report((Problem.of(error),), {}, True)
    counts = {
        f"endpoints in catalog {size}": len(catalog.snapshot.routes)
        for size, catalog in catalogs.items()
    }
    smallest = catalogs[min(catalogs)].snapshot
    read = read_tasks(section.split, study.task_folder, snapshot=smallest, kinds=section.kinds)
    found = [item for task in read.tasks for item in check_playthrough(task, catalogs)]
    problems = [*read.problems, *locate(found, read.locations)]
    if not read.problems:
        try:
            counts["tasks"] = len(study.tasks)
        except ConfigError as error:
            problems.append(Problem(f"split {section.split}", error.what, error.remedy))
    return Report(tuple(problems), counts, bool(read.problems))


def check_vectors(file: Path = VECTOR_FILE, tasks: Path = TASK_FOLDER) -> Iterator[Problem]:
    """Compare the committed vectors with the texts of all catalogs and tasks.

    Parameters
    ----------
    file
        The vectors.
    tasks
        Folder of the splits, every file of which can be read.
    """
    place = f"{file.parent.name}/{file.name}"
    try:
        store = VectorStore.load(file)
    except VectorStoreError:
        what = "does not hold text vectors" if file.exists() else "is missing"
        yield Problem(place, f"The file {what}.", "Restore it from the repository.")
        return
    texts = study_texts((item.snapshot for item in load_catalogs().values()), task_queries(tasks))
    missing = sum(text not in store for text in texts)
    superfluous = len(store) - (len(texts) - missing)
    if missing:
        yield Problem(place, f"It lacks the vectors of {_texts(missing)}.", _REMEDY)
    if superfluous:
        yield Problem(place, f"It holds vectors of {_texts(superfluous)} too many.", _REMEDY)


def summary(report: Report) -> str:
    """Return what a check found, in one line."""
    found = len(report.problems)
    counts = ", ".join(f"{count} {name}" for name, count in report.counts.items())
    return f"{found} {'problem' if found == 1 else 'problems'}" + (f" ({counts})" if counts else "")


def _texts(count: int) -> str:
    return "one text" if count == 1 else f"{count} texts"
