"""Requests are taken apart alike in every script."""

from __future__ import annotations

import pytest

from router.segment import segment, term_forms


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "Find the open orders, hold them and tell the customer. Leave invoice 12,5 alone!",
            [
                "Find the open orders",
                "hold them",
                "tell the customer",
                "Leave invoice 12,5 alone",
            ],
        ),
        (
            "미결 주문을 찾아 보류해 주세요. 그런 다음 고객에게 알려 주십시오.",
            ["미결 주문을 찾아 보류해 주세요", "고객에게 알려 주십시오"],
        ),
        (
            "¿Puedes buscar los pedidos? Luego retén los caros; la factura no.",
            ["Puedes buscar los pedidos", "retén los caros", "la factura no"],
        ),
        (
            "未処理の注文を探して、保留してください。次に顧客へ連絡。",
            ["未処理の注文を探して", "保留してください", "顧客へ連絡"],
        ),
        (
            "Suche die Bestellungen und halte sie zurück; danach die Rechnung (Entwurf) löschen.",
            ["Suche die Bestellungen", "halte sie zurück", "die Rechnung", "Entwurf", "löschen"],
        ),
        (
            "Order 확인하고、invoice を送って。 Then close it",
            ["Order 확인", "invoice を送って", "close it"],
        ),
        ("查找订单，然后取消它。", ["查找订单", "然后取消它"]),
        ("ابحث عن الطلبات، ثم ألغها؟", ["ابحث عن الطلبات", "ثم ألغها"]),
        ("आदेश खोजें। फिर रद्द करें।", ["आदेश खोजें", "फिर रद्द करें"]),
        ("call orders.find_orders at 10:30 - now", ["call orders.find_orders at 10:30", "now"]),
    ],
)
def test_clauses(text: str, clauses: list[str]) -> None:
    assert list(segment(text).clauses) == clauses


def test_the_whole_comes_first_and_spans_everything() -> None:
    parts = segment("Find  it. Hold it, please.\nTell me")
    assert parts.segments[0].text == "Find it. Hold it, please. Tell me"
    assert (parts.segments[0].first, parts.segments[0].last) == (0, parts.n_clauses - 1)
    spans = {item.text: (item.first, item.last) for item in parts.segments}
    assert spans["Hold it, please"] == (1, 2)
    assert spans["Tell me"] == (3, 3)


def test_every_text_stands_once() -> None:
    parts = segment("Hold it. Hold it. Hold it!")
    assert [item.text for item in parts.segments].count("Hold it") == 1
    assert len(parts.texts()) == len(set(parts.texts()))


def test_terms_know_their_clause() -> None:
    parts = segment("open orders, then hold")
    assert [(term.forms, term.clause) for term in parts.terms] == [
        (("open",), 0),
        (("orders",), 0),
        (("hold",), 1),
    ]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("orders", [("orders",)]),
        ("a", []),
        ("12", []),
        ("h2o", [("h2o",)]),
        # A particle of up to three syllables may follow a Korean word.
        ("주문", [("주문",)]),
        ("주문을", [("주문을", "주문")]),
        ("시스템에서는", [("시스템에서는", "시스템에서", "시스템에", "시스템")]),
        # Runs of one script are words in Japanese; hiragana inflects them.
        ("請求書を送る", [("請求書", "請求", "求書")]),
        ("予約をキャンセルする", [("予約",), ("キャンセル",)]),
        ("取消", [("取消",)]),
        # Scripts without any mark between words give overlapping pieces.
        ("ยกเลิกคำสั่งซื้อ", [("ยกเลิก",), ("ลิกคำส",), ("คำสั่ง",), ("ั่งซื้",), ("ซื้อ",)]),
    ],
)
def test_forms_of_terms(word: str, forms: list[tuple[str, ...]]) -> None:
    assert list(term_forms(word)) == forms


@pytest.mark.parametrize("text", ["", "   ", "...", "、。", "7 8 9", "ﷺ"])
def test_texts_without_words_are_one_clause(text: str) -> None:
    parts = segment(text)
    assert parts.n_clauses == 1
    assert len(parts.segments) >= 1


def test_long_clauses_give_windows() -> None:
    spaced = " ".join(f"word{number}" for number in range(30))
    windows = [item.text for item in segment(spaced).segments][1:]
    assert windows[0] == " ".join(f"word{number}" for number in range(12))
    assert windows[-1].endswith("word29")
    assert all(len(window.split()) <= 12 for window in windows)
    unspaced = "注文を確認" * 10
    windows = [item.text for item in segment(unspaced).segments][1:]
    assert windows
    assert all(len(window) <= 24 for window in windows)
    assert windows[-1] == unspaced[-len(windows[-1]) :]


def test_a_hostile_text_gives_a_bounded_number_of_parts() -> None:
    parts = segment("do this, " * 5000)
    assert parts.n_clauses == 64
    assert len(parts.terms) <= 64 * 2
