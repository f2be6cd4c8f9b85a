from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from router.text import CHARACTER, WORD, features, is_unspaced, normalise, words

unspaced = st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1) | st.text(
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1
)


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_letters_and_digits_are_never_dropped(text: str) -> None:
    """Whatever the script, each letter and digit stands in some word."""
    kept = "".join(words(text))
    for character in unicodedata.normalize("NFKC", text):
        if character.isalnum():
            assert all(part in kept for part in normalise(character) if part.isalnum())


@given(st.text())
def test_words_hold_no_separators(text: str) -> None:
    for word in words(text):
        assert word
        assert not any(character.isspace() or character in "._-/" for character in word)


@given(st.text())
def test_every_word_has_features(text: str) -> None:
    for word in words(text):
        found = features(word)
        assert found
        assert len(set(found)) == len(found)
        assert found[0][0] == (CHARACTER if is_unspaced(word) else WORD)


@given(unspaced)
def test_unspaced_text_has_no_long_features(text: str) -> None:
    for word in words(text):
        assert max(len(name) for name in features(word)) <= 1 + 3


@given(st.text(), st.text())
def test_words_of_two_texts_are_the_words_of_both(one: str, other: str) -> None:
    assert words(f"{one}\n{other}") == words(one) + words(other)
