"""The tables of a paper in Markdown, as pages of code hosts and notebooks show them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gates.export.paper import PaperTable, paper_tables
from gates.finished import Finished

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#])")


def write_markdown(finished: Finished, folder: Path) -> None:
    """Write all tables into ``tables.md``.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    tables = paper_tables(finished.terminal)
    text = "\n".join(markdown_table(table) for table in tables)
    (folder / "tables.md").write_text(text, encoding="utf-8")


def markdown_table(table: PaperTable) -> str:
    """Return a table with its caption before it and its notes behind it."""
    return "\n".join(_lines(table)) + "\n"


def escape(text: str) -> str:
    """Return a text so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def _lines(table: PaperTable) -> Iterator[str]:
    numbers = len(table.head) - table.left
    yield f"<!-- {table.source} -->"
    yield f"**{escape(table.caption)}**"
    yield ""
    yield _row(table.head)
    yield "|" + "---|" * table.left + "---:|" * numbers
    yield from map(_row, table.rows)
    for note in table.notes:
        yield f"\n{escape(note)}."


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape, cells))} |"
