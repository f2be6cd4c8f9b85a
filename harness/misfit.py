"""Configuration values that do not fit: which key, why in words, and the file that holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from harness.error import ConfigError
from harness.origin import Origin
from surface.document import Document, NodePath
from surface.error import SurfaceError
from surface.record import in_words
from surface.yaml import read_yaml

_MAPPING: Final = "a mapping of keys is expected here"

_WORDS: Final[Mapping[str, str]] = {
    "missing": "the key is missing",
    "extra_forbidden": "the key does not exist here",
    "unexpected_keyword_argument": "the key does not exist here",
    "union_tag_not_found": "the key is missing",
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "dataclass_type": _MAPPING,
    "dict_type": _MAPPING,
}
"""What validators find, in the words of someone who writes the files."""


def misfit(
    error: ValidationError, composed: Mapping[str, Any], origin: Origin, overrides: Sequence[str]
) -> ConfigError:
    """Return the error of a composed configuration that is not valid.

    Parameters
    ----------
    error
        What validation found; its first finding is told.
    composed
        What was validated.
    origin
        The files that it was composed from.
    overrides
        What was set beside them.
    """
    first = error.errors()[0]
    context: Mapping[str, Any] = first.get("ctx", {})
    location = (*first["loc"], *_numbered(context.get("key", "")))
    keys = _keys(location, composed)
    if "tag" in context or first["type"] == "union_tag_not_found":
        keys = (*keys, "kind")
    reason = _WORDS.get(first["type"])
    if first["type"] == "union_tag_invalid":
        reason = f"{context['tag']!r} is none of {context['expected_tags']}"
    elif first["input"] is None and first["type"].endswith("_type"):
        reason = "there is no value"
    return misplaced(keys, reason or in_words(first["msg"]), origin, overrides)


def misplaced(
    keys: NodePath, reason: str, origin: Origin, overrides: Sequence[str] = ()
) -> ConfigError:
    """Return the error about one key, with the file and line that it came from.

    Parameters
    ----------
    keys
        The way to the key.
    reason
        What is wrong, without a full stop.
    origin
        The files that it was composed from.
    overrides
        What was set beside them.
    """
    dotted = ".".join(map(str, keys)) or "the whole"
    what = f"The configuration is not valid at {dotted}: {reason[:1].lower()}{reason[1:]}."
    for override in overrides:
        key = override.partition("=")[0]
        # What an override chooses is a file, which is then at fault.
        if key not in origin.choices and f"{dotted}.".startswith(f"{key}."):
            return ConfigError(what, f"Correct the override {override}.")
    place = _place(keys, origin)
    return ConfigError(f"{place}: {what}" if place else what, "Correct the value.")


def _numbered(key: str) -> tuple[str | int, ...]:
    return tuple(int(part) if part.isdecimal() else part for part in key.split(".") if part)


def _keys(location: Sequence[int | str], composed: Mapping[str, Any]) -> NodePath:
    """Return the keys that lead to an error, without the kind that a section was read as."""
    keys: list[int | str] = []
    value: Any = composed
    for position, part in enumerate(location):
        if isinstance(value, dict) and value.get("kind") == part:
            continue
        inside = isinstance(value, list) or (isinstance(value, dict) and part in value)
        if inside or position == len(location) - 1:
            keys.append(part)
            value = value[part] if inside else None
    return tuple(keys)


def _place(keys: NodePath, origin: Origin) -> str | None:
    """Return file and line of a key, or of the section that lacks it."""
    best: tuple[int, str] | None = None
    for document, above in _documents(keys, origin):
        # Without a package of its own a file of a group begins below the group's name.
        for path, depth in ((keys, 0), (keys[above:], above)):
            found = _depth(path, document)
            line = document.lines.get(path[:found])
            place = document.file if found == 0 or line is None else f"{document.file}:{line}"
            if best is None or found + depth * (found > 0) > best[0]:
                best = (found + depth * (found > 0), place)
    return None if best is None else best[1]


def _documents(keys: NodePath, origin: Origin) -> list[tuple[Document, int]]:
    """Return the files that a key can come from, the one that has the last word first."""
    top = str(keys[0]) if keys else ""
    files = [(path, 1) for path in origin.sources(top)] if top in origin.choices else []
    files.append((origin.tree / "config.yaml", 0))
    found = []
    for path, above in files:
        try:
            found.append((read_yaml(path, root=origin.surface), above))
        except SurfaceError:
            # A file that cannot be read is told of where it is read first.
            continue
    return found


def _depth(path: NodePath, document: Document) -> int:
    """Return how many keys of a path a document has, one after the other."""
    depth = 0
    while depth < len(path) and path[: depth + 1] in document.lines:
        depth += 1
    return depth
