"""Files that are missing, cut off or damaged are named; the others are checked all the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from surface.error import SurfaceError
from surface.task import CANARY, load_tasks
from surface.validation import Problem, check_catalogs
from surface.validation.catalogs import read_catalog_files
from surface.validation.tasks import read_tasks
from tests.support.small_surface import REQUIREMENT, SmallSurface, check

Damage = Callable[[Path], object]


def cut(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: list[tuple[str, Damage]] = [
    ("empty", lambda path: path.write_bytes(b"")),
    ("cut off", cut),
    ("binary", lambda path: path.write_bytes(bytes(range(256)) * 64)),
    ("UTF-16", lambda path: path.write_text(path.read_text("utf-8"), encoding="utf-16")),
    ("Latin-1", lambda path: path.write_bytes(path.read_bytes() + b"# caf\xe9\n")),
    ("second document", lambda path: path.write_bytes(path.read_bytes() + b"\n---\na: 1\n")),
    ("deep", lambda path: path.write_bytes(b"[" * 100_000)),
    ("folder", folder_instead),
    ("huge", lambda path: path.write_bytes(b"a: 1\n" * 2_000_000)),
    ("NUL", lambda path: path.write_bytes(path.read_bytes().replace(b" ", b"\x00", 1))),
]
damages = pytest.mark.parametrize("damage", [pytest.param(do, id=name) for name, do in DAMAGES])


@damages
def test_a_damaged_service_file_is_the_one_problem(tmp_path: Path, damage: Damage) -> None:
    folder = SmallSurface().write(tmp_path)
    damage(folder / "catalogs" / "services" / "carrier.yaml")
    report = check(folder)
    assert [problem.place.split(":")[0] for problem in report.problems] == [
        "catalogs/services/carrier.yaml"
    ]
    assert {service.name for service in read_catalog_files(folder / "catalogs").services} == {
        "archive",
        "climate",
        "freight",
    }


@damages
def test_a_damaged_vocabulary_is_the_one_problem(tmp_path: Path, damage: Damage) -> None:
    folder = SmallSurface().write(tmp_path)
    damage(folder / "catalogs" / "vocabulary.yaml")
    for problems in (check(folder).problems, check_catalogs(folder / "catalogs", REQUIREMENT)):
        assert [problem.place.split(":")[0] for problem in problems] == ["catalogs/vocabulary.yaml"]


@damages
def test_a_damaged_task_file_leaves_the_others(tmp_path: Path, damage: Damage) -> None:
    folder = SmallSurface().write(tmp_path)
    damage(folder / "tasks" / "dev" / "ja.yaml")
    read = read_tasks("dev", folder / "tasks")
    assert len(read.tasks) == 25
    # The cells that the file fills are not called empty: its own problem is the only one.
    for problems in (read.problems, check(folder).problems):
        assert [problem.place.split(":")[0] for problem in problems] == ["tasks/dev/ja.yaml"]
    with pytest.raises(SurfaceError, match=r"^tasks/dev/ja\.yaml:"):
        load_tasks("dev", folder / "tasks")


ODD_TEXTS = [
    ("empty", "", None, "The file is empty."),
    ("comment", "# nothing\n", None, "The file is empty."),
    ("text", "tasks\n", 1, "A mapping is expected here."),
    ("tasks that are none", f"canary: {CANARY}\ntasks: 5\n", 2, "A list is expected here."),
    ("task that is none", f"canary: {CANARY}\ntasks:\n- 5\n", 3, "A mapping is expected here."),
    ("tab", "canary: a\ntasks:\n\t- id: a\n", 3, "This is not YAML: "),
    ("NUL", "canary: a\nb: \x00\n", 2, "This is not YAML: "),
    ("escaped NUL", 'canary: a\nb: "\\0"\n', 2, "The text holds a lone surrogate or a NUL"),
    ("escaped surrogate", 'canary: a\nb: "\\ud800"\n', 2, "This is not YAML: found invalid"),
    ("nesting", "canary: a\nb: " + "[" * 100 + "]" * 100 + "\n", 2, "The nesting is deeper than"),
    (
        "anchors",
        "a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
        + "".join(
            f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
            for before, name in pairwise("abcdefgh")
        ),
        6,
        "The file has more than 250000 nodes.",
    ),
    ("key twice", "canary: a\ntasks: []\ntasks: []\n", 3, "The key 'tasks' stands twice."),
    ("huge integer", f"canary: a\nb: {'9' * 5000}\n", 2, "999"),
    ("integer beyond JSON", "canary: a\nb: 9007199254740993\n", 2, "900719925474"),
]


@pytest.mark.parametrize(
    ("text", "line", "what"), [pytest.param(*rest, id=name) for name, *rest in ODD_TEXTS]
)
@pytest.mark.parametrize("name", ["tasks/dev/de.yaml", "catalogs/services/freight.yaml"])
def test_an_odd_file_is_one_clear_problem(
    tmp_path: Path, name: str, text: str, line: int | None, what: str
) -> None:
    folder = SmallSurface().write(tmp_path)
    text = text.replace("tasks", "endpoints") if "services" in name else text
    what = what.replace("tasks", "endpoints") if "services" in name else what
    if "services" in name:
        text = text.replace(f"canary: {CANARY}", "service: freight\ndescription: Ten letters.")
        line = line + ("service: freight" in text) if line is not None else None
    (folder / name).write_text(text, encoding="utf-8")
    (problem,) = check(folder).problems
    where = name if line is None else f"{name}:{line}"
    assert f"{problem.place}:".startswith(f"{where}:")
    assert problem.what.startswith(what)
    words = str(problem)
    assert "instance of" not in words
    assert "Input" not in words
    assert "_" not in problem.what
    assert "Traceback" not in words


def test_a_missing_vocabulary_is_named(tmp_path: Path) -> None:
    folder = SmallSurface().write(tmp_path)
    (folder / "catalogs" / "vocabulary.yaml").unlink()
    assert check(folder).problems == (
        Problem(
            "catalogs/vocabulary.yaml",
            "The file cannot be read (No such file or directory).",
            "Restore it.",
        ),
    )


def test_a_missing_folder_is_a_problem_and_no_crash(tmp_path: Path) -> None:
    assert len(check_catalogs(tmp_path / "absent")) == 1
    read = read_tasks("dev", tmp_path / "absent")
    assert read.tasks == ()
    assert len(read.problems) == 1


def test_no_flipped_byte_makes_the_reader_fail_otherwise(tmp_path: Path) -> None:
    folder = SmallSurface().write(tmp_path)
    path = folder / "catalogs" / "services" / "climate.yaml"
    sound = path.read_bytes()
    draw = random.Random(20260929)
    for _ in range(150):
        data = bytearray(sound)
        data[draw.randrange(len(data))] = draw.randrange(256)
        path.write_bytes(data)
        # Whatever comes of it is a reading or a problem with a remedy.
        for problem in check_catalogs(folder / "catalogs", REQUIREMENT):
            assert problem.what
            assert problem.remedy
