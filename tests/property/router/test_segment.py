"""What holds of the parts of any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from router.segment import segment
from tests.property.router.strategies import texts

requests = texts | st.lists(texts, max_size=6).map(". ".join) | st.text(max_size=300)


@given(requests)
def test_parts_are_parts(text: str) -> None:
    whole = " ".join(text.split())
    parts = segment(text)
    assert parts.segments[0].text == whole
    for item in parts.segments:
        assert item.text in whole
        assert 0 <= item.first <= item.last < parts.n_clauses
    for term in parts.terms:
        assert 0 <= term.clause < parts.n_clauses
        assert all(term.forms)
        assert all(form in term.forms[0] for form in term.forms)


@given(requests)
def test_every_text_stands_once_and_clauses_are_segments(text: str) -> None:
    parts = segment(text)
    segments = [item.text for item in parts.segments]
    assert len(set(segments)) == len(segments)
    assert set(parts.clauses) <= set(segments)
    assert set(parts.texts()) == {*segments, *(form for term in parts.terms for form in term.forms)}


@given(requests)
def test_a_pure_function(text: str) -> None:
    assert segment(text) == segment(text)
    assert segment(f"  {text}\t") == segment(f"{text} ")
