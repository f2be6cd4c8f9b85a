"""A text looks like its language, and like no other one of the study."""

from __future__ import annotations

import pytest

from surface.task import LANGUAGES
from surface.validation.language import function_words, looks_like
from surface.validation.script import script_of, shares
from tests.support.small_surface import GLOSSES, QUERIES

PURE = ("en", "ko", "es", "ja", "de")


@pytest.mark.parametrize("language", LANGUAGES)
def test_queries_look_like_their_language(language: str) -> None:
    for query in QUERIES[language].values():
        assert looks_like(query, language), query


@pytest.mark.parametrize("language", PURE)
@pytest.mark.parametrize("other", LANGUAGES)
def test_queries_look_like_no_other_language(language: str, other: str) -> None:
    if other != language:
        for query in QUERIES[language].values():
            assert not looks_like(query, other), query


def test_glosses_look_like_english() -> None:
    assert all(looks_like(gloss, "en") for glosses in GLOSSES.values() for gloss in glosses)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("CUS-1042 SHP-204817 ses_7h2kq9x4", "en"),
        ("Bestellung 40718263 stornieren", "de"),
        ("", "en"),
        ("12345", "ko"),
        ("顧客注文確認依頼", "ja"),
        ("顧客の注文を確認해 주세요", "ja"),
        ("고객の注文", "ko"),
        ("Отмени заказ the and of to", "en"),
    ],
)
def test_too_little_or_something_else_is_refused(text: str, language: str) -> None:
    assert not looks_like(text, language)


def test_two_function_words_are_enough_unless_another_language_has_as_many() -> None:
    assert looks_like("Release the shipment to CUS-1042", "en")
    assert not looks_like("Release the shipment CUS-1042", "en")
    assert not looks_like("Release the shipment to und der", "en")
    assert looks_like("Release the shipment to und der", "mixed")
    assert not looks_like("Release the shipment to und", "mixed")


@pytest.mark.parametrize(
    "text",
    [
        "고객 CUS-1042의 Aurora Foods shipment를 확인해 주세요",
        "Aurora Foods の CUS-1042 について、荷物の状態を確認してください。",
    ],
)
def test_names_in_latin_letters_are_allowed(text: str) -> None:
    assert looks_like(text, "ko") or looks_like(text, "ja")


@pytest.mark.parametrize(
    ("letter", "script"),
    [
        ("a", "latin"),
        ("ß", "latin"),
        ("ñ", "latin"),
        ("가", "hangul"),
        ("ひ", "kana"),
        ("カ", "kana"),
        ("ー", "kana"),
        ("漢", "han"),
        ("々", "han"),
        ("ж", "other"),
        ("α", "other"),
    ],
)
def test_script_of_a_letter(letter: str, script: str) -> None:
    assert script_of(letter) == script


def test_shares_leave_literals_out() -> None:
    assert shares("CUS-1042 荷物の doc_8Yt3LmQ0vR") == {
        "han": pytest.approx(2 / 3),
        "kana": pytest.approx(1 / 3),
    }
    assert shares("a@b.example 123") == {}


def test_function_words_are_counted_once() -> None:
    assert function_words("The the THE of") == {"en": 2, "es": 0, "de": 0}


def test_no_function_word_belongs_to_two_languages() -> None:
    from surface.validation import language

    lists = list(language._WORDS.values())
    assert sum(map(len, lists)) == len(frozenset().union(*lists))
