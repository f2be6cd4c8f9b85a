"""Stored vectors: found by content, exact or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import router.store
from router.store import (
    MissingVectorError,
    VectorSource,
    VectorStore,
    VectorStoreError,
    text_key,
)
from router.vector import quantise
from tests.support.encoder import CharacterEncoder

TEXTS = ("find orders", "주문을 찾아", "", "find orders ")


def store() -> VectorStore:
    return VectorStore.of(CharacterEncoder(), TEXTS)


def test_a_key_is_the_hash_of_encoder_and_text() -> None:
    expected = hashlib.sha256("encoder\0주문".encode()).digest()
    assert text_key("encoder", "주문") == expected
    assert text_key("other", "주문") != expected


def test_texts_are_encoded_alone_and_once() -> None:
    encoder = CharacterEncoder()
    made = VectorStore.of(encoder, [*TEXTS, *TEXTS])
    assert sorted(encoder.asked) == sorted(TEXTS)
    assert len(made) == len(TEXTS)
    assert np.array_equal(made.vector("주문을 찾아"), quantise(encoder.encode(["주문을 찾아"]))[0])


def test_vectors_that_are_known_are_taken_over_and_others_dropped() -> None:
    known = store()
    known.vectors[:] = 7
    encoder = CharacterEncoder()
    made = VectorStore.of(encoder, ["find orders", "new"], known)
    assert encoder.asked == ["new"]
    assert len(made) == 2
    assert made.vector("find orders").tolist() == [7] * 128
    assert made.vector("new").tolist() == quantise(encoder.encode(["new"]))[0].tolist()


def test_vectors_of_another_encoder_are_not() -> None:
    class Other(CharacterEncoder):
        identity = "another"

    encoder = Other()
    VectorStore.of(encoder, ["find orders"], store())
    assert encoder.asked == ["find orders"]


def test_only_the_very_text_is_known() -> None:
    made = store()
    assert "find orders" in made
    assert "Find orders" not in made
    assert made.vector("Find orders") is None


def test_a_file_gives_the_store_back(tmp_path: Path) -> None:
    made = store()
    made.save(tmp_path / "v.npz")
    read = VectorStore.load(tmp_path / "v.npz")
    assert read.identity == made.identity
    assert read.rows == made.rows
    assert np.array_equal(read.vectors, made.vectors)


def test_equal_stores_have_equal_bytes(tmp_path: Path) -> None:
    store().save(tmp_path / "a.npz")
    VectorStore.of(CharacterEncoder(), reversed(TEXTS)).save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_an_empty_store_can_be_kept(tmp_path: Path) -> None:
    VectorStore.of(CharacterEncoder(), []).save(tmp_path / "v.npz")
    assert len(VectorStore.load(tmp_path / "v.npz")) == 0


def test_what_is_not_a_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorStoreError, match=r"missing\.npz"):
        VectorStore.load(tmp_path / "missing.npz")
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(VectorStoreError):
        VectorStore.load(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", something=np.zeros(3))
    with pytest.raises(VectorStoreError):
        VectorStore.load(tmp_path / "other.npz")
    np.savez(
        tmp_path / "form.npz",
        identity=np.array("e"),
        keys=np.zeros((2, 32), dtype=np.uint8),
        vectors=np.zeros((3, 4), dtype=np.int8),
    )
    with pytest.raises(VectorStoreError, match="another form"):
        VectorStore.load(tmp_path / "form.npz")
    whole = tmp_path / "whole.npz"
    store().save(whole)
    (tmp_path / "cut.npz").write_bytes(whole.read_bytes()[:-40])
    with pytest.raises(VectorStoreError):
        VectorStore.load(tmp_path / "cut.npz")


class TestSource:
    def test_a_store_alone_names_what_it_lacks_and_what_to_do(self) -> None:
        made = store()
        with pytest.raises(MissingVectorError) as caught:
            VectorSource(made).of(["find orders", "new", "newer"])
        assert text_key(made.identity, "new").hex() in str(caught.value)
        assert "2 of 3" in str(caught.value)
        assert "embed" in str(caught.value)
        assert "new" not in str(caught.value).replace("newer", "").split(), "texts stay out of it"

    def test_an_encoder_fills_in_what_the_store_lacks(self) -> None:
        encoder = CharacterEncoder()
        found = VectorSource(store(), encoder).of(["new", "find orders", "newer"])
        assert encoder.asked == ["new", "newer"]
        expected = quantise(CharacterEncoder().encode(["new", "find orders", "newer"]))
        assert np.array_equal(found, expected)

    def test_an_encoder_alone_is_enough(self) -> None:
        found = VectorSource(encoder=CharacterEncoder()).of(["new"])
        assert np.array_equal(found, quantise(CharacterEncoder().encode(["new"])))

    def test_no_texts_no_vectors(self) -> None:
        assert VectorSource(store()).of([]).shape == (0, 128)

    def test_there_must_be_something(self) -> None:
        with pytest.raises(VectorStoreError, match="store or an encoder"):
            VectorSource()

    def test_store_and_encoder_must_belong_together(self) -> None:
        class Other(CharacterEncoder):
            identity = "another"

        with pytest.raises(VectorStoreError, match="another"):
            VectorSource(store(), Other())

    def test_what_is_prepared_is_encoded_in_one_call_and_once(self) -> None:
        encoder = CharacterEncoder()
        made = VectorSource(store(), encoder)
        made.prepare(["new", "find orders", "newer", "new"])
        assert encoder.asked == ["new", "newer"]
        made.prepare(["newer", "newest"])
        assert encoder.asked == ["new", "newer", "newest"]
        found = made.of(["newest", "find orders", "new"])
        assert encoder.asked == ["new", "newer", "newest"]
        expected = quantise(CharacterEncoder().encode(["newest", "find orders", "new"]))
        assert np.array_equal(found, expected)
        made.forget()
        made.prepare(["new"])
        assert encoder.asked[3:] == ["new"]

    def test_what_is_remembered_has_a_bound(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(router.store, "_MOST_REMEMBERED", 3)
        encoder = CharacterEncoder()
        made = VectorSource(encoder=encoder)
        made.prepare(["a", "b"])
        made.prepare(["c", "d"])
        made.prepare(["c", "d", "a"])
        assert encoder.asked == ["a", "b", "c", "d", "a"]

    def test_without_an_encoder_there_is_nothing_to_prepare(self) -> None:
        made = VectorSource(store())
        made.prepare(["new"])
        with pytest.raises(MissingVectorError):
            made.of(["new"])
