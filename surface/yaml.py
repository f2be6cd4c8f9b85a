"""Strict reading of YAML: what is written is what is read.

The scalars are those of the YAML 1.2 core schema, so that ``NO`` stays a word and ``12:30`` a text;
dates stay texts. Duplicate keys, tags, merge keys, numbers with leading zeros, infinities and lone
surrogates are refused, nesting and anchors are bounded. The document is built from the parser's
events, without recursion, so that no input can exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from surface.document import Document, NodePath
from surface.error import SurfaceError
from surface.scalar import ScalarError, resolve

MAX_BYTES: Final = 4 << 20
MAX_DEPTH: Final = 24
MAX_ALIASES: Final = 64
MAX_NODES: Final = 250_000

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
        return _Builder(file).build(yaml.parse(text, Loader=_Loader))
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


@dataclass
class _Frame:
    """An open collection while its events are read."""

    container: dict[str, Any] | list[Any]
    path: NodePath
    anchor: str | None
    key: str | None = None

    def slot(self) -> str | int | None:
        """Return where the next value goes, or None when a mapping waits for a key."""
        return len(self.container) if isinstance(self.container, list) else self.key


class _Builder:
    """Builds a document from parser events."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[NodePath, int | None] = {}
        self.stack: list[_Frame] = []
        self.anchors: dict[str, Any] = {}
        self.aliases = 0
        self.nodes = 0
        self.root: Any = None
        self.documents = 0

    def build(self, events: Iterator[Event]) -> Document:
        for event in events:
            if isinstance(event, DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise self.refuse(event, "The file holds a second document", "Split the file")
            elif isinstance(event, CollectionEndEvent):
                frame = self.stack.pop()
                if frame.anchor:
                    self.anchors[frame.anchor] = frame.container
            elif isinstance(event, NodeEvent):
                self.node(event)
        return Document(self.file, self.root, self.lines)

    def node(self, event: NodeEvent) -> None:
        self.count(event, 1)
        if isinstance(event, AliasEvent):
            self.place(event, self.alias(event))
            return
        if not isinstance(event, ScalarEvent | CollectionStartEvent):
            return
        if event.tag not in {None, "!"}:
            raise self.refuse(event, f"The tag {event.tag!r} is not allowed", "Remove it")
        if isinstance(event, ScalarEvent):
            value = self.scalar(event)
            self.place(event, value)
            if event.anchor:
                self.anchors[event.anchor] = value
        else:
            container: dict[str, Any] | list[Any] = (
                {} if isinstance(event, MappingStartEvent) else []
            )
            path = self.place(event, container)
            if len(self.stack) >= MAX_DEPTH:
                raise self.refuse(
                    event, f"The nesting is deeper than {MAX_DEPTH} levels", "Flatten it"
                )
            self.stack.append(_Frame(container, path, event.anchor))

    def place(self, event: NodeEvent, value: Any) -> NodePath:
        """Put a value where it belongs and note its line."""
        line = _line(event)
        if not self.stack:
            self.root = value
            self.lines[()] = line
            return ()
        frame = self.stack[-1]
        slot = frame.slot()
        if slot is None:
            self.open_key(event, frame, value)
            return frame.path
        path = (*frame.path, slot)
        if isinstance(frame.container, list):
            self.lines[path] = line
            frame.container.append(value)
        else:
            frame.container[str(slot)] = value
            frame.key = None
        return path

    def open_key(self, event: NodeEvent, frame: _Frame, key: Any) -> None:
        if not isinstance(key, str):
            raise self.refuse(event, f"The key {key!r} is not a text", "Quote it")
        if key == "<<":
            raise self.refuse(event, "Merge keys are not allowed", "Write the keys out")
        if key in frame.container:
            raise self.refuse(event, f"The key {key!r} stands twice", "Remove one of the two")
        self.lines[(*frame.path, key)] = _line(event)
        frame.key = key

    def alias(self, event: AliasEvent) -> Any:
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            raise self.refuse(event, f"There are more than {MAX_ALIASES} aliases", "Write them out")
        if event.anchor not in self.anchors:
            raise self.refuse(
                event, f"The alias *{event.anchor} refers to nothing finished", "Define it before"
            )
        value = self.anchors[event.anchor]
        self.count(event, _size(value))
        return value

    def scalar(self, event: ScalarEvent) -> Any:
        text: str = event.value
        if _SURROGATE.search(text) or "\x00" in text:
            raise self.refuse(
                event, "The text holds a lone surrogate or a NUL character", "Remove it"
            )
        if not event.implicit[0]:  # quoted or block style: a text, whatever it looks like
            return text
        try:
            return resolve(text)
        except ScalarError as error:
            raise self.refuse(event, str(error), "Quote it") from error

    def count(self, event: Event, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise self.refuse(event, f"The file has more than {MAX_NODES} nodes", "Split the file")

    def refuse(self, event: Event, problem: str, remedy: str) -> SurfaceError:
        return SurfaceError(f"{problem}.", f"{remedy}.", file=self.file, line=_line(event))


def _line(event: Event) -> int | None:
    return None if event.start_mark is None else event.start_mark.line + 1


def _size(value: Any) -> int:
    """Count the nodes below a value, without recursion."""
    pending, nodes = [value], 0
    while pending and nodes <= MAX_NODES:
        item = pending.pop()
        nodes += 1
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return nodes
