from __future__ import annotations

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from router import CanonicalError, canonical_json, digest
from tests.property.router.strategies import json_values, scalars


def reordered(value: Any, draw: st.DataObject) -> Any:
    """An equal value whose objects were filled in another order."""
    if isinstance(value, dict):
        keys = draw.draw(st.permutations(list(value)))
        return {key: reordered(value[key], draw) for key in keys}
    if isinstance(value, list):
        return [reordered(item, draw) for item in value]
    return value


@given(json_values)
def test_json_reads_back_what_was_written(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@given(json_values)
def test_reading_back_and_writing_again_changes_no_byte(value: Any) -> None:
    written = canonical_json(value)
    assert canonical_json(json.loads(written)) == written


@given(json_values, st.data())
def test_the_order_of_keys_does_not_matter(value: Any, data: st.DataObject) -> None:
    other = reordered(value, data)
    assert canonical_json(other) == canonical_json(value)
    assert digest(other) == digest(value)


@given(json_values, json_values)
def test_different_values_have_different_bytes(one: Any, other: Any) -> None:
    # JSON's numbers: 1 and 1.0 are one value. Python also holds True for 1, which JSON does not.
    def strict(value: Any) -> Any:
        if isinstance(value, list):
            return [strict(item) for item in value]
        if isinstance(value, dict):
            return {key: strict(item) for key, item in value.items()}
        return ("bool", value) if isinstance(value, bool) else value

    assert (canonical_json(one) == canonical_json(other)) == (strict(one) == strict(other))


unusual = st.recursive(
    scalars | st.floats() | st.integers() | st.text(st.characters(exclude_categories=())),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(st.characters(exclude_categories=())) | st.integers(), inner)
    ),
)


@given(unusual)
def test_the_quick_path_writes_what_the_library_writes(value: Any) -> None:
    """Also where it gives up: for floats, other keys, large integers and lone surrogates."""
    try:
        expected = rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError):
        with pytest.raises(CanonicalError):
            canonical_json(value)
    else:
        assert canonical_json(value) == expected
