"""Reading a JSON Schema: checked, copied, its references followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from router.interchange.budget import MAX_DEPTH, Budget
from router.interchange.extension import TYPING, read_keyword
from router.interchange.place import Place

__all__ = ["SchemaReader", "as_object"]

_SCHEMA: Final = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if",
        "items", "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
"""Keywords whose value is a schema; ``items`` held an array of schemas before 2020-12."""

_SCHEMAS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SCHEMAS_BY_NAME: Final = frozenset(
    {"dependencies", "dependentSchemas", "patternProperties", "properties"}
)

# Nothing refers to these once references are followed, and a copy must not carry a second name.
_NAMES: Final = frozenset({"$anchor", "$defs", "$dynamicAnchor", "$id", "definitions"})
_UNKNOWABLE: Final = frozenset({"$dynamicRef", "$recursiveRef"})

_NOTES: Final = frozenset(
    {
        "$comment", "$schema", "default", "deprecated", "description", "example", "examples",
        "readOnly", "title", "writeOnly",
    }
)  # fmt: skip
"""Keywords that beside a reference describe it and restrict nothing."""


class SchemaReader:
    """Reads schemas of one document.

    Only references into the same document are followed: nothing is fetched. What a reference
    repeats counts each time, and a reference to what contains it is refused.

    Parameters
    ----------
    document
        The whole document: where JSON pointers in references start.
    budget
        What may still be read; readers of one import share it.
    """

    def __init__(self, document: Place, budget: Budget) -> None:
        self.document = document
        self._budget = budget

    def read(self, place: Place) -> dict[str, Any]:
        """A copy of a schema as an object: ``true`` is the empty schema.

        Raises
        ------
        InterchangeError
            When it is no schema, has a reference that is remote, missing or circular, typing of
            the wrong kind, or is larger than the bounds.
        """
        return as_object(self._schema(place, 0, (), False))

    def resolve(self, place: Place) -> Place:
        """Where a Reference Object leads; the place itself where it is none.

        Raises
        ------
        InterchangeError
            When a reference is remote, missing or circular.
        """
        seen: set[str] = set()
        while "$ref" in place.mapping():
            self._budget.spend(place, len(seen))
            target = self._target(place)
            if target.pointer in seen:
                raise _circular(place)
            seen.add(target.pointer)
            place = target
        return place

    def _schema(
        self, place: Place, depth: int, active: tuple[str, ...], embedded: bool
    ) -> dict[str, Any] | bool:
        self._budget.spend(place, depth)
        if isinstance(place.value, bool):
            return place.value
        embedded = embedded or ("$id" in place.mapping() and place.keys != self.document.keys)
        if "$ref" in place.mapping():
            return self._referred(place, depth, active, embedded)
        return {
            key: self._member(key, member, depth + 1, active, embedded)
            for key, member in place.members()
            if key not in _NAMES
        }

    def _member(
        self, key: str, place: Place, depth: int, active: tuple[str, ...], embedded: bool
    ) -> Any:
        several = key == "items" and isinstance(place.value, list)
        if key in _SCHEMA and not several:
            return self._schema(place, depth, active, embedded)
        if key in _SCHEMAS or several:
            self._budget.spend(place, depth)
            return [self._schema(item, depth + 1, active, embedded) for item in place.items()]
        if key in _SCHEMAS_BY_NAME:
            self._budget.spend(place, depth)
            return {
                # A dependency is a schema, or a list of names.
                name: member.data(self._budget, depth + 1)
                if key == "dependencies" and isinstance(member.value, list)
                else self._schema(member, depth + 1, active, embedded)
                for name, member in place.members()
            }
        if key in _UNKNOWABLE:
            raise place.error(
                f"What {key!r} leads to depends on who refers here.", "Use '$ref' instead."
            )
        if key in TYPING:
            return read_keyword(key, place)
        if key == "description":
            return place.text()
        if key == "required":
            return [item.text() for item in place.items()]
        return place.data(self._budget, depth)

    def _referred(
        self, place: Place, depth: int, active: tuple[str, ...], embedded: bool
    ) -> dict[str, Any] | bool:
        if embedded:
            raise place.error(
                "A reference stands in a schema with an '$id' of its own.", "Leave out the '$id'."
            )
        target = self._target(place)
        if target.pointer in active:
            raise _circular(place)
        found = self._schema(target, depth + 1, (*active, target.pointer), False)
        beside = {key: value for key, value in place.mapping().items() if key != "$ref"}
        if not beside:
            return found
        rest = as_object(self._schema(Place(beside, place.keys), depth + 1, active, False))
        if all(key in _NOTES or str(key).startswith("x-") for key in rest):
            return {**as_object(found), **rest}
        return {"allOf": [found, rest]}

    def _target(self, place: Place) -> Place:
        reference = place.need("$ref").text()
        if not reference.startswith("#"):
            raise place.error(
                f"The reference {reference[:80]!a} leads out of the document.", "Bundle it first."
            )
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            raise place.error(
                f"The reference {reference[:80]!a} is no JSON pointer.", "Write it as a pointer."
            )
        target = self.document
        for token in fragment.split("/", MAX_DEPTH)[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            value = target.value
            if isinstance(value, dict) and key in value:
                target = target.child(key, value[key])
            elif isinstance(value, list) and _is_index(key) and int(key) < len(value):
                target = target.child(key, value[int(key)])
            else:
                raise place.error(
                    f"The reference {reference[:80]!a} leads nowhere.", "Add what it names."
                )
        return target


def as_object(schema: Mapping[str, Any] | bool) -> dict[str, Any]:
    """A schema as an object: true allows everything, false nothing."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return dict(schema)


def _is_index(key: str) -> bool:
    return key.isascii() and key.isdigit() and len(key) < 10 and (key == "0" or key[0] != "0")


def _circular(place: Place) -> Exception:
    return place.error("A reference leads back to what contains it.", "Cut the circle.")
