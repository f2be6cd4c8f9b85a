"""What cannot be imported or exported, and where it stands."""

from __future__ import annotations

from router.error import SchemaRouterError

__all__ = ["InterchangeError"]

_MAX_SHOWN = 300


class InterchangeError(SchemaRouterError, ValueError):
    """A part of a document, or of a tool, that the other form cannot take.

    Parameters
    ----------
    what
        One sentence: what is wrong.
    remedy
        One sentence: what to do.
    pointer
        Where it stands.
    """

    def __init__(self, what: str, remedy: str, pointer: str) -> None:
        # Names in a hostile document may hold lone surrogates, which no log can take.
        text = f"At #{pointer[:_MAX_SHOWN]}: {what} {remedy}"
        super().__init__(text.encode("utf-8", "backslashreplace").decode("utf-8"))
        self.pointer = pointer
        """JSON pointer (RFC 6901) into the imported document, or into the exported tool's own
        JSON; empty for the whole of it."""
