"""Task files: what they hold, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surface.error import SurfaceError
from surface.task import CANARY, Task, load_tasks, task_files
from tests.support.small_surface import PROVENANCE, RECOVERABLE, UNIT, SmallSurface, sound

Change = Callable[[dict[str, Any]], Any]


def load(tmp_path: Path, surface: SmallSurface) -> tuple[Task, ...]:
    return load_tasks("dev", surface.write(tmp_path) / "tasks")


def test_tasks_are_read_in_the_order_of_their_ids(tmp_path: Path) -> None:
    tasks = load(tmp_path, SmallSurface())
    assert len(tasks) == 30
    assert [task.id for task in tasks] == sorted(task.id for task in tasks)
    assert {task.split for task in tasks} == {"dev"}


def test_required_routes_are_named_once_in_the_order_of_need() -> None:
    assert sound()[1]["en-recoverable"].required_routes == (
        "carrier.track_parcel",
        "carrier.open_session",
    )


def test_an_approval_of_a_step_takes_its_route_and_rules() -> None:
    task = sound()[1]["en-typed"]
    assert task.approved(1) == ("freight.cancel_shipment", task.steps[2].arguments)
    assert task.approved(0)[0] == "archive.drop_dataset"


def _step(key: str, value: Any) -> Change:
    return lambda task: task["steps"][0].__setitem__(key, value)


def _set(key: str, value: Any) -> Change:
    return lambda task: task.__setitem__(key, value)


DEFECTS: list[tuple[str, str, Change, str, str]] = [
    ("id", PROVENANCE, _set("id", "En_1"), "id", "pattern"),
    ("stratum", PROVENANCE, _set("stratum", "easy"), "stratum", "two_step"),
    ("language", PROVENANCE, _set("language", "fr"), "language", "'en'"),
    ("short query", PROVENANCE, _set("query", "Do it."), "query", "at least 10"),
    ("one step", PROVENANCE, lambda task: task["steps"].pop(), "steps", "at least 2"),
    (
        "seven steps",
        PROVENANCE,
        lambda task: task["steps"].extend(task["steps"][:1] * 5),
        "steps",
        "at most 6",
    ),
    ("split", PROVENANCE, _set("split", "frozen"), "", "folder gives a task its split"),
    ("both answers", PROVENANCE, _step("error", "rate_limited"), "steps[0]", "not both"),
    ("unknown error", RECOVERABLE, _step("error", "broken: x"), "steps[0]", "closed list"),
    ("unscriptable error", RECOVERABLE, _step("error", "not_found"), "steps[0]", "cannot script"),
    ("unavailable", RECOVERABLE, _step("error", "unavailable_tool"), "steps[0]", "cannot script"),
    (
        "rule",
        PROVENANCE,
        _step("arguments", {"customer_id": {"is": 1}}),
        "steps[0].arguments.customer_id.is",
        "does not exist",
    ),
    (
        "approval of nothing",
        UNIT,
        _set("approvals", [{}]),
        "approvals[0]",
        "names a step or a route",
    ),
    (
        "approval of both",
        UNIT,
        _set("approvals", [{"step": 3, "route": "a.b"}]),
        "approvals[0]",
        "names a step or a route",
    ),
    ("approval of no step", UNIT, _set("approvals", [{"step": 4}]), "", "names step 4"),
    (
        "approval of step 0",
        UNIT,
        _set("approvals", [{"step": 0}]),
        "approvals[0].step",
        "greater than or equal to 1",
    ),
    (
        "approval with rules",
        UNIT,
        _set("approvals", [{"step": 3, "arguments": {"a": {"equals": 1}}}]),
        "approvals[0]",
        "takes the step's rules",
    ),
]


@pytest.mark.parametrize(
    ("stratum", "change", "field", "words"),
    [pytest.param(*rest, id=name) for name, *rest in DEFECTS],
)
def test_a_defect_of_a_task_is_refused(
    tmp_path: Path, stratum: str, change: Change, field: str, words: str
) -> None:
    surface = SmallSurface()
    position = surface.tasks["ko"].index(surface.task(stratum, "ko"))
    change(surface.tasks["ko"][position])
    with pytest.raises(SurfaceError, match=words) as caught:
        load(tmp_path, surface)
    assert caught.value.file == "tasks/dev/ko.yaml"
    assert caught.value.line is not None
    assert caught.value.field == f"tasks[{position}]" + (f".{field}" if field else "")


def test_an_id_stands_once_across_files(tmp_path: Path) -> None:
    surface = SmallSurface()
    surface.tasks["ko"][1]["id"] = "en-two"
    with pytest.raises(SurfaceError, match="'en-two' stands twice") as caught:
        load(tmp_path, surface)
    assert (caught.value.file, caught.value.field) == ("tasks/dev/ko.yaml", "tasks[1].id")


def test_an_id_stands_once_within_a_file(tmp_path: Path) -> None:
    surface = SmallSurface()
    surface.tasks["ko"][1]["id"] = surface.tasks["ko"][0]["id"]
    with pytest.raises(SurfaceError, match="stands twice"):
        load(tmp_path, surface)


@pytest.mark.parametrize("canary", ["", "canary", CANARY[:-1]])
def test_the_canary_marks_every_file(tmp_path: Path, canary: str) -> None:
    folder = SmallSurface().write(tmp_path)
    path = folder / "tasks" / "dev" / "ja.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(CANARY, canary, 1), encoding="utf-8")
    with pytest.raises(SurfaceError) as caught:
        load_tasks("dev", folder / "tasks")
    assert (caught.value.file, caught.value.field) == ("tasks/dev/ja.yaml", "canary")


def test_an_unknown_split_names_the_known_ones(tmp_path: Path) -> None:
    folder = SmallSurface().write(tmp_path) / "tasks"
    with pytest.raises(SurfaceError, match=r"'test' has no task files\. Use one of: dev"):
        task_files("test", folder)


def _approval(**keys: Any) -> Change:
    return lambda task: task.__setitem__("approvals", [keys])


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        (_step("route", "freight.search"), "steps[0].route", "no route 'freight.search'"),
        (_step("route", "carrier.find_parcels"), "steps[0].route", "catalog of 12 endpoints"),
        (
            _step("arguments", {"colour": {"equals": "red"}}),
            "steps[0].arguments.colour",
            "no parameter 'colour'",
        ),
        (_approval(route="archive.burn"), "approvals[0].route", "no route 'archive.burn'"),
        (
            _approval(route="archive.drop_dataset", arguments={"name": {"equals": "x"}}),
            "approvals[0].arguments.name",
            "no parameter 'name'",
        ),
    ],
)
def test_what_the_catalog_does_not_hold_is_refused_where_it_is_written(
    tmp_path: Path, change: Change, field: str, words: str
) -> None:
    smallest = sound()[0][100].snapshot
    surface = SmallSurface()
    folder = surface.write(tmp_path / "sound") / "tasks"
    assert len(load_tasks("dev", folder, snapshot=smallest)) == 30
    position = surface.tasks["ko"].index(surface.task(UNIT, "ko"))
    change(surface.tasks["ko"][position])
    folder = surface.write(tmp_path / "changed") / "tasks"
    with pytest.raises(SurfaceError, match=words) as caught:
        load_tasks("dev", folder, snapshot=smallest)
    assert (caught.value.file, caught.value.field) == (
        "tasks/dev/ko.yaml",
        f"tasks[{position}].{field}",
    )
    assert caught.value.line is not None


def test_a_task_without_a_folder_names_its_split() -> None:
    data = {**sound()[1]["en-two"].model_dump(by_alias=True, exclude_unset=True), "split": "own"}
    assert Task.model_validate(data).split == "own"
