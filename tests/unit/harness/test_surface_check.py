"""What check-surface says beside the surface's own validation: vectors, and its one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from conditions.vectors import VECTOR_FILE
from harness.cli import main
from harness.surface_check import check_study_surface, check_vectors, summary
from router.store import VectorStore
from surface.validation import Problem, Report


def test_the_committed_vectors_are_those_of_the_texts() -> None:
    assert [str(problem) for problem in check_vectors()] == []


def test_a_missing_vector_file_is_named(tmp_path: Path) -> None:
    (problem,) = check_vectors(tmp_path / "vectors.npz")
    assert problem.what == "The file is missing."


@pytest.mark.parametrize("keep", [0, 1000, -1])
def test_a_damaged_vector_file_is_named(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "vectors.npz"
    path.write_bytes(VECTOR_FILE.read_bytes()[:keep])
    (problem,) = check_vectors(path)
    assert problem.what == "The file does not hold text vectors."


def test_vectors_that_are_missing_and_superfluous_are_counted(tmp_path: Path) -> None:
    store = VectorStore.load(VECTOR_FILE)
    keys = list(store.rows)
    # The first text goes; the second's vector stands under a key that no text has.
    rows = {bytes(32): 0} | {key: row for row, key in enumerate(keys[2:], start=1)}
    path = tmp_path / "vectors.npz"
    VectorStore(store.identity, rows, store.vectors[1:]).save(path)
    assert [problem.what for problem in check_vectors(path)] == [
        "It lacks the vectors of 2 texts.",
        "It holds vectors of one text too many.",
    ]


@pytest.mark.parametrize(
    ("problems", "counts", "line"),
    [
        ((), {"services": 4}, "0 problems (4 services)"),
        ((Problem("a", "b.", "c."),), {}, "1 problem"),
        ((Problem("a", "b.", "c."),) * 2, {"terms": 1, "services": 2}, "2 problems (1 terms, 2"),
    ],
)
def test_the_one_line(problems: tuple[Problem, ...], counts: dict[str, int], line: str) -> None:
    assert summary(Report(problems, counts)).startswith(line)


def test_nothing_follows_a_file_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = Report((Problem("a", "b.", "c."),), {}, True)
    monkeypatch.setattr("harness.surface_check.check_surface", lambda splits, step: unread)
    monkeypatch.setattr("harness.surface_check.check_vectors", pytest.fail)
    assert check_study_surface("dev") is unread


def test_a_sound_surface_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-surface", "study=dev"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("Surface: 0 problems (")
    assert shown.err == ""


def test_a_problem_ends_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Report((Problem("en-two: step 1", "It is wrong.", "Mend it.", "en.yaml", 7),), {})
    monkeypatch.setattr("harness.surface_command.check_study_surface", lambda split, step: found)
    assert main(["check-surface", "study=dev"]) == 1
    shown = capsys.readouterr()
    assert shown.err == "en.yaml:7: en-two: step 1: It is wrong. Mend it.\n"
    assert shown.out == "Surface: 1 problem\n"
