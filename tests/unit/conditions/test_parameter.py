"""The retriever's numbers: one dataclass, mirrored by the committed configuration."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any

import pytest
import yaml

from conditions.error import ConditionError
from conditions.parameter import RetrieverParameters
from harness.compose import CONFIG_FOLDER, load_config

FILE = CONFIG_FOLDER / "retriever" / "typed.yaml"
INNER = {"lexical", "term"}
"""Weights inside a channel: theirs are the defaults of the router."""


def test_the_committed_configuration_names_every_number_with_its_default() -> None:
    written = yaml.safe_load(FILE.read_text())
    expected = {
        name: value for name, value in asdict(RetrieverParameters()).items() if name not in INNER
    }
    assert written == expected
    assert list(written) == [item.name for item in fields(RetrieverParameters)][: len(written)]


def test_the_study_composes_it() -> None:
    assert load_config(["study=dev"]).retriever == RetrieverParameters()


@pytest.mark.parametrize(
    "changes",
    [
        {"residual": -1},
        {"residual": 1001},
        {"ambiguous": 1001},
        {"succeeded": -1},
        {"locked": 10_001},
        {"measured": -1},
        {"inherited": -1},
        {"slots": -1},
        {"graph_slots": -1},
        {"term_weight": 1001},
        {"lexical_weight": -1},
        {"lexical_weight": 0, "sentence_weight": 0, "term_weight": 0},
    ],
)
def test_impossible_numbers_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ConditionError):
        replace(RetrieverParameters(), **changes)
