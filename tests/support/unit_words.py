"""Make `conditions/unit_words.py` from Unicode's CLDR, as Babel carries it.

After a new Babel: ``python -m tests.support.unit_words`` writes the table again.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import babel
from babel import Locale

import conditions.unit_words
from router.text import normalise

LOCALES: Final = ("de", "en", "es", "ja", "ko")
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    # A bare degree, of no scale, has the same word as a degree of angle.
    "angle": ("angle-degree", "angle-radian"),
    "area": (
        "area-square-centimeter",
        "area-square-meter",
        "area-square-kilometer",
        "area-hectare",
        "area-square-inch",
        "area-square-foot",
        "area-acre",
    ),
    "data": (
        "digital-byte",
        "digital-kilobyte",
        "digital-megabyte",
        "digital-gigabyte",
        "digital-terabyte",
    ),
    "duration": (
        "duration-millisecond",
        "duration-second",
        "duration-minute",
        "duration-hour",
        "duration-day",
        "duration-week",
        "duration-month",
        "duration-year",
    ),
    "energy": (
        "energy-joule",
        "energy-kilojoule",
        "energy-kilowatt-hour",
        "energy-calorie",
        "energy-kilocalorie",
        "energy-british-thermal-unit",
    ),
    "electric current": ("electric-ampere", "electric-milliampere"),
    "frequency": (
        "frequency-hertz",
        "frequency-kilohertz",
        "frequency-megahertz",
        "frequency-gigahertz",
    ),
    "illuminance": ("light-lux",),
    "length": (
        "length-millimeter",
        "length-centimeter",
        "length-meter",
        "length-kilometer",
        "length-inch",
        "length-foot",
        "length-yard",
        "length-mile",
        "length-nautical-mile",
    ),
    "mass": (
        "mass-microgram",
        "mass-milligram",
        "mass-gram",
        "mass-kilogram",
        "mass-tonne",
        "mass-ounce",
        "mass-pound",
    ),
    "power": (
        "power-milliwatt",
        "power-watt",
        "power-kilowatt",
        "power-megawatt",
        "power-horsepower",
    ),
    "pressure": (
        "pressure-pascal",
        "pressure-hectopascal",
        "pressure-kilopascal",
        "pressure-megapascal",
        "pressure-bar",
        "pressure-millibar",
        "pressure-millimeter-ofhg",
        "pressure-pound-force-per-square-inch",
    ),
    "ratio": ("concentr-percent", "concentr-permille"),
    "speed": (
        "speed-kilometer-per-hour",
        "speed-meter-per-second",
        "speed-mile-per-hour",
        "speed-knot",
    ),
    "temperature": (
        "temperature-celsius",
        "temperature-fahrenheit",
        "temperature-kelvin",
        "temperature-generic",
        "angle-degree",
    ),
    "voltage": ("electric-volt",),
    "volume": (
        "volume-milliliter",
        "volume-centiliter",
        "volume-liter",
        "volume-hectoliter",
        "volume-cubic-centimeter",
        "volume-cubic-meter",
        "volume-cubic-foot",
        "volume-gallon",
    ),
}
"""Units of CLDR by what they measure."""
ORDINARY: Final = frozenset({"a", "in", "k"})
"""Symbols that mostly are something else after a number: prepositions, and the word thousand."""

_WIDEST: Final = 92
_PLURALS: Final = ("one", "many", "other")
_FORMS: Final = ("long", "short")
_HEAD: Final = '''"""How quantities are written in five languages: words and symbols after a number.

Made by `tests/support/unit_words.py` from Unicode's CLDR; not written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["MADE_WITH", "UNIT_WORDS"]

MADE_WITH: Final = "{made_with}"

# fmt: off
UNIT_WORDS: Final[Mapping[str, tuple[str, ...]]] = {{
{table}
}}
"""Normalised words and symbols by what their units measure; a few measure several things."""
'''


def words(unit: str, locale: Locale) -> Iterator[str]:
    """What a locale writes after a number of a unit, normalised.

    Left out is what also stands in the locale's dates (``3日`` is mostly a day of a month), is an
    ordinary word, or says half of what it means because the other half stands before the number.
    """
    dated = re.sub("'|[A-Za-z]+", " ", locale.date_formats["long"].pattern).split()
    patterns = locale._data["unit_patterns"][unit]
    for form in _FORMS:
        for pattern in (patterns.get(form, {}).get(plural, "") for plural in _PLURALS):
            before, _, after = pattern.partition("{0}")
            word = normalise(" ".join(after.split())).rstrip(".")
            if not before.strip() and word and word not in ORDINARY and word not in dated:
                yield word


def table() -> dict[str, tuple[str, ...]]:
    """Words of all locales by kind, sorted."""
    locales = [Locale(name) for name in LOCALES]
    return {
        kind: tuple(sorted({word for unit in units for at in locales for word in words(unit, at)}))
        for kind, units in sorted(KINDS.items())
    }


def source() -> str:
    """The text of the module."""
    lines = []
    for kind, found in table().items():
        lines.append(f'    "{kind}": (')
        line = ""
        for word in found:
            more = f"{line} {json.dumps(word, ensure_ascii=False)},"
            if line and _width(more) > _WIDEST:
                lines.append(f"       {line}")
                more = f" {json.dumps(word, ensure_ascii=False)},"
            line = more
        lines += [f"       {line}", "    ),"]
    return _HEAD.format(made_with=f"Babel {babel.__version__}", table="\n".join(lines))


def _width(text: str) -> int:
    """Columns that a text takes: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


if __name__ == "__main__":
    Path(conditions.unit_words.__file__).write_text(source(), encoding="utf-8")
