"""JSON is YAML: a JSON document is read as `json` reads it, or refused, never changed."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from surface.builder import MAX_DEPTH
from surface.error import SurfaceError
from surface.scalar import MAX_INTEGER, ScalarError, resolve
from surface.yaml import parse_yaml

# YAML's parser knows line separators that JSON does not; those are refused and tested apart.
separators = "\x85\u2028\u2029"
text = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Co", "Cn"), exclude_characters=separators)
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text
)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(text, inner, max_size=5),
    max_leaves=30,
)


def same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from 1.0 and from true."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@given(documents, st.sampled_from([None, 1, 2]))
@settings(max_examples=500)
def test_a_json_document_is_read_as_json(document: Any, indent: int | None) -> None:
    written = json.dumps(document, ensure_ascii=False, indent=indent)
    assert same(parse_yaml(written, file="x").data, document)


@given(documents)
def test_a_json_document_is_read_as_json_or_refused_however_it_is_escaped(document: Any) -> None:
    written = json.dumps(document, ensure_ascii=True)
    try:
        read = parse_yaml(written, file="x").data
    except SurfaceError:
        # Pairs of surrogates are not YAML.
        assert any(
            ord(character) > 0xFFFF for character in json.dumps(document, ensure_ascii=False)
        )
    else:
        assert same(read, document)


@given(st.text(st.characters(exclude_categories=())))
@settings(max_examples=500)
def test_any_text_is_read_or_refused(written: str) -> None:
    try:
        document = parse_yaml(written, file="x")
    except SurfaceError:
        return
    json.dumps(document.data, allow_nan=False)


fragments = st.sampled_from(
    ["a", ": ", "- ", "\n", "  ", "{", "}", "[", "]", ",", "&x ", "*x", "'", '"', "|", ">", "#",
     "!", "!!int ", "?", "---\n", "...\n", "%YAML 1.1\n", "<<", "~", "1", "0x1", "\t", "\x00", "é"]
)  # fmt: skip


@given(st.lists(fragments, max_size=40).map("".join))
@settings(max_examples=500)
def test_any_combination_of_yaml_s_signs_is_read_or_refused(written: str) -> None:
    try:
        document = parse_yaml(written, file="x")
    except SurfaceError:
        return
    json.dumps(document.data, allow_nan=False)
    assert all(line is None or line >= 1 for line in document.lines.values())


@given(st.integers(1, 60))
def test_nesting_is_read_up_to_its_bound(depth: int) -> None:
    written = "[" * depth + "]" * depth
    try:
        parse_yaml(written, file="x")
    except SurfaceError:
        assert depth > MAX_DEPTH
    else:
        assert depth <= MAX_DEPTH


@given(st.text(alphabet="0123456789+-.eExoXOinfaN_:", max_size=12))
def test_a_plain_scalar_that_becomes_a_number_is_that_number(written: str) -> None:
    try:
        value = resolve(written)
    except ScalarError:
        return
    if isinstance(value, int | float) and not isinstance(value, bool):
        assert float(written) == value
        assert same(json.loads(json.dumps(value)), value)
    elif value is not None:
        assert value == written
