"""Listings: the endpoints of a service file, turned into contracts with the vocabulary's help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from jsonschema import Draft202012Validator
from pydantic import Field, ValidationInfo, field_validator

from router.contract import EndpointSpec, FieldSpec, ParameterSpec
from surface.composition import (
    example_observation,
    field_example,
    field_schema,
    input_schema,
    output_schema,
)
from surface.document import Document, NodePath
from surface.record import Record, one_of
from surface.unit import UnknownUnitError, dimensionality
from surface.vocabulary import Vocabulary

SIZES: Final = (100, 250, 500)
"""The catalogs of the 0.14 study, smallest first: the tiers that an endpoint may have."""

NAME: Final = re.compile(r"[a-z][a-z0-9_]*\Z")
_POINTER: Final = re.compile(r"[a-z][a-z0-9_]*(\[\])?(\.[a-z][a-z0-9_]*(\[\])?)*\Z")
_NOT_FIELDS: Final = frozenset({"status", "error"})


class _Use(Record):
    """A term at one place: as a parameter or as an output field."""

    term: str
    unit: str | None = None
    required: bool = True
    many: bool = False
    qualifiers: dict[str, str] = Field(default_factory=dict)
    description: str | None = None


class Entry(Record):
    """An endpoint as it is written."""

    name: str
    tier: int
    effect: Literal["read", "write", "destructive"]
    description: str = Field(min_length=10)
    parameters: dict[str, str | _Use] = Field(default_factory=dict)
    outputs: dict[str, str | _Use] = Field(default_factory=dict)
    example: dict[str, Any] | None = None

    @field_validator("tier", mode="before")
    @classmethod
    def _of_a_catalog(cls, value: Any, info: ValidationInfo) -> Any:
        return one_of(value, (info.context or {}).get("tiers", SIZES))


@dataclass(frozen=True)
class Listing:
    """An endpoint as a service file lists it."""

    route: str
    tier: int
    """The smallest catalog that holds it."""
    endpoint: EndpointSpec
    example: Mapping[str, Any] | None
    """What a call off the task's path answers; None where the endpoint has no output fields."""


