from __future__ import annotations

import unicodedata

import pytest

from router.text import CHARACTER, GRAM, WORD, features, is_unspaced, normalise, words
from tests.unit.router.shop import SCRIPTS


def test_a_route_id_splits_at_dots_and_underscores() -> None:
    assert words("call orders.find_orders now") == ["call", "orders", "find", "orders", "now"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("findOrders", ["findorders", "find", "orders"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("12 kWh", ["12", "kwh"]),
        ("CUS-1042", ["cus", "1042"]),
        ("ＣＵＳ－１０４２", ["cus", "1042"]),
        ("Straße", ["strasse"]),
        ("ｷｬﾝｾﾙ", ["キャンセル"]),
        ("don't", ["don", "t"]),
        ("45°C", ["45", "c"]),
        ("㎏", ["kg"]),
        ("", []),
        (" .,;_-—！？。、「」", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_unspaced_text_splits_from_latin_and_digits() -> None:
    assert words("CUS-1042고객의 open주문 3件") == [
        "cus",
        "1042",
        "고객의",
        "open",
        "주문",
        "3",
        "件",
    ]


def test_combining_marks_stay_in_their_word() -> None:
    assert words("ऑर्डर खोजें") == ["ऑर्डर", "खोजें"]
    assert words("q\u0307x") == ["q\u0307x"]


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_composed_and_decomposed_text_are_one(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(text)


def test_normalise_is_compatibility_composition_and_casefold() -> None:
    assert normalise("ＡǅΣΐ") == "adžσΐ"


def test_features_of_a_word() -> None:
    assert features("open") == [
        WORD + "open",
        *(GRAM + gram for gram in ("_ope", "open", "pen_")),
    ]


def test_short_words_and_numbers_have_no_grams() -> None:
    assert features("of") == [WORD + "of"]
    assert features("204817") == [WORD + "204817"]


def test_diacritics_are_kept_and_dropped() -> None:
    found = set(features("dirección"))
    assert {WORD + "dirección", WORD + "direccion"} <= found
    assert set(features("direccion")) <= found
    (size,) = words("Größe")
    assert set(features("grosse")) <= set(features(size))


def test_kana_voicing_is_not_a_diacritic() -> None:
    assert CHARACTER + "か" not in features("が")


def test_unspaced_text_gives_one_two_and_three_characters() -> None:
    assert features("注文を") == [
        *(CHARACTER + gram for gram in ("注", "文", "を")),
        *(CHARACTER + gram for gram in ("注文", "文を")),
        CHARACTER + "注文を",
    ]


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_no_script_is_silently_empty(text: str) -> None:
    found = words(text)
    assert len({name for word in found for name in features(word)}) > 10


@pytest.mark.parametrize("language", ["Korean without spaces", "Japanese", "Han", "Thai"])
def test_an_unspaced_sentence_is_never_one_token(language: str) -> None:
    (sentence,) = words(SCRIPTS[language])
    assert is_unspaced(sentence)
    assert max(len(name) for name in features(sentence)) == 1 + 3
