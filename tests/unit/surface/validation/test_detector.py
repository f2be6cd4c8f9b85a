"""The detector's opinion on texts in one language and on code-switched ones."""

from __future__ import annotations

import pytest

from surface.task import load_tasks
from surface.validation.detector import LIKELY, probability, switched
from tests.support.small_surface import QUERIES

PURE = ("en", "ko", "es", "ja", "de")


@pytest.mark.parametrize("language", PURE)
@pytest.mark.parametrize("other", PURE)
def test_queries_are_in_their_language_alone(language: str, other: str) -> None:
    for query in QUERIES[language].values():
        assert (probability(query, other) >= LIKELY) == (other == language), query


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "Order 40755102용으로 batch에서 reserve 해 주시고 바로 packing까지 please.",
            "ko",
        ),
        ("Building の climate、ちょっと adjust お願い。zone は 19℃ に set して。", "ja"),
        (
            "Necesito loguear unas horas. There are two of them here, la del correo.",
            "es",
        ),
        ("Kannst du mir please die Order abrechnen? Take them from there, und wir geben 3%.", "de"),
    ],
)
def test_the_language_that_is_mixed_with_english(text: str, language: str) -> None:
    assert switched(text) == language


@pytest.mark.parametrize("language", PURE)
def test_one_language_is_no_mixture(language: str) -> None:
    for task in load_tasks("dev"):
        if task.language == language:
            assert switched(task.query) is None, task.id


@pytest.mark.parametrize(
    "text", ["", "12345", "고객 화물 la remesa retenida en la aduana 풀어 주세요", "顧客の荷物"]
)
def test_what_holds_no_english_is_no_mixture(text: str) -> None:
    assert switched(text) is None
