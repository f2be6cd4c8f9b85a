"""The committed vectors hold the texts of catalogs and queries, all of them and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import conditions.vectors
from conditions.literal import LiteralReader
from conditions.vectors import VECTOR_FILE, committed_vectors, main, study_texts, task_queries
from router.encoder import EncoderMissingError
from router.segment import segment
from router.sentence import SentenceIndex
from router.store import VectorStore, text_key
from router.term import TermIndex
from surface.catalog import Catalog, load_catalogs
from surface.task import Task, load_tasks

REMEDY = "texts have changed: say make vectors"
MOST_BYTES = 12_000_000


@pytest.fixture(scope="module")
def catalogs() -> list[Catalog]:
    return list(load_catalogs().values())


@pytest.fixture(scope="module")
def store() -> VectorStore:
    return VectorStore.load(VECTOR_FILE)


def test_they_hold_what_ranking_the_study_compares_and_nothing_else(
    catalogs: list[Catalog], store: VectorStore
) -> None:
    texts = study_texts([catalog.snapshot for catalog in catalogs], task_queries())
    assert set(store.rows) == {text_key(store.identity, text) for text in texts}, REMEDY


def test_every_catalog_text_is_covered(catalogs: list[Catalog], store: VectorStore) -> None:
    for catalog in catalogs:
        texts = [*SentenceIndex.texts(catalog.snapshot), *TermIndex.texts(catalog.snapshot)]
        assert not [text for text in texts if text not in store], REMEDY


def test_every_part_of_every_development_query_is_covered(
    catalogs: list[Catalog], store: VectorStore
) -> None:
    for catalog in catalogs:
        reader = LiteralReader(catalog.snapshot)
        for task in load_tasks("dev"):
            texts = segment(reader.read(task.query).text).texts()
            assert not [text for text in texts if text not in store], REMEDY


def hidden(task: Task) -> Iterator[str]:
    yield task.gloss
    yield from segment(task.gloss).clauses
    for step in task.steps:
        yield from strings(step.observation)


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


def test_no_gloss_and_no_observation_has_a_vector(store: VectorStore) -> None:
    for task in load_tasks("dev"):
        for text in hidden(task):
            # The query may say it too, and a short one may be a word of a catalog.
            if text not in task.query and len(text.split()) > 2:
                assert text not in store


def test_the_committed_source_has_no_encoder() -> None:
    assert committed_vectors().encoder is None
    assert committed_vectors() is committed_vectors()


def test_the_file_stays_small(store: VectorStore) -> None:
    assert VECTOR_FILE.stat().st_size < MOST_BYTES
    assert store.vectors.shape[1] == 512


def test_checking_needs_no_encoder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0
    assert "0 missing, 0 superfluous" in capsys.readouterr().out


def test_making_them_without_the_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise EncoderMissingError("Install the extra `embed`.")

    monkeypatch.setattr(conditions.vectors, "SentenceEncoder", missing)
    before = VECTOR_FILE.read_bytes()
    assert main([]) == 1
    assert "`embed`" in capsys.readouterr().err
    assert VECTOR_FILE.read_bytes() == before
