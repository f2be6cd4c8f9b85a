"""What a split and the catalogs have to reach as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from surface.task import LANGUAGES, STRATA
from surface.validation.chain import check_chains, count_chains, repeats_route
from surface.validation.grid import check_grid
from surface.validation.prior import PriorTest
from surface.validation.problem import Problem, Report
from surface.validation.requirement import CATALOGS, SPLITS, SplitRequirement
from surface.validation.survey import check_surface
from tests.support.small_surface import (
    REQUIREMENT,
    SPLIT,
    TWO,
    SmallSurface,
    check,
    sound,
)

TASKS = tuple(sound()[1].values())


def test_the_study_s_requirements_are_those_of_its_design() -> None:
    assert CATALOGS.sizes == {100: 100, 250: 250, 500: 500}
    assert CATALOGS.services == 20
    assert {tier: (item.consumers, item.producers) for tier, item in CATALOGS.spread.items()} == {
        100: (4, 2),
        500: (12, 3),
    }
    assert SPLITS["dev"].per_cell == 1
    assert SPLITS["frozen"] == SplitRequirement(
        per_cell=6, chain_uses=2, chains=120, routes=80, repeats=18, varied=True
    )
    assert SPLITS["frozen"].per_cell * len(STRATA) * len(LANGUAGES) == 180
    assert SPLITS["dev"].per_cell * len(STRATA) * len(LANGUAGES) == 30


@pytest.mark.parametrize(
    ("least", "words"),
    [
        ({"chains": 6}, "number of distinct chains is 5, fewer than 6"),
        ({"routes": 11}, "number of routes used is 10, fewer than 11"),
        ({"repeats": 7}, "number of tasks with a repeated route is 6, fewer than 7"),
    ],
)
def test_a_split_has_to_be_varied(tmp_path: Path, least: dict[str, int], words: str) -> None:
    report = check(SmallSurface().write(tmp_path), replace(SPLIT, **least))
    assert [problem.place for problem in report.problems] == ["split dev"]
    assert words in report.problems[0].what


def test_the_thresholds_themselves_are_enough() -> None:
    exact = replace(SPLIT, chains=5, routes=10, repeats=6)
    assert not list(check_chains("dev", TASKS, exact))


def test_no_chain_is_used_too_often() -> None:
    found = list(check_chains("dev", TASKS, replace(SPLIT, chain_uses=5)))
    assert len(found) == 5
    assert found[0].place == "split dev: " + ", ".join(
        task.id for task in TASKS if task.stratum == TASKS[0].stratum
    )
    assert "6 tasks have the chain" in found[0].what


def test_counts_of_chains() -> None:
    pair = [task for task in TASKS if task.id in {"en-two", "en-recoverable"}]
    assert count_chains(pair) == {
        "distinct chains": 2,
        "routes used": 4,
        "tasks with a repeated route": 1,
    }
    assert [repeats_route(task) for task in pair] == [task.id != "en-two" for task in pair]


@pytest.mark.parametrize("per_cell", [0, 1, 2])
def test_every_cell_holds_the_same(per_cell: int) -> None:
    found = list(check_grid("dev", TASKS, per_cell))
    assert len(found) == (0 if per_cell == 1 else 30)
    if found:
        assert found[0].place == f"split dev: {TWO} x en"
        assert found[0].what == f"The cell holds 1 tasks instead of {per_cell}."


def test_the_catalog_has_enough_services(tmp_path: Path) -> None:
    folder = SmallSurface().write(tmp_path)
    report = check(folder, catalogs=replace(REQUIREMENT, services=5))
    assert [problem.what for problem in report.problems] == [
        "The catalog has 4 services, fewer than 5."
    ]


def survey(folder: Path, splits: list[str], **known: Any) -> Report:
    return check_surface(
        splits,
        catalog_folder=folder / "catalogs",
        task_folder=folder / "tasks",
        catalog_requirement=REQUIREMENT,
        split_requirements=known or {"dev": SPLIT},
    )


def test_an_unknown_split_is_a_problem(tmp_path: Path) -> None:
    report = survey(SmallSurface().write(tmp_path), ["dev", "test"])
    assert report.problems == (
        Problem("split test", "The split does not exist.", "Use one of: dev."),
    )


def test_a_split_without_files_is_a_problem(tmp_path: Path) -> None:
    report = survey(SmallSurface().write(tmp_path), ["frozen"], frozen=replace(SPLIT, per_cell=0))
    assert "The split 'frozen' has no task files." in {problem.what for problem in report.problems}


def two_splits(folder: Path, name: str) -> Report:
    """Thirty frozen tasks, and a development task with the words of one of them."""
    frozen = SmallSurface().write(folder)
    (frozen / "tasks" / "dev").rename(frozen / "tasks" / "frozen")
    again = SmallSurface()
    again.tasks = {language: [] for language in again.tasks}
    again.tasks["en"] = [{**SmallSurface().tasks["en"][0], "id": name}]
    second = again.write(folder / "second")
    (second / "tasks" / "dev").rename(frozen / "tasks" / "dev")
    return survey(
        frozen, ["frozen", "dev"], frozen=SPLIT, dev=SplitRequirement(per_cell=1, chain_uses=6)
    )


def test_queries_of_two_splits_are_compared(tmp_path: Path) -> None:
    report = two_splits(tmp_path, "dev-en-two")
    about = [problem for problem in report.problems if problem.place == "dev-en-two"]
    assert [problem.what for problem in about] == [
        "The query shares 1.00 of its 5-grams with that of en-two, which must be below 0.5."
    ]
    assert report.counts["tasks in frozen"] == 30
    assert report.counts["tasks in dev"] == 1


def test_an_id_that_stands_in_two_splits_is_reported_once(tmp_path: Path) -> None:
    report = two_splits(tmp_path, "en-two")
    assert [str(problem) for problem in report.problems] == [
        "tasks/dev/en.yaml:5: tasks[0].id: Task 'en-two' stands twice. "
        "Give every task an id of its own."
    ]


def test_a_duplicate_id_is_reported_once_with_file_and_line(tmp_path: Path) -> None:
    surface = SmallSurface()
    surface.tasks["ko"][1]["id"] = surface.tasks["ko"][0]["id"]
    found = check(surface.write(tmp_path)).problems
    assert [problem.what for problem in found] == ["Task 'ko-two' stands twice."]
    assert found[0].place.startswith("tasks/dev/ko.yaml:")
    assert found[0].place.endswith(": tasks[1].id")


def test_a_duplicate_id_hides_nothing_else(tmp_path: Path) -> None:
    surface = SmallSurface()
    for language in ("ko", "ja"):
        surface.tasks[language][1]["id"] = surface.tasks[language][0]["id"]
    surface.tasks["ko"][2]["steps"][0]["route"] = "nothing.here"
    found = [problem.what for problem in check(surface.write(tmp_path)).problems]
    assert found[:2] == ["Task 'ja-two' stands twice.", "Task 'ko-two' stands twice."]
    assert any("nothing.here" in what for what in found[2:])


def test_problems_of_tasks_name_file_and_line(tmp_path: Path) -> None:
    surface = SmallSurface()
    surface.task(TWO)["steps"][1]["route"] = "freight.release"
    folder = surface.write(tmp_path)
    (problem,) = check(folder).problems
    text = (folder / "tasks" / "dev" / "en.yaml").read_text("utf-8").splitlines()
    assert problem.file == "tasks/dev/en.yaml"
    assert problem.line is not None
    assert text[problem.line - 1].strip().startswith('"route": "freight.release"')
    assert str(problem).startswith(f"tasks/dev/en.yaml:{problem.line}: en-two: step 2, route: The")


@pytest.mark.parametrize(
    "name",
    [
        "tasks/dev/en.yml",
        "tasks/notes.txt",
        "tasks/test/en.yaml",
        "tasks/en.yaml",
        "catalogs/services/freight.yml",
        "catalogs/services/old/freight.yaml",
        "catalogs/freight.yaml",
        "catalogs/vocabulary.yaml.bak",
    ],
)
def test_a_stray_file_is_a_problem(tmp_path: Path, name: str) -> None:
    folder = SmallSurface().write(tmp_path)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("a: 1\n", encoding="utf-8")
    found = check(folder).problems
    assert [(item.place, item.what) for item in found] == [(name, "Nothing reads the file.")]


def test_a_varied_split_needs_every_kind(tmp_path: Path) -> None:
    report = check(SmallSurface().write(tmp_path), replace(SPLIT, varied=True))
    assert {problem.place for problem in report.problems} == {"split dev"}
    assert "There are no failures at the last step." in {item.what for item in report.problems}


def test_gold_that_a_prior_finds_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = (PriorTest("file order", 0.8, 0.01), PriorTest("all together", 0.7, 0.0499))
    monkeypatch.setattr("surface.validation.survey.blind_tests", lambda *rest: tests)
    (problem,) = check(SmallSurface().write(tmp_path)).problems
    assert problem.place == "splits dev, frozen"
    assert problem.what == (
        "A prior that reads no query and learned from dev finds the gold of frozen (0.70 of the "
        "other endpoints score lower, p = 0.0499; most by file order)."
    )
    tests = (tests[0], replace(tests[1], p_value=0.05))
    assert check(tmp_path).problems == ()


def test_all_problems_are_gathered(tmp_path: Path) -> None:
    surface = SmallSurface()
    surface.task(TWO)["steps"][0]["arguments"]["colour"] = {"equals": "red"}
    surface.task(TWO)["query"] += " [EXECUTION_STATE]"
    surface.tasks["mixed"][0]["id"] = "ko-two"
    surface.tasks["es"][0]["stratum"] = "easy"
    folder = surface.write(tmp_path)
    (folder / "tasks" / "dev" / "ja.yaml").write_text("canary: [", encoding="utf-8")
    places = {problem.place.split(":")[0] for problem in check(folder).problems}
    assert places == {
        "en-two",
        "tasks/dev/ja.yaml",
        "tasks/dev/es.yaml",
        "tasks/dev/mixed.yaml",
    }


def test_a_problem_is_one_line() -> None:
    assert str(Problem("a: step 1", "It is wrong.", "Mend it.")) == (
        "a: step 1: It is wrong. Mend it."
    )
