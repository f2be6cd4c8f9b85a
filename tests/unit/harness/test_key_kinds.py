"""Every key of a configuration, however deep, is declared as one of the three kinds.

A field that is added fails here until `key_kinds.txt` says what it is; one that is hashed also
fails the golden value below, because every identity changes with it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, TypeAdapter

from harness.config import KEY_KINDS, StudyConfig
from router.canonical import digest

DECLARED = Path(__file__).with_name("key_kinds.txt")


def declared() -> dict[str, str]:
    """Read the declarations: a kind and a key in each line, a union's member in brackets."""
    lines = DECLARED.read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return {key: kind for kind, key in pairs}


def leaves(model: type, path: str = "") -> Iterator[str]:
    """Yield every key that is not a section itself."""
    hints = get_type_hints(model, include_extras=True)
    names = (
        model.model_fields
        if issubclass(model, BaseModel)
        else [field.name for field in dataclasses.fields(model)]
    )
    for name in names:
        inner = list(sections(hints[name]))
        for section in inner:
            member = f"[{section.__name__}]" if len(inner) > 1 else ""
            yield from leaves(section, f"{path}{name}{member}.")
        if not inner:
            yield f"{path}{name}"


def sections(hint: Any) -> Iterator[type]:
    """Yield the sections that a field's type is made of."""
    origin = get_origin(hint)
    if origin is Annotated:
        yield from sections(get_args(hint)[0])
    elif origin in {Union, UnionType, tuple}:
        for part in get_args(hint):
            yield from sections(part)
    elif isinstance(hint, type) and (issubclass(hint, BaseModel) or dataclasses.is_dataclass(hint)):
        yield hint


def kind_of(key: str) -> str:
    """Return the kind that the configuration gives a key: that of the nearest one declared."""
    parts = [part.partition("[")[0] for part in key.split(".")]
    for end in range(len(parts), 0, -1):
        if (kind := KEY_KINDS.get(".".join(parts[:end]))) is not None:
            return kind
    raise AssertionError(f"{key} is of no kind")


def test_every_key_is_declared() -> None:
    found = sorted(leaves(StudyConfig))
    assert [f"{kind_of(key)} {key}" for key in found] == [
        f"{kind} {key}" for key, kind in sorted(declared().items())
    ]


def test_what_is_declared_runtime_is_what_is_not_hashed() -> None:
    plain = json.loads(json.dumps(config().hashed()))
    assert set(plain) == {"study", "retriever", "agent"}
    assert set(plain["agent"]) == {"kind"}


RETRIEVER = {
    "typed": True,
    "lexical_weight": 3,
    "sentence_weight": 10,
    "term_weight": 10,
    "residual": 500,
    "succeeded": 150,
    "inherited": 200,
    "observed": 100,
    "spelled": 50,
    "measured": 150,
    "locked": 500,
    "ambiguous": 250,
    "keep_failed": True,
    "graph_slots": 3,
    "slots": 5,
    "lexical": {
        "fields": {
            "endpoint_name": 12,
            "tool_name": 8,
            "description": 4,
            "tool_description": 1,
            "parameter": 2,
            "output": 1,
        },
        "word": 4,
        "gram": 1,
        "characters": [1, 2, 3],
        "k1": 1200,
        "b": 400,
        "unseen": 1000,
    },
    "term": {
        "threshold": 500,
        "name": 1000,
        "description": 1000,
        "tool_name": 700,
        "parameter": 500,
        "output": 500,
    },
}


def config() -> StudyConfig:
    """A configuration that stands here whole, so that no file can change it."""
    values = {
        "study": {
            "name": "golden",
            "protocol": "0.14",
            "split": "dev",
            "tasks_per_cell": 1,
            "development": False,
            "authorization": [
                {
                    "kind": "recorded",
                    "predecessor": "B2",
                    "run": "36642658406",
                    "artifact": "sha256:" + "ab" * 32,
                    "terminal": True,
                }
            ],
            "strata": ["two_step_state_dependency"],
            "languages": ["en", "ko"],
            "catalogs": [100, 250],
            "conditions": ["SR-PROGRESSIVE-STATIC", "SR-5-STATE-AWARE"],
            "exposure": {"top_k": 5, "stages": [3, 10, None], "max_refreshes": 5},
            "episode": {"max_turns": 8, "max_reminders": 2},
            "analysis": {"iterations": 10000, "seed": 20260929, "level": 0.95},
            "gate": {"task_pass_margin": "-0.02", "recall_threshold": "0.97"},
        },
        "retriever": RETRIEVER,
        "agent": {"kind": "reference"},
    }
    hints = get_type_hints(StudyConfig, include_extras=True)
    return StudyConfig.model_construct(
        **{
            name: TypeAdapter(hints[name]).validate_json(json.dumps(value))
            for name, value in values.items()
        }
    )


def test_the_hash_of_a_known_configuration_is_pinned() -> None:
    assert digest(config().hashed()) == (
        "46b5d29b5697f333cc5d16928f332aabfd33b12b00cd751c38f5694ba51509f0"
    )
