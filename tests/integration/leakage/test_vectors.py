"""The committed vectors are of catalog texts and of parts of bare queries, and of nothing else."""

from __future__ import annotations

import inspect
import unicodedata

from conditions.vectors import VECTOR_FILE, study_texts, task_queries
from router.store import VectorStore, text_key
from surface.catalog import load_catalogs

STORE = VectorStore.load(VECTOR_FILE)
CATALOGS = tuple(catalog.snapshot for catalog in load_catalogs().values())
QUERIES = task_queries()


def test_its_keys_are_those_of_catalogs_and_queries() -> None:
    texts = study_texts(CATALOGS, QUERIES)
    assert set(STORE.rows) == {text_key(STORE.identity, text) for text in texts}


def test_what_is_no_catalog_text_comes_from_a_query() -> None:
    of_catalogs = set(study_texts(CATALOGS, ()))
    assert of_catalogs
    others = set(study_texts(CATALOGS, QUERIES)) - of_catalogs
    # Identifiers are masked, so the parts of a query differ from it by characters that are gone.
    queries = {letters(query) for query in QUERIES}
    for text in others:
        assert any(subsequence(letters(text), query) for query in queries), text


def letters(text: str) -> str:
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKD", text))).casefold()


def subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(letter in rest for letter in short)


def test_what_makes_the_texts_is_handed_no_task() -> None:
    assert list(inspect.signature(study_texts).parameters) == ["catalogs", "queries"]
