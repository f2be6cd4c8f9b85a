"""The committed vectors of the study's texts, so that a fresh clone needs no model.

``make vectors`` brings the file up to date; that alone needs the extra ``embed``. It holds the
texts of the catalogs and the parts of the tasks' queries, and nothing else: no gloss, no
observation, no gold ever gets a vector.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from conditions.literal import LiteralReader
from conditions.parameter import RetrieverParameters
from conditions.text import texts_of
from router.encoder import EncoderMissingError, SentenceEncoder
from router.segment import segment
from router.sentence import SentenceIndex
from router.snapshot import CatalogSnapshot
from router.store import VectorSource, VectorStore
from router.term import TermIndex
from surface.catalog import load_catalogs
from surface.error import StudyError
from surface.task import TASK_FOLDER, load_tasks

__all__ = ["VECTOR_FILE", "committed_vectors", "study_texts"]

VECTOR_FILE: Final = Path(__file__).parent / "vectors.npz"


@lru_cache(maxsize=1)
def committed_vectors() -> VectorSource:
    """Load the committed vectors, without an encoder: a text that they lack is an error.

    Raises
    ------
    VectorStoreError
        When the file is missing or damaged.
    """
    return VectorSource(VectorStore.load(VECTOR_FILE))


def study_texts(catalogs: Iterable[CatalogSnapshot], queries: Iterable[str]) -> tuple[str, ...]:
    """Every text that ranking some queries over some catalogs compares, sorted.

    Parameters
    ----------
    catalogs
        Catalogs. A query's identifiers are masked as each catalog registers their patterns.
    queries
        Bare queries.
    """
    known = tuple(queries)
    numbers = RetrieverParameters()
    found: set[str] = set()
    for snapshot in catalogs:
        found.update(SentenceIndex.texts(snapshot), TermIndex.texts(snapshot, numbers.term))
        reader = LiteralReader(snapshot)
        for reading in map(reader.read, known):
            found.update(texts_of(reading, segment(reading.text)))
    return tuple(sorted(found))


def main(arguments: Sequence[str] | None = None) -> int:
    """Bring the vector file up to date; return an exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m conditions.vectors", description="Make the vectors of the study's texts."
    )
    parser.add_argument("--anew", action="store_true", help="also make those that are there")
    parser.add_argument("--check", action="store_true", help="only say whether the file is right")
    options = parser.parse_args(arguments)
    try:
        texts = study_texts(
            (catalog.snapshot for catalog in load_catalogs().values()), task_queries()
        )
        if options.check:
            return _check(texts)
        encoder = SentenceEncoder()
    except (StudyError, EncoderMissingError) as error:
        print(error, file=sys.stderr)
        return 1
    known = VectorStore.load(VECTOR_FILE) if VECTOR_FILE.exists() and not options.anew else None
    VectorStore.of(encoder, texts, known).save(VECTOR_FILE)
    print(f"{VECTOR_FILE.name}: {len(texts)} texts by {encoder.identity}")
    return 0


def task_queries(folder: Path = TASK_FOLDER) -> tuple[str, ...]:
    """Return the queries of every split; of a task, only its query is ever embedded."""
    splits = sorted(path.name for path in folder.iterdir() if path.is_dir())
    return tuple(task.query for split in splits for task in load_tasks(split, folder))


def _check(texts: Sequence[str]) -> int:
    store = VectorStore.load(VECTOR_FILE)
    missing = sum(text not in store for text in texts)
    superfluous = len(store) - (len(texts) - missing)
    print(f"{VECTOR_FILE.name}: {len(store)} texts, {missing} missing, {superfluous} superfluous")
    return int(bool(missing or superfluous))


if __name__ == "__main__":
    sys.exit(main())
