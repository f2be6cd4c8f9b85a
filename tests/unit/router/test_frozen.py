from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from router.canonical import canonical_json
from router.frozen import FrozenDict, FrozenList, freeze, thaw

PLAIN = {"type": "object", "properties": {"a": {"enum": ["x", [1, None]]}}}


def test_freezing_keeps_the_value_and_all_its_readers() -> None:
    frozen = freeze(PLAIN)
    assert frozen == PLAIN
    assert isinstance(frozen, dict)
    assert isinstance(frozen["properties"]["a"]["enum"][1], list)
    assert json.dumps(frozen) == json.dumps(PLAIN)
    assert canonical_json(frozen) == canonical_json(PLAIN)


CHANGES: list[Callable[[Any], object]] = [
    lambda it: it.__setitem__("k", 1),
    lambda it: it.__delitem__("type"),
    lambda it: it.__ior__({"k": 1}),
    lambda it: it.clear(),
    lambda it: it.pop("type"),
    lambda it: it.popitem(),
    lambda it: it.setdefault("k", 1),
    lambda it: it.update(k=1),
    lambda it: it["properties"].update(k=1),
    lambda it: it["properties"]["a"]["enum"].append(1),
    lambda it: it["properties"]["a"]["enum"].__setitem__(0, 1),
    lambda it: it["properties"]["a"]["enum"].__delitem__(0),
    lambda it: it["properties"]["a"]["enum"].__iadd__([1]),
    lambda it: it["properties"]["a"]["enum"].__imul__(2),
    lambda it: it["properties"]["a"]["enum"].clear(),
    lambda it: it["properties"]["a"]["enum"].extend([1]),
    lambda it: it["properties"]["a"]["enum"].insert(0, 1),
    lambda it: it["properties"]["a"]["enum"].pop(),
    lambda it: it["properties"]["a"]["enum"].remove("x"),
    lambda it: it["properties"]["a"]["enum"].reverse(),
    lambda it: it["properties"]["a"]["enum"].sort(),
]


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_changes_in_place(change: Callable[[Any], object]) -> None:
    frozen = freeze(PLAIN)
    with pytest.raises(TypeError, match="belongs to a record"):
        change(frozen)
    assert frozen == PLAIN


def test_every_mutator_of_the_built_in_types_is_closed() -> None:
    """A mutator that a later Python adds shows up here."""
    readers = {"copy", "get", "items", "keys", "values", "fromkeys", "count", "index"}
    for frozen, plain in ((FrozenDict, dict), (FrozenList, list)):
        public = {name for name in dir(plain) if not name.startswith("_")} - readers
        assert {name for name in public if getattr(frozen, name) is getattr(plain, name)} == set()


def test_copies_are_ordinary_and_editable() -> None:
    frozen = freeze(PLAIN)
    for editable in (copy.deepcopy(frozen), thaw(frozen)):
        editable["properties"]["a"]["enum"][1].append(2)
    assert type(copy.copy(frozen)) is type(frozen.copy()) is type(frozen | {}) is dict
    assert type(copy.copy(freeze([1]))) is list
    assert type(copy.deepcopy(freeze([1]))) is list
    assert frozen == PLAIN


def test_pickling_keeps_it_frozen() -> None:
    loaded = pickle.loads(pickle.dumps(freeze(PLAIN)))
    assert loaded == PLAIN
    with pytest.raises(TypeError):
        loaded["properties"]["a"]["enum"].append(1)
