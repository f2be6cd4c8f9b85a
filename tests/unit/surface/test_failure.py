"""The closed list of error classes."""

from __future__ import annotations

import pytest

from surface.failure import (
    ERROR_CLASSES,
    PERMANENT,
    PRECONDITION,
    RETRIABLE,
    SCRIPTABLE,
    TRANSIENT,
    TURNED_AWAY,
    error_class,
)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ("rate_limited", "rate_limited"),
        ("rate_limited: wait: a minute", "rate_limited"),
        ("not_found: no such resource", "not_found"),
        ("parallel_tool_call_requires_observation", "parallel_tool_call_requires_observation"),
    ],
)
def test_the_class_stands_before_the_first_colon(error: str, name: str) -> None:
    assert error_class(error) == name


@pytest.mark.parametrize("error", ["", ":", "Rate_limited", "rate limited: x", "x: rate_limited"])
def test_other_texts_have_no_class(error: str) -> None:
    with pytest.raises(ValueError, match="closed list"):
        error_class(error)


def test_the_kinds_of_failure_do_not_overlap() -> None:
    kinds = (TURNED_AWAY, TRANSIENT, PRECONDITION, PERMANENT, frozenset({"not_found"}))
    assert sum(map(len, kinds)) == len(ERROR_CLASSES)
    assert frozenset().union(*kinds) == ERROR_CLASSES
    assert SCRIPTABLE == TRANSIENT | PRECONDITION | PERMANENT
    assert RETRIABLE == SCRIPTABLE - PERMANENT


def test_the_classes_that_the_protocol_names_are_there() -> None:
    assert {
        "unavailable_tool",
        "schema_invalid",
        "destructive_policy_block",
        "not_found",
        "parallel_tool_call_requires_observation",
    } <= ERROR_CLASSES
