"""Tasks: a request in one language, the steps that fulfil it, and approvals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from router.snapshot import CatalogSnapshot
from surface.argument import Rule
from surface.document import Document, NodePath
from surface.error import SurfaceError
from surface.kind import KINDS, LANGUAGES, STRATA, Kinds, Language, Stratum
from surface.record import Record, one_of, read_record
from surface.step import Approval, Step

__all__ = [
    "CANARY",
    "LANGUAGES",
    "STRATA",
    "TASK_FOLDER",
    "Approval",
    "Language",
    "Step",
    "Stratum",
    "Task",
    "load_tasks",
    "read_task_file",
    "task_files",
]

TASK_FOLDER: Final = Path(__file__).parent / "tasks"
CANARY: Final = "state-aware-retrieval-study canary 5f1c9c0e-6a0b-4b52-9a37-2d0d6f0f8a14"
"""Stands in every task file, so that a model trained on them can be found out."""


class Task(Record):
    """One request of the study."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    split: str
    stratum: str
    language: str
    query: str = Field(min_length=10)
    gloss: str = Field(min_length=10)
    """What the query says, in English; for readers of reports, never for a retriever or agent."""
    steps: tuple[Step, ...] = Field(min_length=2, max_length=6)
    approvals: tuple[Approval, ...] = ()

    @field_validator("steps", "approvals", mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("stratum", mode="before")
    @classmethod
    def _of_a_stratum(cls, value: Any, info: ValidationInfo) -> Any:
        return one_of(value, _kinds(info).strata)

    @field_validator("language", mode="before")
    @classmethod
    def _in_a_language(cls, value: Any, info: ValidationInfo) -> Any:
        return one_of(value, _kinds(info).languages)

    @model_validator(mode="before")
    @classmethod
    def _take_split(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, dict) or not info.context:
            return value
        if "split" in value:
            raise ValueError("the folder gives a task its split")
        return {**value, "split": info.context["split"]}

    @model_validator(mode="after")
    def _approvals_fit(self) -> Self:
        for approval in self.approvals:
            if approval.step is not None and approval.step > len(self.steps):
                raise ValueError(f"an approval names step {approval.step}, which does not exist")
        return self

    @property
    def required_routes(self) -> tuple[str, ...]:
        """The routes of the steps, each once, in the order of first need."""
        return tuple(dict.fromkeys(step.route for step in self.steps))

    def approved(self, position: int) -> tuple[str, Mapping[str, Rule]]:
        """Return route and rules of an approval."""
        approval = self.approvals[position]
        if approval.step is not None:
            step = self.steps[approval.step - 1]
            return step.route, step.arguments
        return str(approval.route), approval.arguments


def _kinds(info: ValidationInfo) -> Kinds:
    kinds: Kinds = (info.context or {}).get("kinds", KINDS)
    return kinds


class _File(Record):
    canary: Literal["state-aware-retrieval-study canary 5f1c9c0e-6a0b-4b52-9a37-2d0d6f0f8a14"]
    tasks: list[Task]


def task_files(split: str, folder: Path = TASK_FOLDER) -> tuple[Path, ...]:
    """Return the task files of a split, ordered by their path.

    Raises
    ------
    SurfaceError
        If the split has no task files.
    """
    files = tuple(sorted((folder / split).rglob("*.yaml")))
    if not files:
        known = sorted({path.relative_to(folder).parts[0] for path in folder.glob("*/**/*.yaml")})
        raise SurfaceError(
            f"The split {split!r} has no task files.",
            f"Use one of: {', '.join(known)}." if known else f"Restore the files in {folder}.",
        )
    return files


def load_tasks(
    split: str,
    folder: Path = TASK_FOLDER,
    *,
    snapshot: CatalogSnapshot | None = None,
    kinds: Kinds = KINDS,
) -> tuple[Task, ...]:
    """Read every task of a split, ordered by id as UTF-8 bytes.

    Parameters
    ----------
    split
        Name of the split.
    folder
        Folder of the splits.
    snapshot
        The catalog that has to hold every route and parameter that a task names; None for none.
    kinds
        The strata and languages that there are.

    Raises
    ------
    SurfaceError
        For the first defect, with file, line and field; for an id that stands twice.
    """
    found: dict[str, Task] = {}
    for path in task_files(split, folder):
        tasks, _ = read_task_file(
            path,
            split,
            root=folder.parent,
            known=found,
            snapshot=snapshot,
            kinds=kinds,
        )
        found.update((task.id, task) for task in tasks)
    return tuple(found[key] for key in sorted(found, key=lambda name: name.encode()))


def read_task_file(
    path: Path,
    split: str,
    *,
    root: Path | None = None,
    known: Collection[str] | None = (),
    snapshot: CatalogSnapshot | None = None,
    kinds: Kinds = KINDS,
) -> tuple[tuple[Task, ...], Document]:
    """Read one task file of a split, in the file's order, and the document it came from.

    Parameters
    ----------
    path, root
        The file, and the folder that its name is shown relative to in errors.
    split
        What the tasks belong to.
    known
        Ids that stand in other files; None leaves ids that stand twice to `repeated`.
    snapshot
        The catalog that has to hold every route and parameter that a task names; None for none.
    kinds
        The strata and languages that there are.

    Raises
    ------
    SurfaceError
        For the first defect, with file, line and field; for an id that stands twice.
    """
    context = {"split": split, "kinds": kinds}
    record, document = read_record(path, _File, root=root, context=context)
    tasks = tuple(record.tasks)
    for _, error in () if known is None else repeated(tasks, document, known):
        raise error
    for position, task in enumerate(tasks):
        if snapshot is not None:
            _check_routes(task, snapshot, document, ("tasks", position))
    return tasks, document


def repeated(
    tasks: Iterable[Task], document: Document, known: Collection[str]
) -> Iterator[tuple[int, SurfaceError]]:
    """Yield position and error of every task of a file whose id is known or stands before it."""
    seen = set(known)
    for position, task in enumerate(tasks):
        if task.id in seen:
            yield (
                position,
                document.error(
                    f"Task {task.id!r} stands twice.",
                    "Give every task an id of its own.",
                    ("tasks", position, "id"),
                ),
            )
        seen.add(task.id)


def _check_routes(
    task: Task, snapshot: CatalogSnapshot, document: Document, place: NodePath
) -> None:
    """Refuse a route or parameter that the catalog does not hold."""
    uses: list[tuple[str, Mapping[str, Rule], NodePath]] = [
        (step.route, step.arguments, (*place, "steps", position))
        for position, step in enumerate(task.steps)
    ]
    uses += [
        (item.route, item.arguments, (*place, "approvals", position))
        for position, item in enumerate(task.approvals)
        if item.route is not None
    ]
    for route, arguments, where in uses:
        if route not in snapshot:
            raise document.error(
                f"The catalog of {len(snapshot.routes)} endpoints has no route {route!r}.",
                "Correct the route, or give the endpoint the first tier.",
                (*where, "route"),
            )
        known = {parameter.name for parameter in snapshot.endpoint(route).parameters}
        for name in arguments:
            if name not in known:
                raise document.error(
                    f"The route {route!r} has no parameter {name!r}.",
                    f"Use some of: {', '.join(sorted(known))}.",
                    (*where, "arguments", name),
                )
