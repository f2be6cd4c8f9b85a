from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from gates.design import Design, Sample
from gates.error import EstimationError


def test_clusters_are_ordered_by_stratum_language_and_id_as_bytes() -> None:
    # As UTF-8 bytes, upper case precedes lower case, and U+FFFD (EF ..) precedes U+1F600 (F0 ..),
    # which UTF-16 would order the other way round.
    design = Design.of(
        [
            ("two", "ko", "a"),
            ("two", "en", "\U0001f600"),
            ("two", "en", "\ufffd"),
            ("Two", "ko", "z"),
            ("one", "mixed", "b"),
            ("two", "en", "t10"),
            ("two", "en", "t2"),
        ]
    )
    assert design.task_ids == ("z", "b", "t10", "t2", "\ufffd", "\U0001f600", "a")
    assert design.cells == (("Two", "ko"), ("one", "mixed"), ("two", "en"), ("two", "ko"))
    assert design.sizes == (1, 1, 4, 1)
    assert design.labels[2] == "two x en"
    assert design.single == ("Two x ko", "one x mixed", "two x ko")


def test_design_of_task_records() -> None:
    tasks = [SimpleNamespace(id=f"t{n}", stratum="s", language="en") for n in (2, 1)]
    assert Design.of_tasks(tasks) == Design(("t1", "t2"), (("s", "en"),), (2,))


@pytest.mark.parametrize(
    "clusters", [[], [("a", "en", "t"), ("a", "en", "t")], [("a", "en", "t"), ("b", "ko", "t")]]
)
def test_a_task_is_in_one_cell_once(clusters: list[tuple[str, str, str]]) -> None:
    with pytest.raises(EstimationError, match="distinct tasks"):
        Design.of(clusters)


DESIGN = Design.of([("s", "en", "t1"), ("s", "en", "t2"), ("s", "ko", "t3")])


def test_episodes_are_summed_by_task_and_condition() -> None:
    sample = Sample.tally(
        DESIGN,
        ["t2", "t1", "t1", "t3", "t1", "t2", "t3"],
        ["B", "A", "B", "A", "A", "A", "B"],
        {"passes": [True, True, False, True, False, True, True], "tokens": range(10, 17)},
    )
    assert sample.names == (
        "A/passes",
        "A/tokens",
        "A/episodes",
        "B/passes",
        "B/tokens",
        "B/episodes",
    )
    assert sample.matrix.tolist() == [
        [1, 11 + 14, 2, 0, 12, 1],
        [1, 15, 1, 1, 10, 1],
        [1, 13, 1, 1, 16, 1],
    ]
    assert sample.select(["B/tokens", "A/passes"]).tolist() == [[12, 1], [10, 1], [16, 1]]


def test_a_missing_cluster_is_not_a_zero() -> None:
    with pytest.raises(EstimationError, match="'t3' under B"):
        Sample.tally(DESIGN, ["t1", "t2", "t3", "t1", "t2"], ["A", "A", "A", "B", "B"], {})


def test_a_stranger_is_an_error() -> None:
    with pytest.raises(EstimationError, match="'t4'"):
        Sample.tally(DESIGN, ["t4"], ["A"], {})
    with pytest.raises(EstimationError, match="0 episodes"):
        Sample.tally(DESIGN, [], [], {})


@pytest.mark.parametrize(
    "values", [[1.0, 1.0, 1.0], [1, 1], [1, -1, 0], [[1], [1], [1]], ["1", "1", "1"]]
)
def test_a_column_holds_counts_only(values: list[object]) -> None:
    with pytest.raises(EstimationError, match="'x' is not one of 3 counts"):
        Sample.tally(DESIGN, ["t1", "t2", "t3"], ["A"] * 3, {"x": values})  # type: ignore[dict-item]


def test_episodes_are_counted_not_told() -> None:
    with pytest.raises(EstimationError, match="'episodes'"):
        Sample.tally(DESIGN, ["t1", "t2", "t3"], ["A"] * 3, {"episodes": [1, 1, 1]})


def test_missing_columns_are_named() -> None:
    sample = Sample(DESIGN, ("A/x",), np.zeros((3, 1), dtype=np.int64))
    with pytest.raises(EstimationError, match="'A/y'"):
        sample.select(["A/x", "A/y"])


@pytest.mark.parametrize(
    ("names", "matrix"),
    [
        (("A/x",), np.zeros((3, 1))),
        (("A/x",), np.zeros((2, 1), dtype=np.int64)),
        (("A/x", "A/x"), np.zeros((3, 2), dtype=np.int64)),
    ],
)
def test_a_matrix_that_does_not_fit_is_refused(names: tuple[str, ...], matrix: np.ndarray) -> None:
    with pytest.raises(EstimationError):
        Sample(DESIGN, names, matrix)


def test_a_part_of_the_sample_keeps_its_rows_and_cells() -> None:
    sample = Sample(DESIGN, ("A/x",), np.array([[1], [2], [3]], dtype=np.int64))
    part = sample.restrict({"t3", "t2"})
    assert part.design == Design(("t2", "t3"), (("s", "en"), ("s", "ko")), (1, 1))
    assert part.matrix.tolist() == [[2], [3]]
    with pytest.raises(EstimationError):
        sample.restrict([])


def test_unstratified_is_one_cell_in_the_same_order() -> None:
    sample = Sample(DESIGN, ("A/x",), np.array([[1], [2], [3]], dtype=np.int64))
    pooled = sample.unstratified()
    assert pooled.design.task_ids == DESIGN.task_ids
    assert pooled.design.sizes == (3,)
    assert pooled.matrix is sample.matrix
