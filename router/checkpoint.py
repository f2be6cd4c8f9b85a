"""Checkpoints of session state: text that a host stores and may get back damaged or forged."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from router.canonical import sha256_hex

__all__ = [
    "CHECKPOINT_VERSION",
    "MAX_CHARACTERS",
    "MAX_MEMBERS",
    "CheckpointError",
    "checkpoint_digest",
    "read_checkpoint",
    "unversioned",
    "write_checkpoint",
]

CHECKPOINT_VERSION: Final = 1
"""The one version that is written; payloads without a version are the forms before it."""

MAX_CHARACTERS: Final = 4 * 1024 * 1024
"""Longest payload that is read, in characters. What is written never comes near it."""

MAX_MEMBERS: Final = 10_000
"""Most entries of a session."""

_MAX_DEPTH: Final = 8
_MAX_DIGITS: Final = 16
# Each entry takes at most two marks, a colon and a comma; the envelope takes a handful.
_MAX_MARKS: Final = 2 * MAX_MEMBERS + 64

# A string is one token whether or not it is closed, so that the scan is linear on any text.
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.?)*+"?|[\[\]{},:]', re.DOTALL)


class CheckpointError(ValueError):
    """A checkpoint that is damaged, forged, too large or of another version."""


def write_checkpoint(document: Any) -> str:
    """Serialise a checkpoint in its one canonical form.

    Parameters
    ----------
    document
        Objects, arrays, strings and integers.

    Returns
    -------
    str
        ASCII: keys sorted by code point, no white space, everything beyond ASCII escaped.

    Notes
    -----
    Not RFC 8785, which sorts by UTF-16 code unit and escapes less: payloads and digests are those
    that hosts have stored already, byte for byte.
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)


def checkpoint_digest(document: Any) -> str:
    """SHA-256 of the canonical form, as 64 lower-case hexadecimal digits."""
    return sha256_hex(write_checkpoint(document).encode("ascii"))


def read_checkpoint(payload: str, what: str) -> dict[str, Any]:
    """Parse a checkpoint within fixed bounds.

    Parameters
    ----------
    payload
        JSON text from anywhere.
    what
        What the checkpoint holds; names it in errors.

    Returns
    -------
    dict
        The object, without fractions and without integers of more than 16 digits. Nothing else
        about it is checked.

    Raises
    ------
    CheckpointError
        For whatever is not text, too long, too deep, has too many entries, is not a JSON object,
        repeats a key, or holds NaN, an infinity, a fraction or a huge integer.
    """
    if not isinstance(payload, str):
        raise CheckpointError(
            f"The checkpoint of {what} is {type(payload).__name__}, not text. "
            "Pass what `dumps` returned."
        )
    if len(payload) > MAX_CHARACTERS:
        raise CheckpointError(
            f"The checkpoint of {what} is longer than {MAX_CHARACTERS} characters. "
            "Start a new session."
        )
    _refuse_excess(payload, what)

    def refuse(text: str) -> NoReturn:
        raise CheckpointError(
            f"The checkpoint of {what} holds the number {text[:24]}. "
            "It holds integers of a few digits only; restore another one."
        )

    def integer(text: str) -> int:
        return refuse(text) if len(text) > _MAX_DIGITS else int(text)

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise CheckpointError(
                f"The checkpoint of {what} names a key twice. Restore another one."
            )
        return members

    try:
        document = json.loads(
            payload,
            object_pairs_hook=distinct,
            parse_int=integer,
            parse_float=refuse,
            parse_constant=refuse,
        )
    except json.JSONDecodeError as error:
        raise CheckpointError(
            f"The checkpoint of {what} is not JSON: {error.msg} at character {error.pos}. "
            "Restore another one."
        ) from error
    if not isinstance(document, dict):
        raise CheckpointError(
            f"The checkpoint of {what} is not a JSON object. Pass what `dumps` returned."
        )
    return document


def unversioned(document: dict[str, Any], what: str) -> dict[str, Any]:
    """The members of a checkpoint beside its version.

    Raises
    ------
    CheckpointError
        When the version is not :data:`CHECKPOINT_VERSION`.
    """
    version = document["schema_version"]
    # True equals 1, but is no version.
    if type(version) is not int or version != CHECKPOINT_VERSION:
        raise CheckpointError(
            f"The checkpoint of {what} has another version than {CHECKPOINT_VERSION}. "
            "Read it with the release that wrote it."
        )
    return {key: value for key, value in document.items() if key != "schema_version"}


def _refuse_excess(payload: str, what: str) -> None:
    """Refuse nesting and counts before anything is built from them."""
    depth = marks = 0
    for token in _TOKEN.finditer(payload):
        mark = token[0]
        if mark.startswith('"'):
            continue
        marks += 1
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if depth > _MAX_DEPTH:
            raise CheckpointError(
                f"The checkpoint of {what} is nested deeper than {_MAX_DEPTH}. Restore another one."
            )
        if marks > _MAX_MARKS:
            raise CheckpointError(
                f"The checkpoint of {what} has more than {MAX_MEMBERS} entries. "
                "Start a new session."
            )
