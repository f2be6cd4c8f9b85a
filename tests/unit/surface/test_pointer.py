"""Paths into observations."""

from __future__ import annotations

import pytest

from surface.pointer import leaves, registered, value_at, values_at

SEEN = {"a": {"b": [{"c": 1}, {"c": 2, "d": None}]}, "ids": ["x", "y"], "n": 0}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("n", 0),
        ("a.b[0].c", 1),
        ("a.b[1].c", 2),
        ("ids[1]", "y"),
        ("ids", ["x", "y"]),
        ("a.b[2].c", None),
        ("a.b.c", None),
        ("a.b[1].d", None),
        ("n[0]", None),
        ("absent", None),
        ("ids.x", None),
    ],
)
def test_value_at_a_concrete_path(path: str, value: object) -> None:
    assert value_at(SEEN, path) == value
    assert value_at(None, path) is None


def test_indices_become_brackets() -> None:
    assert registered("a.b[12].c[0]") == "a.b[].c[]"
    assert registered("n") == "n"


def test_values_at_a_registered_pointer() -> None:
    assert values_at(SEEN, "a.b[].c") == [1, 2]
    assert values_at(SEEN, "ids[]") == ["x", "y"]
    assert values_at(SEEN, "n") == [0]
    assert values_at(SEEN, "n[].c") == []
    assert values_at(None, "n") == []


def test_leaves_are_all_scalars() -> None:
    assert sorted(map(str, leaves(SEEN))) == ["0", "1", "2", "None", "x", "y"]
    assert list(leaves(5)) == [5]
