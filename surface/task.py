"""Tasks: a request in one language, the steps that fulfil it, and approvals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, get_args

from pydantic import Field, ValidationInfo, field_validator, model_validator

from router.snapshot import CatalogSnapshot
from surface.argument import Rule
from surface.document import Document, NodePath
from surface.error import SurfaceError
from surface.failure import SCRIPTABLE, error_class
from surface.record import Record, read_record

TASK_FOLDER: Final = Path(__file__).parent / "tasks"
CANARY: Final = "state-aware-retrieval-study canary 5f1c9c0e-6a0b-4b52-9a37-2d0d6f0f8a14"
"""Stands in every task file, so that a model trained on them can be found out."""

Stratum = Literal[
    "two_step_state_dependency",
    "three_step_state_dependency",
    "recoverable_execution_failure",
    "identifier_provenance_propagation",
    "typed_unit_state_transition",
]
Language = Literal["en", "ko", "es", "ja", "de", "mixed"]
STRATA: Final[tuple[Stratum, ...]] = get_args(Stratum)
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

Quote = Annotated[str, Field(min_length=2)]
"""Words of the query, copied; nothing that decides, answers or ranks ever reads them."""


class Step(Record):
    """One required call and what it answers."""

    route: str
    arguments: Mapping[str, Rule] = Field(default_factory=dict)
    observation: Mapping[str, Any] | None = None
    """What the call answers; None where it answers an error or has no output fields."""
    error: str | None = None
    """A scripted error: the call answers it, the step is passed and the next one follows."""
    apart: Mapping[str, Quote] = Field(default_factory=dict)
    """By rival route, the query's words that tell the step from it; evidence for validation."""
    after: Quote | None = None
    """The query's words that put the step after the one before it; evidence for validation."""

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        if self.error is not None:
            if self.observation is not None:
                raise ValueError("a step answers an observation or an error, not both")
            if error_class(self.error) not in SCRIPTABLE:
                raise ValueError(f"a task cannot script {self.error!r}")
        return self


class Approval(Record):
    """Permission for one destructive call: route, argument rules, single use."""

    step: int | None = Field(default=None, ge=1)
    """The step whose route and rules the approval takes over."""
    route: str | None = None
    arguments: Mapping[str, Rule] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.step is None) == (self.route is None):
            raise ValueError("an approval names a step or a route")
        if self.step is not None and self.arguments:
            raise ValueError("an approval of a step takes the step's rules")
        return self


class Task(Record):
    """One request of the study."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    split: str
    stratum: Stratum
    language: Language
    query: str = Field(min_length=10)
    gloss: str = Field(min_length=10)
    """What the query says, in English; for readers of reports, never for a retriever or agent."""
    steps: tuple[Step, ...] = Field(min_length=2, max_length=6)
    approvals: tuple[Approval, ...] = ()

    @field_validator("steps", "approvals", mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

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
        known = sorted({path.parent.name for path in folder.glob("*/*.yaml")})
        raise SurfaceError(
            f"The split {split!r} has no task files.",
            f"Use one of: {', '.join(known)}." if known else f"Restore the files in {folder}.",
        )
    return files


def load_tasks(
    split: str, folder: Path = TASK_FOLDER, *, snapshot: CatalogSnapshot | None = None
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

    Raises
    ------
    SurfaceError
        For the first defect, with file, line and field; for an id that stands twice.
    """
    found: dict[str, Task] = {}
    for path in task_files(split, folder):
        tasks, _ = read_task_file(path, split, root=folder.parent, known=found, snapshot=snapshot)
        found.update((task.id, task) for task in tasks)
    return tuple(found[key] for key in sorted(found, key=lambda name: name.encode()))


def read_task_file(
    path: Path,
    split: str,
    *,
    root: Path | None = None,
    known: Collection[str] = (),
    snapshot: CatalogSnapshot | None = None,
) -> tuple[tuple[Task, ...], Document]:
    """Read one task file of a split, in the file's order, and the document it came from.

    Parameters
    ----------
    path, root
        The file, and the folder that its name is shown relative to in errors.
    split
        What the tasks belong to.
    known
        Ids that stand in other files.
    snapshot
        The catalog that has to hold every route and parameter that a task names; None for none.

    Raises
    ------
    SurfaceError
        For the first defect, with file, line and field; for an id that stands twice.
    """
    record, document = read_record(path, _File, root=root, context={"split": split})
    seen = set(known)
    for position, task in enumerate(record.tasks):
        if task.id in seen:
            raise document.error(
                f"Task {task.id!r} stands twice.",
                "Give every task an id of its own.",
                ("tasks", position, "id"),
            )
        seen.add(task.id)
        if snapshot is not None:
            _check_routes(task, snapshot, document, ("tasks", position))
    return tuple(record.tasks), document


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
