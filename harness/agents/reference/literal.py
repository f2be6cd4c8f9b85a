"""Literals of a query: quoted texts, dates, times, addresses, numbers and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from harness.agents.reference.dates import find_dates, find_months, find_times
from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.quantity import unit_names
from harness.agents.reference.words import normalise, tokens

LiteralKind = Literal["quoted", "email", "date", "month", "time", "number", "count", "name"]

_QUOTES: Final = (
    r"\"([^\"\n]+)\"",
    r"“([^”\n]+)[”“]",
    r"„([^“”\n]+)[“”]",
    r"«\s?([^»\n]+?)\s?»",
    r"»([^«\n]+)«",
    r"「([^」\n]+)」",
    r"『([^』\n]+)』",
    r"(?<![A-Za-z0-9])['‘‚]([^'’‘\n]+)['’‘](?![A-Za-z0-9])",
)
_EMAIL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_NUMBER: Final = re.compile(
    r"(?<![A-Za-z0-9_./:#@])(?<![A-Za-z0-9_]-)"
    r"(?P<minus>(?:minus|menos|영하|氷点下|マイナス)\s*|[-−](?=\d))?"
    r"(?P<digits>\d+(?:[.,]\d+)*)(?P<myriad>[만万])?"
)
_LATIN: Final = r"A-Za-z0-9À-ɏ"
_WORD: Final = rf"[A-ZÄÖÜÁÉÍÓÚÑ][{_LATIN}'’&.-]*[{_LATIN}]"
_NAME: Final = re.compile(rf"(?<![{_LATIN}_-]){_WORD}(?:\s+{_WORD})*")
_SCALE_BEFORE: Final = 8
_LONGEST_COUNT: Final = 7
"""Digits of a plain number; longer ones are identifiers."""
_EXACT: Final = 4
"""Characters of a number that is hardly equal to another by chance."""
_UNIT_WINDOW: Final = 32


@dataclass(frozen=True)
class LiteralValue:
    """A literal of the query and where it stands."""

    kind: LiteralKind
    value: Any
    start: int
    end: int
    unit: str | None = None
    money: bool = False
    """Whether a currency stands beside a number."""

    @property
    def looks_like_identifier(self) -> bool:
        """Whether a number is one only in form: long, and without unit or marks."""
        digits = self.end - self.start
        return self.unit is None and isinstance(self.value, int) and digits > _LONGEST_COUNT

    @property
    def looks_exact(self) -> bool:
        """Whether a number is so particular that an equal one is hardly there by chance."""
        return not self.looks_like_identifier and self.end - self.start >= _EXACT

    @property
    def key(self) -> str:
        """Stands for this occurrence."""
        return f"{self.start}:{self.end}"


def find_literals(text: str, *, decimal_comma: bool) -> tuple[LiteralValue, ...]:
    """Return the literals of a text in order of appearance.

    Parameters
    ----------
    text
        The query.
    decimal_comma
        Whether its language writes 12,5 and 1.250.
    """
    taken = [False] * len(text)

    def free(start: int, end: int) -> bool:
        if any(taken[start:end]):
            return False
        taken[start:end] = [True] * (end - start)
        return True

    found = [item for item in _quoted(text) if free(item.start, item.end)]
    for match in _EMAIL.finditer(text):
        if free(match.start(), match.end()):
            found.append(LiteralValue("email", match.group(), match.start(), match.end()))
    for value, start, end in find_dates(text):
        if free(start, end):
            found.append(LiteralValue("date", value, start, end))
    for value, start, end in find_months(text):
        if free(start, end):
            found.append(LiteralValue("month", value, start, end))
    for value, start, end in find_times(text):
        if free(start, end):
            found.append(LiteralValue("time", value, start, end))
    found += [item for item in _numbers(text, decimal_comma) if free(item.start, item.end)]
    found += [item for item in _number_words(text) if free(item.start, item.end)]
    found += [item for item in _names(text) if free(item.start, item.end)]
    return tuple(sorted(found, key=lambda item: (item.start, item.end)))


def _quoted(text: str) -> Iterator[LiteralValue]:
    for pattern in _QUOTES:
        for match in re.finditer(pattern, text):
            if match.group(1).strip():
                yield LiteralValue("quoted", match.group(1).strip(), match.start(), match.end())


def _numbers(text: str, decimal_comma: bool) -> Iterator[LiteralValue]:
    for match in _NUMBER.finditer(text):
        value = parse_number(match["digits"], decimal_comma=decimal_comma)
        if value is None:
            continue
        value *= 10_000 if match["myriad"] else 1
        value = -value if match["minus"] else value
        unit, end = _unit_after(text, match.end())
        if unit is None and re.match(r"[A-Za-z_]|[-/:.]\w", text[match.end() :]):
            continue  # the beginning of an identifier, a ratio or a version
        if unit == "degC" or unit is None:
            unit = _scale_before(text[max(0, match.start() - _SCALE_BEFORE) : match.start()], unit)
        money = unit is None and _is_money(text[: match.start()], text[match.end() :])
        yield LiteralValue("number", value, match.start(), end, unit, money)


@lru_cache(maxsize=1)
def _currencies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = load_glossary().tables["values"]["currency"]
    names = sorted({name for cell in table.values() for name in phrases(cell)})
    body = "|".join(map(re.escape, names))
    return re.compile(rf"(?:{body})\s?$"), re.compile(rf"\s?(?:{body}|원)(?![a-z])")


def _is_money(before: str, after: str) -> bool:
    leading, following = _currencies()
    near_before = normalise(before[-_UNIT_WINDOW:])
    near_after = normalise(after[:_UNIT_WINDOW])
    return bool(leading.search(near_before) or following.match(near_after))


def parse_number(digits: str, *, decimal_comma: bool) -> float | int | None:
    """Return the value of digits with decimal and thousands marks, or None if they make none.

    A lone mark before exactly three digits is a thousands mark, if the language uses it so.
    """
    decimal = "," if decimal_comma else "."
    group = "." if decimal_comma else ","
    if decimal in digits and group in digits:
        decimal = max(".,", key=digits.rfind)
        group = "." if decimal == "," else ","
    elif group in digits and not re.fullmatch(rf"\d{{1,3}}(?:{re.escape(group)}\d{{3}})+", digits):
        decimal, group = group, decimal
    plain = digits.replace(group, "").replace(decimal, ".")
    try:
        return float(plain) if "." in plain else int(plain)
    except ValueError:
        return None


@lru_cache(maxsize=1)
def _unit_pattern() -> re.Pattern[str]:
    names = sorted(unit_names(), key=lambda name: (-len(name), name))
    # A Latin unit ends at a letter or digit of its script; "5kg짜리" still holds one.
    body = "|".join(re.escape(name).replace(r"\ ", r"\s") for name in names)
    return re.compile(rf"[\s\u00a0-]?({body})(?![a-z0-9\u00c0-\u024f])")


def _unit_after(text: str, position: int) -> tuple[str | None, int]:
    """Return the unit after a number, and where it ends."""
    # The ordinal sign that stands for a degree sign would become the letter o.
    window = text[position : position + _UNIT_WINDOW].replace("º", "°")
    match = _unit_pattern().match(normalise(window))
    if match is None:
        return None, position
    # Normal forms may be longer than what they stand for, as of "℃": measure in the text.
    length = next(n for n in range(len(window) + 1) if len(normalise(window[:n])) >= match.end())
    return unit_names()[re.sub(r"\s", " ", match.group(1))], position + length


def _scale_before(before: str, unit: str | None) -> str | None:
    plain = normalise(before)
    for scale, names in load_glossary().tables["temperature_scale"].items():
        if any(plain.rstrip().endswith(name) for name in phrases(names)):
            return str(scale)
    return unit


def _number_words(text: str) -> Iterator[LiteralValue]:
    plain = normalise(text)
    if len(plain) != len(text):
        return
    for value, names in load_glossary().tables["number_words"].items():
        for name in phrases(names):
            edge = r"(?![a-z0-9])" if name.isascii() else ""
            for match in re.finditer(rf"(?<![a-z0-9]){re.escape(name)}{edge}", plain):
                yield LiteralValue("count", int(value), match.start(), match.end())


def _names(text: str) -> Iterator[LiteralValue]:
    glossary = load_glossary()
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip()
        words_found = tokens(normalise(match.group()))
        # Every German noun has a capital; one that the glossary knows is no name.
        unknown = any(n.startswith("w:") for n in glossary.concepts(match.group(), ("en", "de")))
        stop = any(word in words for words in glossary.stopwords.values() for word in words_found)
        first = not before or before[-1] in ".!?¿¡:\n"
        if unknown and not (first or stop or re.search(r"\d", match.group())):
            yield LiteralValue("name", match.group(), match.start(), match.end())
