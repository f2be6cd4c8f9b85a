"""From a strict YAML document to a validated record, with errors that name file, line and field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from surface.document import Document, NodePath
from surface.error import SurfaceError
from surface.yaml import read_yaml


class Record(BaseModel):
    """Base of the records that YAML files are read into: frozen, no unknown keys, no coercion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


_EXPECTED: Final = {
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
}
"""What the validators of types ask for, in the words of someone who writes the files."""
_SUBJECTS: Final = {
    "Input": "The value",
    "String": "The text",
    "List": "The list",
    "Tuple": "The list",
    "Dictionary": "The mapping",
    "Value": "The value",
}

R = TypeVar("R", bound=BaseModel)


def one_of(value: Any, known: Sequence[str | int]) -> Any:
    """Return a value that is one of those known, of the same type.

    Raises
    ------
    ValueError
        If it is none of them; the message lists them.
    """
    if not any(type(value) is type(item) and value == item for item in known):
        *others, last = (repr(item) for item in known)
        listed = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"the value should be {listed}")
    return value


def read_record(
    path: Path,
    model: type[R],
    *,
    root: Path | None = None,
    context: Mapping[str, Any] | None = None,
) -> tuple[R, Document]:
    """Read a file into a record.

    Parameters
    ----------
    path
        The YAML file.
    model
        The record's type.
    root
        Folder that the file's name is shown relative to in errors.
    context
        What the record's validators need to know beside the file.

    Returns
    -------
    tuple
        The record and the document it came from, for errors found later.

    Raises
    ------
    SurfaceError
        For the first thing that is wrong, with file, line and field.
    """
    document = read_yaml(path, root=root)
    try:
        return model.model_validate(document.data, strict=True, context=context), document
    except ValidationError as error:
        raise _explain(error, document) from error


def _explain(error: ValidationError, document: Document) -> SurfaceError:
    deepest = max(len(_real(item["loc"], document)) for item in error.errors())
    here = [item for item in error.errors() if len(_real(item["loc"], document)) == deepest]
    first = min(here, key=lambda item: item["type"])
    path = _real(first["loc"], document)
    if not path and document.data is None:
        return document.error("The file is empty.", "Restore it.")
    if first["type"] == "extra_forbidden":
        return document.error(
            f"The key {first['loc'][-1]!r} does not exist here.", "Remove or correct it.", path
        )
    if first["type"] == "missing":
        return document.error(f"The key {first['loc'][-1]!r} is missing.", "Add it.", path)
    expected = dict.fromkeys(
        _EXPECTED[item["type"]]
        for item in here
        if _real(item["loc"], document) == path and item["type"] in _EXPECTED
    )
    message = f"{' or '.join(expected)} is expected here" if expected else in_words(first["msg"])
    return document.error(f"{message[:1].upper()}{message[1:]}.", "Correct the value.", path)


def in_words(message: str) -> str:
    """Return a validator's message without the words of the library and without a full stop."""
    message = message.removeprefix("Value error, ").removesuffix(" after validation").rstrip(".")
    for theirs, ours in _SUBJECTS.items():
        if message.startswith(f"{theirs} should "):
            message = ours + message.removeprefix(theirs)
    return message.replace(" after validation", "")


def _real(location: tuple[str | int, ...], document: Document) -> NodePath:
    """Return the longest part of an error's location that stands in the document.

    Validators of unions add names of types to a location; these are skipped.
    """
    path: NodePath = ()
    for part in location:
        if (*path, part) in document.lines:
            path = (*path, part)
    return path
