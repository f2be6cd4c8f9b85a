"""Where arguments come from: literals of the query, observations, converted units."""

from __future__ import annotations

from typing import Any

import pytest

from harness.agents.protocol import ToolSchema
from harness.agents.reference import ReferenceAgent
from tests.unit.harness.agents.reference.tools import (
    WORLD,
    called,
    choose,
    conversation,
    enum,
    identifiers,
    ok,
    quantity,
    tool,
)

SENSOR = ("coldchain__read_sensor", {"sensor_id": "SNS-0042"})


@pytest.mark.parametrize(
    "query",
    [
        "Read sensor SNS-0042 and set the cargo temperature of container MSKU1234567 to it.",
        "센서 SNS-0042의 온도를 읽어서 컨테이너 MSKU1234567의 화물 온도를 그 값으로 설정해.",
        "Lee el sensor SNS-0042 y fija la temperatura del contenedor MSKU1234567 en ese valor.",
        "センサーSNS-0042の温度を読み、コンテナMSKU1234567の貨物温度をその値に設定して。",
        "Lies Sensor SNS-0042 ab und stelle die Temperatur von Container MSKU1234567 darauf ein.",
    ],
)
def test_an_observed_temperature_is_converted_with_its_offset(query: str) -> None:
    # 4.5 °C = 4.5 * 9/5 + 32 = 40.1 °F; a factor alone would give 8.1.
    answer = ok({"temperature": 4.5, "humidity": 80}, {"temperature": "degC"})
    turn = ReferenceAgent().act(conversation(query, (*SENSOR, answer)), WORLD)
    assert called(turn) == (
        "freight__set_cargo_temperature",
        {"container_id": "MSKU1234567", "temperature": pytest.approx(40.1)},
    )


@pytest.mark.parametrize(
    ("words", "fahrenheit"),
    [
        ("to -18 °C", -0.4),
        ("to 2.5 degrees Celsius", 36.5),
        ("to 40 °F", 40),
        ("auf 2,5 Grad Celsius, bitte", 36.5),
        ("을 섭씨 5도로", 41),
        ("을 화씨 39도로", 39),
        ("を-18℃に", -0.4),
        ("を華氏39度に", 39),
        ("en 10 grados centígrados para la carga", 50),
        ("minus 10 °C", 14),
    ],
)
def test_a_temperature_of_the_query_is_converted(words: str, fahrenheit: float) -> None:
    query = f"Set alarm threshold of sensor SNS-0042 {words}"
    name, arguments = called(ReferenceAgent().act(conversation(query), WORLD))
    assert name == "coldchain__set_alarm"
    assert arguments["threshold"] == pytest.approx(fahrenheit)


@pytest.mark.parametrize(
    ("query", "kilograms"),
    [
        ("Book a container for shipment SHP-100001, which weighs 1,250.5 kg.", 1250.5),
        ("Reserva un contenedor para el envío SHP-100001, que pesa 1.250,5 kg.", 1250.5),
        ("Buche einen Container für die Sendung SHP-100001, sie wiegt 0,75 t.", 750),
        ("배송 SHP-100001의 컨테이너를 예약해줘, 무게는 1,250.5kg이야.", 1250.5),
        ("出荷SHP-100001のコンテナを予約して。重さは1,250.5キロです。", 1250.5),
    ],
)
def test_numbers_are_read_as_the_language_writes_them(query: str, kilograms: float) -> None:
    name, arguments = called(ReferenceAgent().act(conversation(query), WORLD))
    assert name == "freight__book_container"
    # International avoirdupois pound: 0.45359237 kg.
    assert arguments["weight"] == pytest.approx(kilograms / 0.45359237)


def test_a_unit_in_a_field_name_is_understood() -> None:
    query = "Get shipment SHP-100001 and book a container for its weight."
    first = ("freight__get_shipment", {"shipment_id": "SHP-100001"}, ok({"weight_kg": 100}))
    name, arguments = called(ReferenceAgent().act(conversation(query, first), WORLD))
    assert name == "freight__book_container"
    assert arguments["weight"] == pytest.approx(100 / 0.45359237)


