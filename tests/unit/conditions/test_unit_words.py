"""The table of units is what Unicode's CLDR says."""

from __future__ import annotations

from pathlib import Path

import conditions.unit_words
from conditions.unit_words import UNIT_WORDS
from router.text import normalise
from tests.support.unit_words import ORDINARY, source

FILE = Path(conditions.unit_words.__file__)


def test_the_table_is_what_the_locked_babel_gives() -> None:
    remedy = "Babel has changed: say python -m tests.support.unit_words"
    assert FILE.read_text(encoding="utf-8") == source(), remedy


def test_words_are_as_normalised_texts_have_them() -> None:
    words = {word for found in UNIT_WORDS.values() for word in found}
    assert all(word == normalise(word) == word.strip() for word in words)
    assert not words & ORDINARY


def test_marks_of_dates_are_no_durations() -> None:
    assert not {"日", "年", "月", "일", "년", "월"} & set(UNIT_WORDS["duration"])
    assert {"時間", "시간", "stunden", "horas", "hours", "h"} <= set(UNIT_WORDS["duration"])
