"""Reading and checking the tasks of a split, all defects at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from router.snapshot import CatalogSnapshot
from surface.catalog import Catalog
from surface.error import SurfaceError
from surface.kind import KINDS, Kinds
from surface.pointer import leaves
from surface.task import TASK_FOLDER, Task, read_task_file, repeated, task_files
from surface.validation.chain import check_chains
from surface.validation.evidence import check_evidence
from surface.validation.grid import check_grid
from surface.validation.language import check_language
from surface.validation.location import Location
from surface.validation.naming import tool_name
from surface.validation.obtainable import check_created, check_obtainable
from surface.validation.playthrough import check_playthrough
from surface.validation.problem import Problem
from surface.validation.requirement import SplitRequirement
from surface.validation.rule import check_rule
from surface.validation.site import approval_sites, step_sites
from surface.validation.step import check_approvals, check_steps
from surface.validation.stratum import check_stratum
from surface.validation.text import check_marker, check_text
from surface.validation.variety import check_variety


@dataclass(frozen=True)
class SplitFiles:
    """What could be read of a split, and what could not."""

    tasks: tuple[Task, ...]
    """In the order of the files."""
    locations: Mapping[str, Location]
    """Where each task stands, by id."""
    problems: tuple[Problem, ...]
    """One for each file that cannot be read and each id that stands twice; all else is read."""


def read_tasks(
    split: str,
    folder: Path = TASK_FOLDER,
    *,
    known: Collection[str] = (),
    snapshot: CatalogSnapshot | None = None,
    kinds: Kinds = KINDS,
) -> SplitFiles:
    """Read the task files of a split as far as they can be read.

    Parameters
    ----------
    split
        Name of the split.
    folder
        Folder of the splits.
    known
        Ids of the tasks of other splits.
    snapshot, kinds
        What tasks may name and be, see `read_task_file`.
    """
    tasks: dict[str, Task] = {}
    locations: dict[str, Location] = {}
    problems: list[Problem] = []
    try:
        files = task_files(split, folder)
    except SurfaceError as error:
        return SplitFiles((), {}, (Problem.of(error),))
    for path in files:
        try:
            found, document = read_task_file(
                path, split, root=folder.parent, known=None, snapshot=snapshot, kinds=kinds
            )
        except SurfaceError as error:
            problems.append(Problem.of(error))
            continue
        twice = dict(repeated(found, document, {*known, *tasks}))
        problems.extend(map(Problem.of, twice.values()))
        for position, task in enumerate(found):
            if position not in twice:
                tasks[task.id] = task
                locations[task.id] = Location(document, position)
    return SplitFiles(tuple(tasks.values()), locations, tuple(problems))


def check_split(
    split: str,
    tasks: Sequence[Task],
    requirement: SplitRequirement,
    smallest: CatalogSnapshot,
) -> Iterator[Problem]:
    """Check a split as a whole."""
    yield from check_grid(split, tasks, requirement.per_cell)
    yield from check_chains(split, tasks, requirement)
    sound = [task for task in tasks if not any(_form(task, smallest))]
    if requirement.varied:
        yield from check_variety(split, sound, smallest)


def check_task(task: Task, catalogs: Mapping[int, Catalog]) -> Iterator[Problem]:
    """Check one task.

    What builds on something wrong is not checked, so that one defect is reported once: a task is
    played through only when its rules are sound and their values obtainable, and its quotes are
    looked at only when its steps depend on each other as its stratum says.
    """
    yield from _texts(task)
    yield from check_language(task)
    smallest, largest = (catalogs[choose(catalogs)].snapshot for choose in (min, max))
    unsound = tuple(_form(task, smallest))
    yield from unsound
    if unsound:
        return
    misplaced = tuple(check_stratum(task, smallest))
    yield from misplaced
    unknown = tuple(
        problem for site in step_sites(task, smallest) for problem in check_obtainable(site)
    )
    yield from unknown
    yield from check_created(task, smallest)
    if not unknown:
        yield from check_playthrough(task, catalogs)
    if not (misplaced or unknown):
        yield from check_evidence(task, largest)


def _form(task: Task, smallest: CatalogSnapshot) -> Iterator[Problem]:
    yield from check_steps(task, smallest)
    yield from check_approvals(task, smallest)
    for sites in (step_sites(task, smallest), approval_sites(task, smallest)):
        for site in sites:
            yield from check_rule(site)


def _texts(task: Task) -> Iterator[Problem]:
    for text in leaves(task.model_dump(mode="json")):
        if isinstance(text, str):
            yield from check_text(task.id, text)
    yield from check_marker(f"{task.id}: query", task.query)
    for route in task.required_routes:
        if route in task.query or tool_name(route) in task.query:
            yield Problem(
                f"{task.id}: query",
                f"The query names the route {route!r}.",
                "Ask for what it does instead.",
            )
