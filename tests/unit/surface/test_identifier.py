"""Where identifiers occur: whole ones, whatever script stands beside them."""

from __future__ import annotations

import pytest

from router.contract import ParameterSpec
from surface.identifier import identifiers, is_identifier, occurs, texts_in


@pytest.mark.parametrize(
    "text",
    [
        "SHP-204817",
        "Where is SHP-204817?",
        "(SHP-204817)",
        "SHP-204817, please",
        "SHP-204817.",
        "«SHP-204817»",
        "SHP-204817가 지금 어디 있나요",
        "소포 SHP-204817는",
        "荷物SHP-204817はどこですか",
        "荷物SHP-204817、",
        "顧客のSHP-204817を",
        "SHP-204817号",
        "x SHP-2048171 y SHP-204817",
        "¿SHP-204817?",
        "SHP-204817\nnext",
        "von SHP-204817 - und",
    ],
)
def test_an_identifier_occurs(text: str) -> None:
    assert occurs("SHP-204817", [text])
    assert occurs("SHP-204817", ["nothing", text])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SHP-20481",
        "SHP-2048171",
        "XSHP-204817",
        "A-SHP-204817",
        "SHP-204817-2",
        "SHP-204817_b",
        "_SHP-204817",
        "shp-204817",
        "SHP 204817",
        "SHP-204817가".replace("1", "2"),
    ],
)
def test_a_part_of_a_longer_identifier_is_another_one(text: str) -> None:
    assert not occurs("SHP-204817", [text])
    assert not occurs("SHP-204817", [])


def test_special_characters_are_literal() -> None:
    assert occurs("a.c", ["see a.c now"])
    assert not occurs("a.c", ["see abc now"])


@pytest.mark.parametrize(
    ("parameter", "verdict"),
    [
        (ParameterSpec(name="order_id"), True),
        (ParameterSpec(name="number", identifier=True), True),
        (ParameterSpec(name="number", semantic_id="order.id"), True),
        (ParameterSpec(name="number", semantic_id="order.identifier"), True),
        (ParameterSpec(name="ids", semantic_id="order.ids"), False),
        (ParameterSpec(name="paid"), False),
        (ParameterSpec(name="order", semantic_id="order.stage"), False),
    ],
)
def test_what_is_an_identifier(parameter: ParameterSpec, verdict: bool) -> None:
    assert is_identifier(parameter) is verdict


def test_the_identifiers_of_a_call() -> None:
    parameters = (
        ParameterSpec(name="order_id"),
        ParameterSpec(name="parts", semantic_id="part.id"),
        ParameterSpec(name="note"),
    )
    arguments = {"order_id": 40718263, "parts": ["a", "b"], "note": "c", "unknown_id": "d"}
    assert sorted(identifiers(parameters, arguments)) == ["40718263", "a", "b"]
    assert identifiers(parameters, {}) == ()


def test_texts_are_strings_and_integers_but_no_booleans_or_fractions() -> None:
    assert sorted(texts_in({"a": ["x", 5, 5.0, 1.5, True, None], "b": {"c": -3}})) == [
        "-3",
        "5",
        "5",
        "x",
    ]
    assert texts_in(None) == ()
