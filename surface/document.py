"""A YAML document that knows the line of each of its nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from surface.error import SurfaceError

NodePath = tuple[str | int, ...]
"""Keys and indices from the root to a node."""


@dataclass(frozen=True)
class Document:
    """A YAML document and the line of each of its nodes."""

    file: str
    """The file's name as errors show it."""
    data: Any
    """Plain dicts, lists and scalars."""
    lines: dict[NodePath, int | None] = field(repr=False)
    """One-based line of every node, keyed by its path of keys and indices."""

    def line(self, path: NodePath) -> int | None:
        """Return the line of `path`, or of its nearest ancestor that has one."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None

    def error(self, problem: str, remedy: str, path: NodePath = ()) -> SurfaceError:
        """Return an error that names this file, the node's line and its dotted path."""
        dotted = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
        return SurfaceError(
            problem, remedy, file=self.file, line=self.line(path), field=dotted.lstrip(".")
        )