@dataclass(frozen=True)
class Reader:
    """Turns one endpoint of a service file into its contract."""

    vocabulary: Vocabulary
    document: Document
    place: NodePath

    def listing(self, service: str, item: Entry) -> Listing:
        """Return the endpoint with its contract and example."""
        parameters = tuple(self.parameter(name, use) for name, use in item.parameters.items())
        outputs = self.outputs(item)
        fields = tuple(self.field(pointer, use) for pointer, use in outputs.items())
        endpoint = EndpointSpec(
            name=item.name,
            description=("Destructive: " if item.effect == "destructive" else "")
            + item.description,
            parameters=parameters,
            input_schema=input_schema(parameters),
            output_fields=fields,
            output_schema=output_schema(fields),
            read_only=item.effect == "read",
            destructive=item.effect == "destructive",
        )
        return Listing(
            f"{service}.{item.name}", item.tier, endpoint, self.example(item, outputs, endpoint)
        )

    def parameter(self, name: str, use: str | _Use) -> ParameterSpec:
        """Return a parameter; unit and qualifiers stand in its description."""
        place = (*self.place, "parameters", name)
        if not NAME.match(name):
            raise self.document.error(f"{name!r} is not a valid name.", "Use lower case.", place)
        use, unit = self.resolve(use, place)
        term = self.vocabulary[use.term]
        notes = [f"unit: {unit}"] if unit else []
        notes += [f"{key}: {value}" for key, value in sorted(use.qualifiers.items())]
        description = use.description or term.description
        return ParameterSpec(
            name=name,
            description=description + (f" ({', '.join(notes)})" if notes else ""),
            required=use.required,
            json_schema=field_schema(term, unit, many=use.many),
            semantic_id=use.term,
            unit=unit,
            dimension=term.dimension,
            qualifiers=use.qualifiers,
            identifier=term.identifier,
        )

    def outputs(self, item: Entry) -> dict[str, str | _Use]:
        """Return the uses by pointer; a field cannot be both a value and an object or array."""
        found: dict[str, str | _Use] = {}
        shapes: dict[tuple[str, ...], tuple[bool, bool]] = {}
        for key, use in item.outputs.items():
            pointer = self.pointer(key, use)
            keys = pointer.split(".")
            for end in range(1, len(keys) + 1):
                names = tuple(part.removesuffix("[]") for part in keys[:end])
                shape = (end == len(keys), keys[end - 1].endswith("[]"))
                if shapes.setdefault(names, shape) != shape or pointer in found:
                    raise self.document.error(
                        f"The field {'.'.join(names)!r} is declared in two ways.",
                        "Give one of the two another name.",
                        (*self.place, "outputs", key),
                    )
            found[pointer] = use
        return found

    def pointer(self, key: str, use: str | _Use) -> str:
        """Return the registered pointer of an output; that of a repeated value ends in ``[]``."""
        place = (*self.place, "outputs", key)
        if not _POINTER.match(key):
            raise self.document.error(
                f"{key!r} is not a path of fields.", "Write it like items[].order_id.", place
            )
        many = not isinstance(use, str) and use.many
        pointer = f"{key}[]" if many and not key.endswith("[]") else key
        if _NOT_FIELDS & {part.removesuffix("[]") for part in pointer.split(".")}:
            raise self.document.error(
                "'status' and 'error' describe a turn, not its data.", "Rename the field.", place
            )
        return pointer

    def field(self, pointer: str, use: str | _Use) -> FieldSpec:
        """Return an output field."""
        key = pointer.removesuffix("[]") if not isinstance(use, str) and use.many else pointer
        use, unit = self.resolve(use, (*self.place, "outputs", key))
        term = self.vocabulary[use.term]
        path = tuple(pointer.split("."))
        return FieldSpec(
            name=path[-1].removesuffix("[]"),
            semantic_id=use.term,
            description=use.description or term.description,
            json_schema=field_schema(term, unit, many=False),
            path=path,
            unit=unit,
            dimension=term.dimension,
            qualifiers=use.qualifiers,
            identifier=term.identifier,
        )

    def resolve(self, use: str | _Use, place: NodePath) -> tuple[_Use, str | None]:
        """Return the use in its long form, and its unit."""
        use = _Use(term=use) if isinstance(use, str) else use
        if use.term not in self.vocabulary:
            raise self.document.error(
                f"The vocabulary has no term {use.term!r}.", "Add it or correct the name.", place
            )
        term = self.vocabulary[use.term]
        if use.unit is None:
            return use, term.unit
        try:
            fits = term.unit is not None and dimensionality(use.unit) == dimensionality(term.unit)
        except UnknownUnitError as error:
            raise self.document.error(f"{error}.", "Use a unit that Pint knows.", place) from error
        if not fits:
            raise self.document.error(
                f"{use.unit!r} does not measure what {use.term!r} does.", "Correct the unit.", place
            )
        return use, use.unit

    def example(
        self, item: Entry, outputs: Mapping[str, str | _Use], endpoint: EndpointSpec
    ) -> Mapping[str, Any] | None:
        """Return the endpoint's own example, or one composed of its terms' examples."""
        if not outputs:
            if item.example is not None:
                raise self.document.error(
                    "An endpoint without outputs has no example.",
                    "Remove it or declare the outputs.",
                    (*self.place, "example"),
                )
            return None
        example = item.example
        if example is None:
            example = example_observation(
                {
                    field.pointer: field_example(self.vocabulary[field.semantic_id], field.unit)
                    for field in endpoint.output_fields
                    if field.semantic_id is not None
                }
            )
        problem = next(Draft202012Validator(endpoint.output_schema).iter_errors(example), None)
        if problem is not None:
            raise self.document.error(
                f"The example does not match the outputs ({problem.message}).",
                "Correct the example or the outputs.",
                (*self.place, "example"),
            )
        return example
