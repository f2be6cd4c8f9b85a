"""Observations: every scalar with its field, its record and its unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from harness.agents.reference.conversation import read_object
from harness.agents.reference.glossary import load_glossary
from harness.agents.reference.quantity import suffix_unit

_DEEPEST: Final = 24
_MOST: Final = 2_000
_LARGEST: Final = 2**53 - 1

Scalar = str | int | float | bool


@dataclass(frozen=True, eq=False)
class Record:
    """An object of an observation, or an element of an array of scalars."""

    array: str
    """Pointer, with positions, of the array that it stands in; empty outside arrays."""
    index: int
    fields: dict[str, Scalar] = field(default_factory=dict)
    """Its scalars by name, those of objects inside it too."""
    units: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Leaf:
    """A scalar of an observation."""

    attempt: int
    pointer: str
    """Path without positions, such as ``items[].order_id``."""
    name: str
    value: Scalar
    unit: str | None
    records: tuple[Record, ...]
    """The array elements around it, the outermost first."""

    key: str
    """Stands for this occurrence."""
    owner: str
    """Stands for the object that it is a field of."""
    stem: str
    """The field's name without the mark of the plural."""
    concepts: frozenset[str]
    """Concepts of the field's name and its parent's."""


@lru_cache(maxsize=256)
def walk(position: int, content: str) -> tuple[Leaf, ...]:
    """Return the scalars of an answer's observation in document order.

    Parameters
    ----------
    position
        Position of the attempt that was answered.
    content
        The tool message. The result is kept by it, as it depends on nothing else.
    """
    answer = read_object(content)
    units = answer.get("units")
    known = {
        pointer: unit
        for pointer, unit in (units.items() if isinstance(units, Mapping) else ())
        if isinstance(unit, str)
    }
    return tuple(islice(_walk(answer.get("observation"), position, known, "", "", ()), _MOST))


def _walk(
    node: Any,
    attempt: int,
    units: Mapping[str, str],
    pointer: str,
    place: str,
    records: tuple[Record, ...],
    depth: int = 0,
) -> Iterator[Leaf]:
    if depth > _DEEPEST:
        return
    if isinstance(node, Mapping):
        for key, child in node.items():
            below = f"{pointer}.{key}" if pointer else key
            yield from _walk(child, attempt, units, below, f"{place}/{key}", records, depth + 1)
    elif isinstance(node, list):
        for index, child in enumerate(node):
            record = Record(place, index)
            yield from _walk(
                child,
                attempt,
                units,
                f"{pointer}[]",
                f"{place}/{index}",
                (*records, record),
                depth + 1,
            )
    elif is_writable(node):
        name = pointer.rsplit(".", 1)[-1].removesuffix("[]")
        unit = units.get(pointer) or suffix_unit(name)
        for record in records[-1:]:
            record.fields[name] = node
            if unit:
                record.units[name] = unit
        stem, concepts = _field(pointer)
        key = f"{attempt}|{place}"
        owner = key.rpartition("/")[0]
        yield Leaf(attempt, pointer, name, node, unit, records, key, owner, stem, concepts)


@lru_cache(maxsize=4096)
def _field(pointer: str) -> tuple[str, frozenset[str]]:
    parts = pointer.replace("[]", "").split(".")
    return singular(parts[-1]), frozenset(load_glossary().english(" ".join(parts[-2:])))


def singular(name: str) -> str:
    """Return a name without the mark of the plural, so that shipment_ids is shipment_id."""
    return name.removesuffix("s")


def is_writable(value: object) -> bool:
    """Whether a scalar has a canonical JSON form, so that it can be an argument."""
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, bool):
        return True
    return isinstance(value, int | float) and abs(value) <= _LARGEST
