"""Quantities: units in words, and conversion through Pint."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from harness.agents.reference.glossary import load_glossary, phrases
from surface.unit import UnknownUnitError
from surface.unit import convert as pint_convert

_UNIT_TEXT: Final = re.compile(r"[A-Za-zµ_]+(?:\*\*[0-9])?(?:[*/][A-Za-zµ_]+(?:\*\*[0-9])?){0,3}")
"""Units that are handed to Pint: products and powers of names, nothing it would evaluate."""
_NOTE: Final = re.compile(r"\(unit:\s*([^()]{1,40})\)\s*$")
_LARGEST: Final = 2**53 - 1


@lru_cache(maxsize=1)
def unit_names() -> Mapping[str, str]:
    """Return the units by their names in words, normalised."""
    return {
        name: unit
        for unit, names in load_glossary().tables["units"].items()
        for name in phrases(names)
    }


def noted_unit(description: str) -> str | None:
    """Return the unit that a parameter's description ends with: ``(unit: degF)``."""
    found = _NOTE.search(description)
    return found.group(1).strip() if found else None


def suffix_unit(field: str) -> str | None:
    """Return the unit that ends a field's name, as in ``weight_lb``; no one-letter units."""
    stem, _, last = field.rpartition("_")
    return unit_names().get(last.casefold()) if stem and len(last) > 1 else None


@lru_cache(maxsize=4096)
def convert(value: float, source: str, target: str) -> float | None:
    """Convert a value between units, or return None when they do not measure the same.

    A unit that Pint does not know, a currency say, converts to itself only.
    """
    if source == target:
        return value
    if not (_UNIT_TEXT.fullmatch(source) and _UNIT_TEXT.fullmatch(target)):
        return None
    try:
        return pint_convert(value, source, target)
    except UnknownUnitError:
        return None


def rounded(value: float, digits: int) -> float | int | None:
    """Round to significant digits; integral values become integers, the unwritable None."""
    if not abs(value) <= _LARGEST:  # also refuses NaN
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() else short
