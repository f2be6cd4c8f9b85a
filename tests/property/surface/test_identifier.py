"""Identifiers stand out in any text of the study's languages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surface.identifier import occurs

identifiers = st.from_regex(r"[A-Z]{2,3}-[0-9]{4,6}|[a-z]{3}_[0-9a-z]{8}|[0-9]{8}", fullmatch=True)
around = st.text(alphabet="가는의はをで顧客、。,.;:!?¿¡()«»\"' \n")
ascii_tail = st.text(alphabet="0123456789abcXYZ_", min_size=1)


@given(identifiers, around, around)
def test_an_identifier_is_found_among_letters_of_other_scripts(
    identifier: str, before: str, after: str
) -> None:
    assert occurs(identifier, [before + identifier + after])


@given(identifiers, ascii_tail, around)
def test_a_longer_identifier_is_another_one(identifier: str, tail: str, after: str) -> None:
    assert not occurs(identifier, [identifier + tail + after])
    assert not occurs(identifier, [tail + identifier + after])
    assert not occurs(identifier, [f"{identifier}-0{tail}{after}"])


@given(st.text(min_size=1), st.lists(st.text(), max_size=3))
def test_any_identifier_is_looked_up_literally(identifier: str, texts: list[str]) -> None:
    assert occurs(identifier, [*texts, identifier])
    if occurs(identifier, texts):
        assert any(identifier in text for text in texts)
