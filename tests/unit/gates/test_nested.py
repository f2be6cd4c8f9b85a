"""Values by path as nested objects."""

from __future__ import annotations

import pytest

from gates.nested import nested


def test_paths_grow_branches() -> None:
    paths = {("a", "overall"): 1, ("a", "by", "x"): 2, ("a", "by", "y"): 3, ("b",): 4}
    assert nested(paths) == {"a": {"overall": 1, "by": {"x": 2, "y": 3}}, "b": 4}


def test_nothing_stands_below_a_value() -> None:
    with pytest.raises(TypeError, match="a is not a branch"):
        nested({("a",): 1, ("a", "b"): 2})
