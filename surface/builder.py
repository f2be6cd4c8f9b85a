"""Building a document from a YAML parser's events, without recursion.

No input can exhaust the stack, and what nests, repeats or refers too much is refused while it is
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

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

MAX_DEPTH: Final = 24
MAX_ALIASES: Final = 64
MAX_NODES: Final = 250_000

_UNWRITABLE: Final = re.compile("[\ud800-\udfff\x00]")


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


class Builder:
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
        """Return the document that the events describe."""
        for event in events:
            if isinstance(event, DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise self._refuse(event, "The file holds a second document", "Split the file")
            elif isinstance(event, CollectionEndEvent):
                frame = self.stack.pop()
                if frame.anchor:
                    self.anchors[frame.anchor] = frame.container
            elif isinstance(event, NodeEvent):
                self._node(event)
        return Document(self.file, self.root, self.lines)

    def _node(self, event: NodeEvent) -> None:
        self._count(event, 1)
        if isinstance(event, AliasEvent):
            self._place(event, self._alias(event))
            return
        if not isinstance(event, ScalarEvent | CollectionStartEvent):
            return
        if event.tag not in {None, "!"}:
            raise self._refuse(event, f"The tag {event.tag!r} is not allowed", "Remove it")
        if isinstance(event, ScalarEvent):
            value = self._scalar(event)
            self._place(event, value)
            if event.anchor:
                self.anchors[event.anchor] = value
        else:
            container: dict[str, Any] | list[Any] = (
                {} if isinstance(event, MappingStartEvent) else []
            )
            path = self._place(event, container)
            if len(self.stack) >= MAX_DEPTH:
                raise self._refuse(
                    event, f"The nesting is deeper than {MAX_DEPTH} levels", "Flatten it"
                )
            self.stack.append(_Frame(container, path, event.anchor))

    def _place(self, event: NodeEvent, value: Any) -> NodePath:
        """Put a value where it belongs and note its line."""
        line = _line(event)
        if not self.stack:
            self.root = value
            self.lines[()] = line
            return ()
        frame = self.stack[-1]
        slot = frame.slot()
        if slot is None:
            self._open_key(event, frame, value)
            return frame.path
        path = (*frame.path, slot)
        if isinstance(frame.container, list):
            self.lines[path] = line
            frame.container.append(value)
        else:
            frame.container[str(slot)] = value
            frame.key = None
        return path

    def _open_key(self, event: NodeEvent, frame: _Frame, key: Any) -> None:
        if not isinstance(key, str):
            raise self._refuse(event, f"The key {key!r} is not a text", "Quote it")
        if key == "<<":
            raise self._refuse(event, "Merge keys are not allowed", "Write the keys out")
        if key in frame.container:
            raise self._refuse(event, f"The key {key!r} stands twice", "Remove one of the two")
        self.lines[(*frame.path, key)] = _line(event)
        frame.key = key

    def _alias(self, event: AliasEvent) -> Any:
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            raise self._refuse(
                event, f"There are more than {MAX_ALIASES} aliases", "Write them out"
            )
        if event.anchor not in self.anchors:
            raise self._refuse(
                event, f"The alias *{event.anchor} refers to nothing finished", "Define it before"
            )
        value = self.anchors[event.anchor]
        self._count(event, _size(value))
        return value

    def _scalar(self, event: ScalarEvent) -> Any:
        text: str = event.value
        if _UNWRITABLE.search(text):
            raise self._refuse(
                event, "The text holds a lone surrogate or a NUL character", "Remove it"
            )
        if not event.implicit[0]:  # quoted or block style: a text, whatever it looks like
            return text
        try:
            return resolve(text)
        except ScalarError as error:
            raise self._refuse(event, str(error), "Quote it") from error

    def _count(self, event: Event, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise self._refuse(event, f"The file has more than {MAX_NODES} nodes", "Split the file")

    def _refuse(self, event: Event, problem: str, remedy: str) -> SurfaceError:
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
