"""Numbers and tables as text that a person reads."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["interval_text", "number", "table"]


def number(value: float | None, digits: int = 3) -> str:
    """Return a number as text, a dash for none: the larger it is, the fewer its decimals."""
    if value is None:
        return "-"
    if abs(value) >= 1000 or (abs(value) >= 10 and float(value).is_integer()):
        text = f"{value:,.0f}"
    else:
        text = f"{value:.{digits}f}" if abs(value) < 10 else f"{value:.1f}"
    return text if text.strip("-0.") else text.removeprefix("-")


def interval_text(ends: Sequence[float] | None) -> str:
    """Return both ends as text, a dash for none."""
    return "-" if ends is None else f"[{number(ends[0])}, {number(ends[1])}]"


def table(rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    """Return rows as aligned columns: the first `left` of them texts, the others numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