def test_quantities_of_another_dimension_do_not_fill() -> None:
    wanted = tool("fleet__log_trip", "Log a trip.", {"distance": quantity("Distance", "km")})
    query = "Log a trip of 30 kg."
    turn = ReferenceAgent().act(conversation(query), [wanted])
    assert turn.calls == ()


@pytest.mark.parametrize("nudges", [0, 1, 2])
@pytest.mark.parametrize(
    "query", ["Get the shipment.", "배송을 조회해줘", "Zeig mir die Sendung", "出荷を確認して"]
)
def test_an_identifier_is_never_invented(query: str, nudges: int) -> None:
    tools = choose("freight__get_shipment", "freight__release_hold", "docs__open_session")
    turn = ReferenceAgent().act(conversation(query, *[None] * nudges), tools)
    assert turn.calls == ()


def test_an_identifier_of_a_failed_call_is_no_observation() -> None:
    failed = (
        "freight__get_shipment",
        {"shipment_id": "SHP-999999"},
        {"status": "error", "error": "not_found: no such resource"},
    )
    turn = ReferenceAgent().act(
        conversation("Get the shipment.", failed, None, None), choose("freight__get_shipment")
    )
    assert turn.calls == ()


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("the one that is still booked", "SHP-100002"),
        ("the lightest one", "SHP-100003"),
        ("the one over 500 kg", "SHP-100002"),
        ("the one under 100 kg", "SHP-100003"),
        ("the one of 120 kg", "SHP-100001"),
        ("the last one", "SHP-100003"),
        ("the one to Busan", "SHP-100003"),
    ],
)
def test_the_record_that_the_query_speaks_of_is_chosen(words: str, chosen: str) -> None:
    rows = [("SHP-100001", "delivered", 120, "Oslo"), ("SHP-100002", "booked", 560, "Oslo")]
    rows.append(("SHP-100003", "in_transit", 80, "Busan"))
    keys = ("shipment_id", "stage", "weight", "port")
    answer = ok(
        {"shipments": [dict(zip(keys, row, strict=True)) for row in rows]},
        {"shipments[].weight": "kg"},
    )
    query = f"List the shipments of CUS-1042 and release the hold on {words}."
    first = ("freight__find_shipments", {"customer_id": "CUS-1042"}, answer)
    turn = ReferenceAgent().act(conversation(query, first), choose("freight__release_hold"))
    assert called(turn) == ("freight__release_hold", {"shipment_id": chosen})


def test_identifiers_are_found_in_nested_observations() -> None:
    answer = ok({"customer": {"orders": [{"legs": [{"shipment_id": "SHP-100007"}]}]}})
    query = "Look up CUS-1042 and release the hold on the shipment."
    first = ("freight__find_shipments", {"customer_id": "CUS-1042"}, answer)
    turn = ReferenceAgent().act(conversation(query, first), choose("freight__release_hold"))
    assert called(turn) == ("freight__release_hold", {"shipment_id": "SHP-100007"})


@pytest.mark.parametrize(
    "query",
    [
        "Transfer 250 from ACC-000001 to ACC-000002.",
        "Transfer 250 to ACC-000002 from ACC-000001.",
        "ACC-000001 계좌에서 ACC-000002 계좌로 250을 이체해 주세요.",
        "Transfiere 250 de la cuenta ACC-000001 a la cuenta ACC-000002, por favor.",
        "口座ACC-000001から口座ACC-000002へ250を送金して。",
        "Überweise bitte 250 von Konto ACC-000001 auf Konto ACC-000002.",
    ],
)
def test_direction_words_tell_source_from_target(query: str) -> None:
    assert called(ReferenceAgent().act(conversation(query), WORLD)) == (
        "bank__transfer",
        {"source_account_id": "ACC-000001", "target_account_id": "ACC-000002", "amount": 250},
    )


@pytest.mark.parametrize(
    "query",
    [
        "Move reservation RSV-000321: check in on 2026-03-05, check out on March 8, 2026.",
        "예약 RSV-000321을 2026년 3월 5일 체크인, 2026년 3월 8일 체크아웃으로 변경해 주세요.",
        "Cambia la reserva RSV-000321: del 5 de marzo de 2026 al 8 de marzo de 2026.",
        "予約RSV-000321を2026年3月5日から2026年3月8日までに変更してください。",
        "Verschiebe die Buchung RSV-000321 auf den 5. März 2026 bis 08.03.2026.",
    ],
)
def test_dates_are_read_in_every_language(query: str) -> None:
    turn = ReferenceAgent().act(conversation(query), choose("hotel__change_dates"))
    assert called(turn)[1] == {
        "reservation_id": "RSV-000321",
        "check_in": "2026-03-05",
        "check_out": "2026-03-08",
    }


