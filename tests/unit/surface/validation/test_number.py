"""Numbers stand in a text as its language writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from surface.validation.number import numbers_in, stands


@pytest.mark.parametrize(
    ("value", "text", "language"),
    [
        (12.5, "weighs 12.5 kg", "en"),
        (12.5, "weighs 12.5kg.", "en"),
        (12.5, "(12.5)", "en"),
        (1250, "1,250 units", "en"),
        (1250000, "1,250,000 units", "en"),
        (1250.75, "$1,250.75, please", "en"),
        (1250, "1 250 units", "en"),
        (1250, "1250 units", "en"),
        (12.5, "pesa 12,5 kg", "es"),
        (12.5, "pesa 12.5 kg", "es"),
        (1250, "1.250 unidades", "es"),
        (1250, "1,250 unidades", "es"),
        (1250.75, "1.250,75 euros", "es"),
        (12.5, "wiegt 12,5 kg", "de"),
        (1250, "1.250 Stück", "de"),
        (1250, "1 250 Stück", "de"),
        (1250, "1'250 Stück", "de"),
        (1250, "1’250 Stück", "de"),
        (1250000.5, "1.250.000,5 Liter", "de"),
        (12.5, "12.5파운드짜리", "ko"),
        (1250, "1,250개", "ko"),
        (12.5, "重さは12.5キロ", "ja"),
        (12.5, "重さは１２．５キロ", "ja"),
        (1250, "1,250個", "ja"),
        (12.5, "12,5 kg", "mixed"),
        (12.5, "12.5 kg", "mixed"),
        (-18, "at -18 °C", "en"),
        (-18, "at −18 °C", "en"),
        (-18, "minus 18 degrees", "en"),
        (-18, "영하 18도", "ko"),
        (-18, "氷点下18度", "ja"),
        (-18, "18 grados bajo cero", "es"),
        (8, "between 2-8 °C", "en"),
        (2, "between 2-8 °C", "en"),
        (8, "zwischen 2–8 °C", "de"),
        (0.5, "0.5 L", "en"),
        (3, "3, 4 and 5", "en"),
        (4, "3, 4 and 5", "en"),
        (3, "ends with 3.", "en"),
        (7, "7일까지", "ko"),
        (12.0, "12 kg", "en"),
        (12, "12.0 kg", "en"),
        (50, "50 %", "en"),
        (20, "10 20 30", "en"),
        (1e-05, "0.00001", "en"),
    ],
)
def test_a_number_stands_in_a_text(value: float, text: str, language: str) -> None:
    assert stands(value, text, language)


@pytest.mark.parametrize(
    ("value", "text", "language"),
    [
        (1042, "customer CUS-1042", "en"),
        (204817, "SHP-204817 and pay_204817", "en"),
        (3, "version v3", "en"),
        (12, "weighs 12.5 kg", "en"),
        (5, "weighs 12.5 kg", "en"),
        (12.5, "weighs 12,5 kg", "en"),
        (1.25, "1,250 units", "en"),
        (1250, "1,25 unidades", "de"),
        (1250, "1.250 units", "en"),
        (1250, "1,2,5,0", "en"),
        (25, "1250", "en"),
        (125, "1250", "en"),
        (18, "at -18 °C", "en"),
        (-18, "at 18 °C", "en"),
        (-8, "between 2-8 °C", "en"),
        (2, "a couple", "en"),
        (7, "", "en"),
    ],
)
def test_a_number_does_not_stand_in_a_text(value: float, text: str, language: str) -> None:
    assert not stands(value, text, language)


def test_every_reading_is_returned() -> None:
    assert numbers_in("1.250 kg", "de") == {Decimal("1250"), Decimal("1.250")}
    assert numbers_in("no number", "de") == frozenset()
