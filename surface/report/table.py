"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; columns that hold numbers alone are aligned to the right."""
    body = [[str(cell) for cell in row] for row in rows]
    columns = list(zip(*body, strict=True)) or [()] * len(header)
    rule = ["---:" if column and all(map(_is_number, column)) else "---" for column in columns]
    return "\n".join("| " + " | ".join(line) + " |" for line in [list(header), rule, *body])


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def by_split(
    name: str, splits: Mapping[str, Mapping[str, object]], *, keys: Iterable[str] | None = None
) -> str:
    """Return a table with a row for each key and a column for each split; what lacks is 0.

    Parameters
    ----------
    name
        What the keys are.
    splits
        Values by key, by split.
    keys
        The keys in order; by default all, sorted by code point.
    """
    listed = sorted({key for values in splits.values() for key in values})
    rows = (
        [key, *(values.get(key, 0) for values in splits.values())]
        for key in (listed if keys is None else keys)
    )
    return table([name, *splits], rows)
