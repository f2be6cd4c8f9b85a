"""Manifests: what pins a study, and what says that a shard is finished."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from harness.agents.protocol import Evidence
from harness.config import MAX_SHARDS
from harness.disk import read_file, write_whole
from harness.error import IntegrityError
from harness.schema import SCHEMA_VERSION
from harness.strict_json import strict_json
from router.canonical import canonical_json
from surface.record import in_words

Sha256 = Field(pattern=r"^[0-9a-f]{64}$")

LARGEST_RECORD: Final = 4 * 2**20
"""Bytes; records of real studies take a few thousand."""

DEEPEST_RECORD: Final = 32
"""Levels of nesting; records of real studies have five."""


class Record(BaseModel):
    """A JSON file of this version: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    remedy: ClassVar[str]
    """What to do about a damaged one."""

    schema_version: Literal[2] = SCHEMA_VERSION

    @field_validator("schema_version", mode="before")
    @classmethod
    def _is_whole(cls, value: object) -> object:
        # `true` and 1.0 equal 1, and a literal asks for no more.
        if type(value) is not int:
            raise ValueError("the version should be a whole number")
        return value


class StudyRecord(Record):
    """What the first shard pins: every later command holds itself to it."""

    remedy = "Restore the file, or run the study again in another results folder."

    study: str
    split: str
    identity: str = Sha256
    shards: int = Field(ge=1, le=MAX_SHARDS)
    agent: Mapping[str, Any]
    evidence: Evidence
    development: bool
    components: Mapping[str, str]
    """SHA-256 of everything that the identity covers, by component."""
    config: Mapping[str, Any]
    """The protocol and identity keys of the configuration."""


class TableEntry(BaseModel):
    """A table of a shard."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: int = Field(ge=0)
    sha256: str = Sha256
    """Of the file."""


class Manifest(Record):
    """A finished shard."""

    remedy = "Restore the file, or remove it and run the shard again."

    study: str
    identity: str = Sha256
    shard_index: int = Field(ge=0)
    shard_count: int = Field(ge=1, le=MAX_SHARDS)
    rows: int = Field(ge=0)
    """Episodes of the shard."""
    sha256: str = Sha256
    """Of the episodes table's file."""
    logical_digest: str = Sha256
    """Of the content of all tables, timing columns left out."""
    tables: Mapping[str, TableEntry]
    attempt: int = Field(ge=1)
    environment: Mapping[str, str]


R = TypeVar("R", bound=Record)


def write_record(path: Path, record: Record, *, exclusive: bool = False) -> None:
    """Write a record as canonical JSON, whole or not at all; see `write_whole`."""
    content = record_bytes(record)
    write_whole(path, lambda stream: stream.write(content), exclusive=exclusive)


def record_bytes(record: Record) -> bytes:
    """Return a record as its file holds it: canonical JSON and a line break."""
    return canonical_json(record.model_dump(mode="json")) + b"\n"


def read_record(path: Path, model: type[R]) -> R:
    """Read a record.

    Raises
    ------
    IntegrityError
        If the file is missing, is not JSON, or is not such a record.
    OSError
        If the system refuses.
    """
    return parse_record(read_file(path, limit=LARGEST_RECORD, remedy=model.remedy), model, path)


def parse_record(content: bytes, model: type[R], path: Path | str) -> R:
    """Return the record that a file holds.

    Parameters
    ----------
    content
        Of the file.
    model
        What it has to be.
    path
        How messages name it.

    Raises
    ------
    IntegrityError
        If it is not JSON, or is not such a record.
    """
    try:
        strict_json(content, deepest=DEEPEST_RECORD)
        return model.model_validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        why = in_words(first["msg"])
        raise IntegrityError(
            f"{path} is not a record of this version: {where}: {why[:1].lower()}{why[1:]}.",
            model.remedy,
        ) from error
    except ValueError as error:
        raise IntegrityError(f"{path} is not valid JSON ({error}).", model.remedy) from error
