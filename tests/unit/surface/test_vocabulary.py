"""Defects of a vocabulary are refused with their place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from surface.error import SurfaceError
from surface.vocabulary import Vocabulary, load_vocabulary

GOOD: dict[str, Any] = {
    "description": "Weight of the goods",
    "schema": {"type": "number", "minimum": 0},
    "unit": "kg",
    "dimension": "mass",
    "example": 10,
}


def load(tmp_path: Path, terms: dict[str, Any]) -> Vocabulary:
    path = tmp_path / "vocabulary.yaml"
    path.write_text(json.dumps({"terms": terms}, indent=1), encoding="utf-8")
    return load_vocabulary(path, root=tmp_path)


def test_a_term_is_read(tmp_path: Path) -> None:
    vocabulary = load(tmp_path, {"goods.weight": GOOD})
    assert "goods.weight" in vocabulary
    assert "goods.height" not in vocabulary
    term = vocabulary["goods.weight"]
    assert (term.unit, term.dimension, term.identifier, term.common) == ("kg", "mass", False, False)


@pytest.mark.parametrize(
    ("semantic_id", "change", "field", "words"),
    [
        ("weight", {}, "terms.weight", "not a semantic id"),
        ("Goods.weight", {}, "terms.Goods.weight", "not a semantic id"),
        ("goods.weight\n", {}, "terms.goods.weight\n", "not a semantic id"),
        ("goods.id", {}, "terms.goods.id", "end in '.id'"),
        ("goods.weight", {"identifier": True}, "terms.goods.weight", "end in '.id'"),
        ("goods.weight", {"common": True}, "terms.goods.weight.common", "Only an identifier"),
        (
            "goods.weight",
            {"schema": {"type": "nummer"}},
            "terms.goods.weight.schema",
            "JSON Schema",
        ),
        ("goods.weight", {"example": -1}, "terms.goods.weight.example", "does not match"),
        ("goods.weight", {"example": "10"}, "terms.goods.weight.example", "does not match"),
        ("goods.weight", {"dimension": None}, "terms.goods.weight", "go together"),
        ("goods.weight", {"unit": None}, "terms.goods.weight", "go together"),
        ("goods.weight", {"unit": "stones of old"}, "terms.goods.weight.unit", "not a unit"),
        ("goods.weight", {"description": ""}, "terms.goods.weight.description", "at least 3"),
        ("goods.weight", {"colour": "red"}, "terms.goods.weight.colour", "does not exist"),
    ],
)
def test_a_defect_is_refused(
    tmp_path: Path, semantic_id: str, change: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(SurfaceError, match=words) as caught:
        load(tmp_path, {semantic_id: {**GOOD, **change}})
    assert caught.value.file == "vocabulary.yaml"
    assert caught.value.field == field
    assert caught.value.line is not None


def test_a_dimension_does_not_mix_units_that_do_not_convert(tmp_path: Path) -> None:
    terms = {"goods.weight": GOOD, "goods.length": {**GOOD, "unit": "m"}}
    with pytest.raises(SurfaceError, match="'mass' mixes") as caught:
        load(tmp_path, terms)
    assert caught.value.field == "terms.goods.length.dimension"
    assert len(load(tmp_path, {"a.b": GOOD, "a.c": {**GOOD, "unit": "lb"}}).terms) == 2
