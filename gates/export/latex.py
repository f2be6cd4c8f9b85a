"""The tables of a paper in LaTeX, ruled by booktabs, and a document that shows them all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gates.export.paper import PaperTable, paper_tables
from gates.finished import Finished

_ESCAPED: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
}
_COMPARED: Final = {"$>$=": r"$\geq$", "$<$=": r"$\leq$", "==": "$=$"}
_MINUS: Final = re.compile(r"(?<![\w-])-(?=[0-9.])")

_DOCUMENT: Final = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,landscape,margin=2cm]{geometry}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def write_latex(finished: Finished, folder: Path) -> None:
    """Write a file a table, and ``tables.tex``, which compiles and shows all of them.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    tables = paper_tables(finished.terminal)
    for table in tables:
        (folder / f"{table.name}.tex").write_text(latex_table(table), encoding="utf-8")
    inputs = "\n".join(f"\\input{{{table.name}.tex}}" for table in tables)
    (folder / "tables.tex").write_text(_DOCUMENT % inputs, encoding="utf-8")


def latex_table(table: PaperTable) -> str:
    """Return a table as a float, to be included where ``booktabs`` is loaded."""
    return "\n".join(_lines(table)) + "\n"


def escape(text: str) -> str:
    """Return a text so that LaTeX prints it: special characters escaped, signs as such."""
    escaped = "".join(_ESCAPED.get(character, character) for character in text)
    for sign, symbol in _COMPARED.items():
        escaped = escaped.replace(sign, symbol)
    return _MINUS.sub("$-$", escaped)


def _lines(table: PaperTable) -> Iterator[str]:
    numbers = len(table.head) - table.left
    yield f"% {table.source}"
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{escape(table.caption)}}}"
    yield rf"\label{{tab:{table.name}}}"
    yield rf"\begin{{tabular}}{{{'l' * table.left}{'r' * numbers}}}"
    yield r"\toprule"
    yield _row(table.head)
    yield r"\midrule"
    yield from map(_row, table.rows)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    for note in table.notes:
        yield rf"\par\footnotesize {escape(note)}."
    yield r"\end{table}"


def _row(cells: Sequence[str]) -> str:
    # A bracket after the end of a row would be read as the space to leave there.
    return " & ".join("--" if cell == "-" else f"{{{escape(cell)}}}" for cell in cells) + r" \\"
