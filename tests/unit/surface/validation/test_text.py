"""Texts of the surface, and the one text that no query may hold."""

from __future__ import annotations

import pytest

from conditions.state import MARKER
from surface.validation.text import STATE_MARKER, check_marker, check_text, normal


def test_the_marker_is_the_one_that_renders_states() -> None:
    assert STATE_MARKER == MARKER


@pytest.mark.parametrize(
    "query", ["x [EXECUTION_STATE]", "[execution_state]", "［ＥＸＥＣＵＴＩＯＮ＿ＳＴＡＴＥ］ x"]
)
def test_the_marker_is_found_however_it_is_written(query: str) -> None:
    assert [item.place for item in check_marker("t", query)] == ["t"]


def test_its_words_alone_are_allowed() -> None:
    assert not list(check_marker("t", "the EXECUTION_STATE of [it]"))


@pytest.mark.parametrize("text", ["", "Straße", "고객의 소포", "荷物はどこ", "¿dónde? 5 °C – 5 €"])
def test_ordinary_texts(text: str) -> None:
    assert not list(check_text("t", text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("e\u0301", "not in NFC"),
        ("\u1100\u1161", "not in NFC"),
        ("か\u3099", "not in NFC"),
        ("a\nb", "U+000A"),
        ("a\tb", "U+0009"),
        ("a\u200bb\u202e", "U+200B, U+202E"),
        ("\ufeffa", "U+FEFF"),
        ("a\ue000", "U+E000"),
    ],
)
def test_texts_that_are_not_what_they_seem(text: str, words: str) -> None:
    found = list(check_text("t", text))
    assert len(found) == 1
    assert words in found[0].what


def test_normal_form_for_looking_literals_up() -> None:
    assert normal("  ＣＵＳ－1042\u00a0 Straße ") == "cus-1042 strasse"
