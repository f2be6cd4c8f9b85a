"""Clauses, concepts and literals of a query, in the five languages."""

from __future__ import annotations

import pytest

from harness.agents.reference.glossary import load_glossary
from harness.agents.reference.literal import parse_number
from harness.agents.reference.query import read_query


@pytest.mark.parametrize(
    ("query", "languages"),
    [
        ("Cancel the invoice.", ("en",)),
        ("Cancela la factura, por favor", ("en", "es")),
        ("Bitte die Rechnung stornieren", ("en", "de")),
        ("인보이스를 취소해줘", ("en", "ko")),
        ("請求書をキャンセルして", ("en", "ja")),
        ("invoice를 cancel 해주세요", ("en", "ko")),
    ],
)
def test_languages_are_told_by_their_script_and_small_words(
    query: str, languages: tuple[str, ...]
) -> None:
    assert read_query(query).languages == languages


@pytest.mark.parametrize(
    "query",
    [
        "Cancel the invoice.",
        "Cancela la factura, por favor",
        "Bitte die Rechnung stornieren",
        "인보이스를 취소해줘",
        "請求書をキャンセルして",
        "invoice를 cancel 해주세요",
    ],
)
def test_words_of_every_language_mean_the_same(query: str) -> None:
    assert {"cancel", "invoice"} <= read_query(query).concepts


def test_a_longer_word_hides_the_shorter_one_in_it() -> None:
    # Korean "unpaid" holds no "paid", Japanese "shipping fee" no "send".
    assert "unpaid" in read_query("미납 청구서").concepts
    assert "pay" not in read_query("미결제 청구서").concepts
    assert "send" not in read_query("運送料金").concepts


def test_a_german_compound_holds_its_parts() -> None:
    concepts = read_query("Bitte die Kundenrechnung prüfen").concepts
    assert {"customer", "invoice", "find"} <= concepts


@pytest.mark.parametrize(
    ("query", "verbs"),
    [
        ("Look up order A and cancel it, then notify the customer.", ["find", "cancel", "notify"]),
        ("주문을 조회해서 취소하고 고객에게 알림 보내줘", ["find", "cancel", "notify"]),
        ("Busca el pedido y cancélalo, luego avisa al cliente.", ["find", "cancel", "notify"]),
        ("注文を調べて、キャンセルして、その後お客様に通知して", ["find", "cancel", "notify"]),
        (
            "Such die Bestellung heraus und storniere sie, dann benachrichtige den Kunden.",
            ["find", "cancel", "notify"],
        ),
    ],
)
def test_clauses_stand_in_the_order_of_the_steps(query: str, verbs: list[str]) -> None:
    clauses = read_query(query).clauses
    assert len(clauses) == len(verbs)
    for clause, verb in zip(clauses, verbs, strict=True):
        assert verb in clause.concepts


def test_what_holds_no_verb_joins_what_follows() -> None:
    (clause,) = read_query("For customer A, the older one, list the orders.").clauses
    assert {"customer", "find", "order"} <= clause.concepts


def test_a_condition_and_a_precedence_are_marked() -> None:
    clauses = read_query("Cancel it. If that fails, notify me. Before that, check it.").clauses
    assert [clause.conditional for clause in clauses] == [False, True, False]
    assert [clause.first for clause in clauses] == [False, False, True]


def test_the_words_of_a_quotation_are_no_request() -> None:
    query = read_query('Send a message: "Please cancel the invoice."')
    assert "cancel" not in query.concepts
    assert [item.value for item in query.literals if item.kind == "quoted"] == [
        "Please cancel the invoice."
    ]


@pytest.mark.parametrize(
    "quoted", ['"A b"', "“A b”", "„A b“", "«A b»", "「A b」", "『A b』", "'A b'", "‘A b’"]
)
def test_quotation_marks_of_every_language(quoted: str) -> None:
    literals = read_query(f"Note: {quoted}.").literals
    assert [(item.kind, item.value) for item in literals] == [("quoted", "A b")]


