"""The vocabulary: each semantic id once, with its type, unit, dimension and an example."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jsonschema
from jsonschema import Draft202012Validator
from pydantic import Field

from surface.document import Document
from surface.record import Record, read_record
from surface.unit import UnknownUnitError, dimensionality

_SEMANTIC_ID: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+\Z")


class Term(Record):
    """What a value means, wherever it stands."""

    description: str = Field(min_length=3)
    """A short noun phrase; parameters that use the term are described by it."""
    json_schema: dict[str, Any] = Field(alias="schema")
    unit: str | None = None
    dimension: str | None = None
    identifier: bool = False
    common: bool = False
    """An identifier that many endpoints produce and consume; its counts are checked."""
    example: Any


class _File(Record):
    terms: dict[str, Term]


@dataclass(frozen=True)
class Vocabulary:
    """The terms by semantic id."""

    terms: Mapping[str, Term]

    def __getitem__(self, semantic_id: str) -> Term:
        return self.terms[semantic_id]

    def __contains__(self, semantic_id: object) -> bool:
        return semantic_id in self.terms


def load_vocabulary(path: Path, *, root: Path | None = None) -> Vocabulary:
    """Read and check a vocabulary file.

    Raises
    ------
    SurfaceError
        If a term is malformed: an invalid JSON Schema, an example that does not match, a unit that
        does not exist, a dimension that mixes units which do not convert.
    """
    record, document = read_record(path, _File, root=root)
    measures: dict[str, str] = {}
    for semantic_id, term in record.terms.items():
        _check(semantic_id, term, measures, document)
    return Vocabulary(record.terms)


def _check(semantic_id: str, term: Term, measures: dict[str, str], document: Document) -> None:
    place = ("terms", semantic_id)
    if not _SEMANTIC_ID.match(semantic_id):
        raise document.error(
            f"{semantic_id!r} is not a semantic id.", "Use dotted lower case.", place
        )
    if term.identifier != semantic_id.endswith(".id"):
        raise document.error(
            "Identifiers end in '.id' and nothing else does.",
            "Rename the term or correct 'identifier'.",
            place,
        )
    if term.common and not term.identifier:
        raise document.error(
            "Only an identifier can be common.", "Remove 'common'.", (*place, "common")
        )
    try:
        Draft202012Validator.check_schema(term.json_schema)
    except jsonschema.SchemaError as error:
        raise document.error(
            f"This is not a JSON Schema ({error.message}).", "Correct it.", (*place, "schema")
        ) from error
    problem = next(Draft202012Validator(term.json_schema).iter_errors(term.example), None)
    if problem is not None:
        raise document.error(
            f"The example does not match the schema ({problem.message}).",
            "Correct one of the two.",
            (*place, "example"),
        )
    if (term.unit is None) != (term.dimension is None):
        raise document.error("Unit and dimension go together.", "Give both or neither.", place)
    if term.unit is not None and term.dimension is not None:
        try:
            measured = dimensionality(term.unit)
        except UnknownUnitError as error:
            raise document.error(
                f"{error}.", "Use a unit that Pint knows.", (*place, "unit")
            ) from error
        if measures.setdefault(term.dimension, measured) != measured:
            raise document.error(
                f"Dimension {term.dimension!r} mixes {measures[term.dimension]} and {measured}.",
                "Give the two different dimensions.",
                (*place, "dimension"),
            )
