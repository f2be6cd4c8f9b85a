"""Damaged and impossible configuration files: one error with its place, before a run begins."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from harness.compose import CONFIG_FOLDER, load_config
from harness.error import ConfigError
from surface.error import StudyError, SurfaceError

DEEP = "[" * 5_000 + "]" * 5_000
DAMAGE = {
    "tab": b"kind:\treference\n\tnext: 1\n",
    "nul": b"kind: reference\x00\n",
    "duplicate key": b"kind: reference\nkind: reference\n",
    "lone surrogate": b'kind: "\\ud800"\n',
    "not UTF-8": b"kind: \xff\xfe\n",
    "self-alias": b"kind: &kind [*kind]\n",
    "alias bomb": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c]\n"
    + b"".join(b"k%d: [*c, *c, *c, *c, *c, *c, *c, *c]\n" % number for number in range(2_000)),
    "nesting": f"kind: {DEEP}\n".encode(),
    "huge integer": b"kind: " + b"9" * 10_000 + b"\n",
    "tag": b"kind: !!python/object/apply:os.system [ls]\n",
    "two documents": b"kind: reference\n---\nkind: reference\n",
    "no YAML": b"kind: [reference\n",
    "a list": b"- kind\n- reference\n",
    "a word": b"reference\n",
}


@pytest.fixture
def configs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONFIG_FOLDER, tmp_path / "configs"))


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("file", ["agent/reference.yaml", "config.yaml", "study/dev.yaml"])
def test_a_damaged_file_is_named(configs: Path, file: str, damage: str) -> None:
    (configs / file).write_bytes(DAMAGE[damage])
    with pytest.raises(StudyError) as caught:
        load_config(folder=configs)
    assert caught.value.exit_code == 1
    assert "\n" not in caught.value.what + caught.value.remedy
    assert len(str(caught.value)) < 600
    if isinstance(caught.value, SurfaceError):
        assert caught.value.file == f"configs/{file}"


@pytest.mark.parametrize(
    ("damage", "line"), [("tab", 2), ("duplicate key", 2), ("not UTF-8", 1), ("tag", 1)]
)
def test_the_line_is_named(configs: Path, damage: str, line: int) -> None:
    (configs / "agent" / "reference.yaml").write_bytes(DAMAGE[damage])
    with pytest.raises(SurfaceError) as caught:
        load_config(folder=configs)
    assert caught.value.line == line


@pytest.mark.parametrize("content", [b"", b"# nothing but a comment\n"])
def test_an_empty_file_of_a_group_leaves_its_keys_out(configs: Path, content: bytes) -> None:
    (configs / "agent" / "reference.yaml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"not valid at agent"):
        load_config(folder=configs)


def test_a_pipe_in_place_of_a_file_is_told(configs: Path) -> None:
    path = configs / "agent" / "pipe.yaml"
    os.mkfifo(path)
    with pytest.raises(SurfaceError, match=r"pipe.yaml: This is not a file\."):
        load_config(folder=configs)


def test_a_missing_file_is_told(configs: Path) -> None:
    (configs / "config.yaml").unlink()
    with pytest.raises(ConfigError, match="cannot be composed"):
        load_config(folder=configs)


IMPOSSIBLE = {
    'recall_threshold: "0.97"': [
        'recall_threshold: "1/0"',
        'recall_threshold: "1e999999999"',
        'recall_threshold: "97"',
        'recall_threshold: "nan"',
        'recall_threshold: "०.९७"',
        "recall_threshold: 0.97",
    ],
    'task_pass_margin: "-0.02"': ['task_pass_margin: "-2"', 'task_pass_margin: ""'],
    'protocol: "0.14"': ['protocol: "\\ud800"', 'protocol: ""', "protocol: null", "protocol: 0.14"],
    "conditions: [SR-5-STATIC, SR-PROGRESSIVE-STATIC, SR-5-STATE-AWARE, FULL, ORACLE]": [
        "conditions: [SR-5-STATIC, SR-5-STATE-AWARE, FULL, ORACLE]",
        "conditions: [SR-5-STATIC, SR-PROGRESSIVE-STATIC, FULL, ORACLE]",
        "conditions: [SR-PROGRESSIVE-STATIC, SR-5-STATE-AWARE, FULL, FULL]",
        "conditions: [SR-PROGRESSIVE-STATIC, SR-5-STATE-AWARE, NONE]",
        "conditions: []",
    ],
    "catalogs: [100, 250, 500]": [
        "catalogs: [100, 100, 500]",
        "catalogs: [500, 100]",
        "catalogs: []",
        "catalogs: [true]",
        "catalogs: [1000000000000000000000]",
    ],
    "languages: [en, ko, es, ja, de, mixed]": ["languages: [en, en]", "languages: [fr]"],
    "  stages: [3, 10, null]": [
        "  stages: [-1]",
        "  stages: [0, 3]",
        "  stages: [null, 3]",
        "  stages: [10, 3]",
        "  stages: []",
        "  stages: [3, 1000000000000000000000]",
    ],
    "  top_k: 5": ["  top_k: 0", "  top_k: 5.0", "  top_k: true", '  top_k: "5"'],
    "  iterations: 10000": [
        "  iterations: 0",
        "  iterations: 1",
        "  iterations: 38",
        "  iterations: 1000000000",
    ],
    "  seed: 20260929": ["  seed: -1", "  seed: 9007199254740992"],
    "  level: 0.95": [
        "  level: 1",
        "  level: 0",
        "  level: .nan",
        "  level: .inf",
        "  level: 0.9999",
    ],
    "  max_turns: 8": ["  max_turns: 0", "  max_turns: 1000000000"],
}


@pytest.mark.parametrize(
    ("sound", "wrong"), [(sound, wrong) for sound, those in IMPOSSIBLE.items() for wrong in those]
)
def test_an_impossible_protocol_is_refused_when_it_is_read(
    configs: Path, sound: str, wrong: str
) -> None:
    path = configs / "study" / "protocol_0_14.yaml"
    text = path.read_text()
    assert f"{sound}\n" in text or f"{sound} #" in text
    path.write_text(text.replace(sound, wrong, 1), encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        load_config(folder=configs)
    assert caught.value.exit_code == 1
    assert "\n" not in caught.value.what


@pytest.mark.parametrize(
    ("sound", "wrong"),
    [
        ("locked: 500", "locked: 10001"),
        ("lexical_weight: 3", "lexical_weight: true"),
        ("slots: 5", "slots: 1.5"),
        ("typed: true", "typed: 1"),
        ("typed: true", "untyped: true"),
    ],
)
def test_an_impossible_retriever_is_refused_when_it_is_read(
    configs: Path, sound: str, wrong: str
) -> None:
    path = configs / "retriever" / "typed.yaml"
    path.write_text(path.read_text().replace(sound, wrong, 1))
    with pytest.raises(ConfigError):
        load_config(folder=configs)


@pytest.mark.parametrize(
    ("sound", "wrong", "field"),
    [
        ("  seed: 20260929", "  seed: 12:30", "analysis.seed"),
        ("  iterations: 10000", "  iterations: 10_000", "analysis.iterations"),
        ("catalogs: [100, 250, 500]", "catalogs: [1:40, 250, 500]", "catalogs[0]"),
    ],
)
def test_a_value_that_hydra_would_read_in_another_way_is_refused(
    configs: Path, sound: str, wrong: str, field: str
) -> None:
    path = configs / "study" / "protocol_0_14.yaml"
    text = path.read_text()
    path.write_text(text.replace(sound, wrong, 1))
    with pytest.raises(SurfaceError, match="two ways") as caught:
        load_config(folder=configs)
    assert caught.value.field == field
    assert caught.value.line == text[: text.index(sound)].count("\n") + 1


def test_a_file_that_names_itself_among_its_defaults_is_refused(configs: Path) -> None:
    (configs / "study" / "dev.yaml").write_text("defaults: [dev]\n")
    with pytest.raises(ConfigError, match="leads back to itself"):
        load_config(folder=configs)
