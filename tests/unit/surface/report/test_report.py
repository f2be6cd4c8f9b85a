"""The committed report is what the surface gives, and its tables count right."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.identity import study_components
from surface.report import PAGE, PLOT, render, section
from surface.report.__main__ import main
from surface.report.figure import plot
from surface.report.material import Material, read_material
from surface.report.page import write
from surface.report.table import by_split, table
from tests.support.small_surface import sound

AGAIN = "Run `make surface-report` and commit both files."


@pytest.fixture(scope="module")
def study() -> Material:
    return read_material()


@pytest.fixture(scope="module")
def small() -> Material:
    catalogs, tasks = sound()
    return Material(catalogs, catalogs[500].snapshot.routes, {"dev": tuple(tasks.values())})


def cells(text: str, first: str) -> list[str]:
    """The cells of the row that begins with a text."""
    (row,) = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in row.strip("|").split("|")][1:]


def test_the_committed_page_is_that_of_the_surface(study: Material) -> None:
    assert PAGE.read_text("utf-8") == render(study), AGAIN


def test_the_committed_plot_is_that_of_the_surface(study: Material) -> None:
    assert PLOT.read_text("utf-8") == plot(study), AGAIN


def test_the_report_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    page, figure = write(tmp_path / "page.md", tmp_path / "figure.svg")
    assert page.read_bytes() == PAGE.read_bytes()
    assert figure.read_bytes() == PLOT.read_bytes()


def test_the_command_names_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = (tmp_path / "a", tmp_path / "b")
    monkeypatch.setattr("surface.report.__main__.write", lambda: files)
    assert main() == 0
    assert capsys.readouterr().out == f"Written: {files[0]}, {files[1]}\n"


def test_hashes_are_those_of_a_freeze(study: Material) -> None:
    components = study_components(
        config={}, tasks=study.splits["dev"], catalogs=study.catalogs, agent={}
    )
    assert study.digests["tasks of dev"] == components["tasks"]
    for size in study.catalogs:
        assert study.digests[f"catalog {size}"] == components[f"catalog.{size}"]


def test_counts_of_the_small_surface(small: Material) -> None:
    assert cells(section.grid(small), "dev | two_step_state_dependency")[1:] == ["1"] * 6
    chains = section.chains(small)
    assert cells(chains, "distinct chains") == ["5"]
    assert cells(chains, "tasks of 2 steps") == ["12"]
    assert cells(chains, "tasks of 3 steps") == ["18"]
    assert cells(section.errors(small), "expired_session") == ["6"]
    assert cells(section.effects(small), "destructive steps") == ["6"]
    assert cells(section.effects(small), "approvals that no step needs") == ["6"]
    assert cells(section.units(small), "mass: observed in lb, to kg") == ["6"]
    assert cells(section.units(small), "temperature: observed in degC, to degF") == ["6"]
    assert cells(section.routes(small), "6 tasks or more") == ["10"]
    assert cells(section.services(small), "climate") == ["1", "2", "6"]
    alternatives = section.alternatives(small)
    assert cells(alternatives, "steps") == ["78"]
    assert cells(alternatives, "rivals") == ["24"]
    assert cells(alternatives, "steps whose order only the query states") == ["6"]


def test_rules_by_kind(small: Material) -> None:
    assert {
        kind: cells(section.rules(small), kind)
        for kind in ("equals", "from", "quantity", "nonempty")
    } == {"equals": ["72"], "from": ["36"], "quantity": ["12"], "nonempty": ["6"]}


def test_the_prior_waits_for_both_splits(small: Material) -> None:
    assert section.prior(small) == "It takes the tasks of both splits."
    tasks = small.splits["dev"]
    frozen = tuple(task.model_copy(update={"split": "frozen"}) for task in tasks)
    both = Material(small.catalogs, small.order, {"dev": tasks, "frozen": frozen})
    # The same routes are needed again, so the prior finds them.
    assert float(cells(section.prior(both), "route id")[0]) > 0.5
    assert [line.split(" | ")[0] for line in section.nearest(both).splitlines()[2:]] == [
        "| gloss",
        "| gloss",
        "| gloss",
        "| query",
        "| query",
        "| query",
    ]


def test_a_table_aligns_numbers_to_the_right() -> None:
    assert table(["a", "b"], [["x", 1], ["y", 2.5]]) == (
        "| a | b |\n| --- | ---: |\n| x | 1 |\n| y | 2.5 |"
    )
    assert table(["a"], []) == "| a |\n| --- |"


def test_a_table_by_split_fills_gaps_with_0() -> None:
    text = by_split("class", {"dev": {"b": 1}, "frozen": {"a": 2}})
    assert text.splitlines()[2:] == ["| a | 0 | 2 |", "| b | 1 | 0 |"]
