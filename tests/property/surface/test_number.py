"""A number is found however the study's languages write it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surface.validation.number import stands

POINT = ("en", "ko", "ja", "es", "mixed")
COMMA = ("de", "es", "mixed")
numbers = st.integers(0, 99_999_999).map(lambda value: value / 100)
whole = st.integers(0, 99_999_999)


def local(value: float, language: str) -> str:
    written = f"{value:,}"
    return written.translate(str.maketrans(",.", ".,")) if language == "de" else written


@given(numbers | whole, st.sampled_from(sorted({*POINT, *COMMA})))
def test_a_grouped_number_stands(value: float, language: str) -> None:
    assert stands(value, f"x {local(value, language)} kg.", language)
    assert stands(value, f"({value} kg)", language)


@given(numbers | whole, st.sampled_from(COMMA))
def test_a_decimal_comma_stands(value: float, language: str) -> None:
    assert stands(value, f"unos {str(value).replace('.', ',')}kg", language)


@given(whole, st.sampled_from(sorted({*POINT, *COMMA})))
def test_digits_of_an_identifier_do_not_stand(value: int, language: str) -> None:
    assert not stands(value, f"CUS-{value} x_{value} AB{value}", language)


@given(whole, whole)
def test_another_number_does_not_stand(value: int, other: int) -> None:
    assert stands(value, f"exactly {other} of them", "en") == (value == other)