@pytest.mark.parametrize(
    ("digits", "decimal_comma", "value"),
    [
        ("1,250.5", False, 1250.5),
        ("1.250,5", True, 1250.5),
        ("12,5", True, 12.5),
        ("12.5", True, 12.5),
        ("12,5", False, 12.5),
        ("1,250", False, 1250),
        ("1.250", True, 1250),
        ("1.250", False, 1.25),
        ("1,250,000", False, 1250000),
        ("007", False, 7),
    ],
)
def test_decimal_and_thousands_marks(digits: str, decimal_comma: bool, value: float) -> None:
    assert parse_number(digits, decimal_comma=decimal_comma) == value


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("weighs 5kg", 5, "kg"),
        ("무게 5kg짜리", 5, "kg"),
        ("at 36 psi", 36, "psi"),
        ("3 m³ of gas", 3, "m**3"),
        ("at 80 km/h", 80, "km/hour"),
        ("90%", 90, "percent"),
        ("15 % off", 15, "percent"),
        ("30分", 30, "min"),
        ("2시간", 2, "hour"),
        ("영하 18도", -18, "degC"),
        ("화씨 39도", 39, "degF"),
        ("-4 ℉", -4, "degF"),
        ("3만 원", 30000, None),
        ("250 EUR", 250, None),
    ],
)
def test_numbers_and_units(text: str, value: float, unit: str | None) -> None:
    (literal,) = (item for item in read_query(text).literals if item.kind == "number")
    assert (literal.value, literal.unit) == (value, unit)


@pytest.mark.parametrize("text", ["SHP-204817", "BK25-0417", "v2.1.3", "INV-2025-00731", "E20914"])
def test_identifiers_are_no_numbers(text: str) -> None:
    assert not [item for item in read_query(f"Look at {text}.").literals if item.kind == "number"]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-03-05", "2026-03-05"),
        ("2026/3/5", "2026-03-05"),
        ("05.03.2026", "2026-03-05"),
        ("5/3/2026", "2026-03-05"),
        ("2026년 3월 5일", "2026-03-05"),
        ("2026年3月5日", "2026-03-05"),
        ("5 March 2026", "2026-03-05"),
        ("March 5th, 2026", "2026-03-05"),
        ("5 de marzo de 2026", "2026-03-05"),
        ("5. März 2026", "2026-03-05"),
        ("2026-02-30", None),
    ],
)
def test_dates(text: str, date: str | None) -> None:
    found = [item.value for item in read_query(f"on {text}に").literals if item.kind == "date"]
    assert found == ([date] if date else [])


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("at 14:30", "14:30:00"),
        ("오후 2시 30분", "14:30:00"),
        ("午後2時30分", "14:30:00"),
        ("um 9:05 Uhr", "09:05:00"),
        ("at 2 pm", "14:00:00"),
    ],
)
def test_clock_times(text: str, time: str) -> None:
    assert [item.value for item in read_query(text).literals if item.kind == "time"] == [time]


def test_every_concept_of_the_glossary_has_words_in_five_languages() -> None:
    glossary = load_glossary()
    spoken = {concept for concepts in glossary.english_stems.values() for concept in concepts}
    assert spoken == set(glossary.kinds)
    for stems in glossary.spaced.values():
        words = [*stems.whole.values(), *stems.prefix.values()]
        assert {concept for concepts in words for concept in concepts} == set(glossary.kinds)
    for terms in glossary.unspaced.values():
        assert {concept for found in terms.values() for concept in found} == set(glossary.kinds)


def test_other_sections_of_the_glossary_name_concepts_that_exist() -> None:
    glossary = load_glossary()
    named = {c for entry in glossary.tables["superlatives"] for c in entry["concepts"]}
    named |= {c for cell in glossary.tables["recovery"].values() for c in cell.split()}
    assert named <= set(glossary.kinds)
