"""Strict reading of YAML: what is written is what is read.

The scalars are those of the YAML 1.2 core schema, so that ``NO`` stays a word and ``12:30`` a text;
dates stay texts. Duplicate keys, tags, merge keys, numbers with leading zeros, infinities and lone
surrogates are refused, nesting and anchors are bounded.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import yaml

from surface.builder import Builder
from surface.document import Document
from surface.error import SurfaceError

MAX_BYTES: Final = 4 << 20

_LINE_BREAK: Final = re.compile("[\x85\u2028\u2029]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_Loader: Final[type] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path, *, root: Path | None = None) -> Document:
    """Read one YAML document strictly.

    Parameters
    ----------
    path
        The file.
    root
        Folder that the file's name is shown relative to in errors.

    Raises
    ------
    SurfaceError
        If the file cannot be read or is not strict YAML; names file and line.
    """
    shown = str(path.relative_to(root)) if root and path.is_relative_to(root) else str(path)
    try:
        # Reading a pipe would wait for whoever writes to it.
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise SurfaceError("This is not a file.", "Restore it.", file=shown)
        raw = path.read_bytes()
    except OSError as error:
        raise SurfaceError(
            f"The file cannot be read ({error.strerror}).", "Restore it.", file=shown
        ) from error
    if len(raw) > MAX_BYTES:
        raise SurfaceError(
            f"The file has {len(raw)} bytes, more than {MAX_BYTES}.", "Split it.", file=shown
        )
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SurfaceError(
            "The file is not valid UTF-8.", "Save it as UTF-8.", file=shown, line=line
        ) from error
    return parse_yaml(text, file=shown)


def parse_yaml(text: str, *, file: str) -> Document:
    """Parse one YAML document; see `read_yaml`."""
    # The parser takes Unicode's line separators for line breaks, as YAML 1.1 does and 1.2 does not.
    for pattern, what in (
        (_SURROGATE, "a lone surrogate"),
        (_LINE_BREAK, "a Unicode line separator"),
    ):
        found = pattern.search(text)
        if found is not None:
            raise SurfaceError(
                f"The text holds {what}.",
                "Remove it, or write it as an escape in double quotes.",
                file=file,
                line=text.count("\n", 0, found.start()) + 1,
            )
    try:
        return Builder(file).build(yaml.parse(text, Loader=_Loader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        line = mark.line + 1 if mark is not None else None
        if line is None and isinstance(error, yaml.reader.ReaderError):
            position = error.position if isinstance(error.position, int) else 0
            line = text.count("\n", 0, position) + 1
        raise SurfaceError(
            f"This is not YAML: {problem}.",
            "Correct the text; indent with spaces and leave out control characters.",
            file=file,
            line=line,
        ) from error
