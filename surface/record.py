"""From a strict YAML document to a validated record, with errors that name file, line and field."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from surface.document import Document, NodePath
from surface.error import SurfaceError
from surface.yaml import read_yaml


class Record(BaseModel):
    """Base of the records that YAML files are read into: frozen, no unknown keys, no coercion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


R = TypeVar("R", bound=BaseModel)


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
    first = min(error.errors(), key=lambda item: (-len(_real(item["loc"], document)), item["type"]))
    path = _real(first["loc"], document)
    if first["type"] == "extra_forbidden":
        return document.error(
            f"The key {first['loc'][-1]!r} does not exist here.", "Remove or correct it.", path
        )
    if first["type"] == "missing":
        return document.error(f"The key {first['loc'][-1]!r} is missing.", "Add it.", path)
    message = first["msg"].removeprefix("Value error, ").rstrip(".")
    return document.error(f"{message[:1].upper()}{message[1:]}.", "Correct the value.", path)


def _real(location: tuple[str | int, ...], document: Document) -> NodePath:
    """Return the longest part of an error's location that stands in the document.

    Validators of unions add names of types to a location; these are skipped.
    """
    path: NodePath = ()
    for part in location:
        if (*path, part) in document.lines:
            path = (*path, part)
    return path
