"""What the router has to reach, beside what it reaches here, in one table.

On the study's catalogs with development queries, and on synthetic catalogs for what grows. The
recall is a development figure: the retriever was built on these tasks. What needs the published
package (`make compat`) or the extra ``embed`` is left out where it is not installed.

    python -m benchmarks.library [--large 10000] [--json]
"""

from __future__ import annotations

import argparse
import itertools
import json
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import ranking, recall, retriever, router
from conditions.retriever import RetrieverParameters
from router import CatalogSnapshot, EncoderMissingError, LexicalIndex, SentenceEncoder
from surface.catalog import load_catalogs
from surface.task import load_tasks

_COMPAT = Path(__file__).resolve().parent.parent / ".venv-compat"
_SIZE = 500


class Row(NamedTuple):
    """One line of the table."""

    what: str
    measured: float | None
    """None where it cannot be measured here."""
    limit: float
    at_least: bool = False

    @property
    def reached(self) -> str:
        """Whether the limit holds, in a word."""
        if self.measured is None:
            return "-"
        held = self.measured >= self.limit if self.at_least else self.measured < self.limit
        return "yes" if held else "NO"


def speed(large: int) -> Iterator[Row]:
    """Time rankings and the index, each row as soon as it is measured."""
    index = ranking.measure(large, 60)
    yield Row(f"s for the index, vectors apart, {large}", index["snapshot_s"] + index["index_s"], 2)
    yield Row(f"times the memory at twice the endpoints, {large}", growth(large), 2.2)
    beside = router.measure(_SIZE, 12, _COMPAT)
    ratio = beside.get("retrieve_ratio")
    yield Row(f"times faster than the published package, {_SIZE}", ratio, 100, True)
    yield Row(
        f"ms that state adds, {beside['requirements']} required, {_SIZE}", beside["adds_ms"], 1
    )
    grown = retriever.measure(retriever.synthetic(large), None)
    yield Row(f"ms a ranking of query and state, {large}", float(grown["state_median_ms"]), 3)
    try:
        encoder: SentenceEncoder | None = SentenceEncoder()
    except EncoderMissingError:
        encoder = None
    study = retriever.measure(retriever.study(_SIZE), encoder)
    yield Row(f"ms a ranking of query and state, {_SIZE}", float(study["state_median_ms"]), 0.3)
    embedded = study.get("embed_median_ms")
    measured = None if embedded is None else float(embedded)
    yield Row(f"ms a ranking with embedding, {_SIZE}", measured, 15)


def growth(large: int) -> float:
    """Memory of the lexical index, as a multiple of that at half the endpoints."""
    held = []
    for size in (large // 2, large):
        snapshot = CatalogSnapshot.of(ranking.synthetic_catalog(size))
        tracemalloc.start()
        index = LexicalIndex(snapshot)
        held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        del index
    return held[1] / held[0]


def quality() -> Iterator[Row]:
    """Follow the gold of the development tasks through every catalog."""
    tasks = load_tasks(recall.SPLIT)
    for size, catalog in load_catalogs().items():
        found = [event for task in tasks for event in recall.events(task, catalog)]
        row = recall.measure(catalog, found, RetrieverParameters())
        yield Row(f"gold trace recall@5 on {recall.SPLIT}, {size}", row["state_aware"], 0.97, True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What the router has to reach, and reaches here.")
    parser.add_argument("--large", type=int, default=10_000, help="endpoints of the large catalog")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    options = parser.parse_args(arguments)
    if not options.json:
        print(f"{'':54}  measured  must reach  reached")
    for row in itertools.chain(speed(options.large), quality()):
        if options.json:
            print(json.dumps({**row._asdict(), "reached": row.reached}))
            continue
        measured = "-" if row.measured is None else f"{row.measured:.3f}"
        limit = f"{'>=' if row.at_least else '<'} {row.limit:g}"
        print(f"{row.what:54}  {measured:>8}  {limit:>10}  {row.reached:>7}", flush=True)


if __name__ == "__main__":
    main()