def test_quoted_texts_go_to_the_parameters_they_stand_beside() -> None:
    query = (
        'Send a message to jo@x.com with the subject "Your order" and the body "It leaves today."'
    )
    assert called(ReferenceAgent().act(conversation(query), WORLD)) == (
        "mail__send_message",
        {"recipient": "jo@x.com", "subject": "Your order", "body": "It leaves today."},
    )


def test_running_text_without_a_quotation_passes_on_request_and_findings() -> None:
    query = "Send a message about shipment SHP-100001 to jo@x.com."
    first = ("freight__get_shipment", {"shipment_id": "SHP-100001"}, ok({"carrier": "Nordwind"}))
    name, arguments = called(ReferenceAgent().act(conversation(query, first), WORLD))
    assert name == "mail__send_message"
    assert query in arguments["body"]
    assert "Nordwind" in arguments["body"]


@pytest.mark.parametrize(
    ("query", "state"),
    [
        ("List the overdue invoices of CUS-2201.", "overdue"),
        ("CUS-2201의 연체된 청구서를 조회해줘.", "overdue"),
        ("Muestra las facturas pagadas de CUS-2201.", "paid"),
        ("CUS-2201の延滞している請求書を見せて。", "overdue"),
        ("Zeig die überfälligen Rechnungen von CUS-2201.", "overdue"),
        ("List the invoices of CUS-2201.", None),
    ],
)
def test_an_optional_enum_is_set_when_the_query_says_a_member(
    query: str, state: str | None
) -> None:
    name, arguments = called(ReferenceAgent().act(conversation(query), WORLD))
    assert name == "billing__list_invoices"
    assert arguments.get("state") == state


def test_a_list_takes_all_identifiers_of_the_query() -> None:
    query = "Release the holds on SHP-100001, SHP-100003 and SHP-100002."
    turn = ReferenceAgent().act(conversation(query), choose("freight__release_holds"))
    assert called(turn)[1] == {"shipment_ids": ["SHP-100001", "SHP-100003", "SHP-100002"]}


def test_a_month_fills_a_pattern_of_year_and_month() -> None:
    month = {"type": "string", "pattern": "^20[0-9]{2}-[0-9]{2}$", "description": "Month"}
    wanted = tool("energy__get_use", "Return the energy used in a month.", {"month": month})
    for query in ("Energy used in November 2025?", "2025년 11월 에너지 사용량을 조회해줘"):
        assert called(ReferenceAgent().act(conversation(query), [wanted]))[1] == {
            "month": "2025-11"
        }


def test_money_fills_the_amount_and_its_currency() -> None:
    wanted = tool(
        "pay__charge_invoice",
        "Charge an invoice.",
        {
            **identifiers("invoice_id"),
            "amount": {"type": "number", "description": "Amount of money"},
            "currency": enum("Currency code", "USD", "EUR", "KRW"),
        },
    )
    for query, code in (
        ("Charge invoice INV-2025-00731 with 420 EUR.", "EUR"),
        ("인보이스 INV-2025-00731에 420달러를 청구해줘.", "USD"),
    ):
        arguments = called(ReferenceAgent().act(conversation(query), [wanted]))[1]
        assert (arguments["amount"], arguments["currency"]) == (420, code)


@pytest.mark.parametrize(
    "parameters",
    [
        {"type": "object", "properties": {"a": {"$ref": "#/x"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}},
        {"type": "array"},
        {"type": "object", "required": ["a"]},
        {"type": "object", "properties": {}, "minProperties": -1},
    ],
)
def test_a_tool_whose_schema_cannot_be_checked_or_filled_is_not_called(
    parameters: dict[str, Any],
) -> None:
    odd = ToolSchema("odd__cancel", "Cancel.", {**parameters, "minProperties": 1})
    turn = ReferenceAgent().act(conversation("Cancel it.", None, None), [odd])
    assert turn.calls == ()
