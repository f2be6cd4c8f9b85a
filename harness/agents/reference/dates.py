"""Dates and clock times in the ways the five languages write them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.words import normalise

_NUMERIC: Final = (
    re.compile(r"(?<![A-Za-z0-9-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])"),
    re.compile(
        r"(?<![A-Za-z0-9.])(?P<y>\d{4})[./]\s?(?P<m>\d{1,2})[./]\s?(?P<d>\d{1,2})(?![A-Za-z0-9])"
    ),
    re.compile(
        r"(?<![A-Za-z0-9.])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?![A-Za-z0-9])"
    ),
    re.compile(r"(?<![A-Za-z0-9/])(?P<d>\d{1,2})/(?P<m>\d{1,2})/(?P<y>\d{4})(?![A-Za-z0-9])"),
    re.compile(r"(?P<y>\d{4})\s?[년年]\s?(?P<m>\d{1,2})\s?[월月]\s?(?P<d>\d{1,2})\s?[일日]"),
)
_TIMES: Final = (
    re.compile(r"(?<![\d:.])(?P<h>\d{1,2}):(?P<i>\d{2})(?::(?P<s>\d{2}))?(?P<z>Z)?(?![\d:])"),
    re.compile(r"(?<!\d)(?P<h>\d{1,2})\s?[시時](?!간|間)\s?(?:(?P<i>\d{1,2})\s?[분分])?"),
    re.compile(r"(?<![\d:.])(?P<h>\d{1,2})(?P<i>)\s?(?=[ap]\.?m\b)", re.IGNORECASE),
)
_AFTERNOON_AFTER: Final = re.compile(r"\s?(?:p\.?\s?m\b|de la tarde|de la noche)", re.IGNORECASE)
_AFTERNOON_BEFORE: Final = re.compile(r"(?:오후|午後|저녁|夜)\s?$")
_NOON: Final = 12
_MONTHS: Final = 12
Spot = tuple[str, int, int]
"""A value in ISO form, and where it starts and ends."""


@lru_cache(maxsize=1)
def _months() -> Mapping[str, int]:
    table = load_glossary().tables["months"]
    return {name: number for number, names in enumerate(table, 1) for name in phrases(names)}


@lru_cache(maxsize=1)
def _written() -> tuple[re.Pattern[str], ...]:
    names = "|".join(sorted(_months(), key=lambda name: (-len(name), name)))
    return (
        re.compile(
            rf"(?<![A-Za-z0-9])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.|º)?\s(?:de\s|of\s)?(?P<m>{names})\.?,?\s"
            r"(?:de\s|del\s)?(?P<y>\d{4})(?![A-Za-z0-9])"
        ),
        re.compile(
            rf"(?<![A-Za-z0-9])(?P<m>{names})\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})(?![A-Za-z0-9])"
        ),
    )


def find_dates(text: str) -> Iterator[Spot]:
    """Yield the dates of a text as ``YYYY-MM-DD``.

    ``3/4/2026`` is read day first: of the five languages only American English reads it otherwise.
    """
    for pattern in _NUMERIC:
        for match in pattern.finditer(text):
            value = _date(match["y"], match["m"], match["d"])
            if value:
                yield value, match.start(), match.end()
    plain = normalise(text)
    if len(plain) != len(text):  # positions would not agree
        return
    for pattern in _written():
        for match in pattern.finditer(plain):
            value = _date(match["y"], str(_months()[match["m"]]), match["d"])
            if value:
                yield value, match.start(), match.end()


def find_months(text: str) -> Iterator[Spot]:
    """Yield the months of a text, with their year, as ``YYYY-MM``."""
    plain = normalise(text)
    if len(plain) != len(text):
        return
    for pattern in _month_patterns():
        for match in pattern.finditer(plain):
            month = _months().get(match["m"]) or int(match["m"])
            if 1 <= month <= _MONTHS:
                yield f"{match['y']}-{month:02}", match.start(), match.end()


@lru_cache(maxsize=1)
def _month_patterns() -> tuple[re.Pattern[str], ...]:
    names = "|".join(sorted(_months(), key=lambda name: (-len(name), name)))
    return (
        re.compile(rf"(?<![a-z0-9])(?P<m>{names})\.?,?\s(?:de\s|del\s|of\s)?(?P<y>\d{{4}})(?!\d)"),
        re.compile(r"(?P<y>\d{4})\s?[년年]\s?(?P<m>\d{1,2})\s?[월月]"),
        re.compile(r"(?<![a-z0-9-])(?P<y>20\d{2})-(?P<m>\d{2})(?![\d-])"),
    )


def _date(year: str, month: str, day: str) -> str | None:
    try:
        return datetime.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def find_times(text: str) -> Iterator[Spot]:
    """Yield the clock times of a text as ``HH:MM:SS``."""
    for pattern in _TIMES:
        for match in pattern.finditer(text):
            fields = match.groupdict()
            hour, minute, second = (int(fields.get(key) or 0) for key in "his")
            late = _AFTERNOON_AFTER.match(text, match.end()) or _AFTERNOON_BEFORE.search(
                text[: match.start()]
            )
            if late and hour < _NOON:
                hour += _NOON
            try:
                value = datetime.time(hour, minute, second).isoformat()
            except ValueError:
                continue
            yield value, match.start(), match.end()
