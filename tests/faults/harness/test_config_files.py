"""Damaged and impossible configuration files: one error with its place, before a run begins."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from pydantic import ValidationError

from gates.interval import outward_rank
from harness.compose import CONFIG_FOLDER, load_config
from harness.error import ConfigError
from harness.promise import promised
from harness.protocol import AnalysisConfig
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
        "  stages: [3, 10]",
        "  stages: [4, 10, null]",
    ],
    "  top_k: 5": ["  top_k: 0", "  top_k: 5.0", "  top_k: true", '  top_k: "5"', "  top_k: 6"],
    "  max_refreshes: 5": ["  max_refreshes: -1", "  max_refreshes: 4"],
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
        "  level: 1e-300",
        "  level: 0.9999999999999999",
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
        ("slots: 5", "slots: 6"),
        ("slots: 5", "slots: 20000"),
        ("slots: 5", "slots: 2"),
        ("slots: 5", "slots: 5\nterm: {name: 1001}"),
        ("slots: 5", "slots: 5\nlexical: {b: 1001}"),
        ("typed: true", "typed: 1"),
        ("typed: true", "untyped: true"),
    ],
)
def test_an_impossible_retriever_is_refused_when_it_is_read(
    configs: Path, sound: str, wrong: str
) -> None:
    path = configs / "retriever" / "typed.yaml"
    path.write_text(path.read_text().replace(sound, wrong, 1))
    with pytest.raises(ConfigError, match=r"^configs/retriever/typed\.yaml:?\d*: ") as caught:
        load_config(folder=configs)
    assert "Parameters" not in caught.value.what


@pytest.mark.parametrize(
    ("file", "sound", "wrong", "start", "end"),
    [
        ("study/dev", "name: dev", "name: other", "configs/study/dev.yaml:5", "is called dev."),
        (
            "study/dev",
            "name: dev",
            "nam: dev",
            "configs/study/dev.yaml",
            "name: the key is missing.",
        ),
        ("study/dev", "split: dev", "split: ???", "configs/study/dev.yaml:6", "value: split."),
        ("study/dev", "split: dev", "split: ${x}", "configs/study/dev.yaml:6", "'x' not found."),
        (
            "study/protocol_0_14",
            "top_k: 5",
            "top_k: 6",
            "configs/study/protocol_0_14.yaml:13",
            "6.",
        ),
        (
            "study/protocol_0_14",
            "level: 0.95",
            "level: x",
            "configs/study/protocol_0_14.yaml:22",
            "",
        ),
        ("agent/reference", "kind:", "kin:", "configs/agent/reference.yaml", "key is missing."),
        ("agent/reference", "reference", "gold", "configs/agent/reference.yaml:2", "'simulated'."),
        ("config", "results: results", 'results: ""', "configs/config.yaml:14", "has no name."),
        ("config", "progress:", "progres:", "configs/config.yaml:16", "does not exist here."),
    ],
)
def test_file_and_line_of_a_wrong_value_are_named(
    configs: Path, file: str, sound: str, wrong: str, start: str, end: str
) -> None:
    path = configs / f"{file}.yaml"
    text = path.read_text()
    at = text.index(f"\n{sound}") + 1 if f"\n{sound}" in text else text.index(sound)
    path.write_text(text[:at] + wrong + text[at + len(sound) :])
    with pytest.raises(ConfigError) as caught:
        load_config(folder=configs)
    assert caught.value.what.startswith(f"{start}: The configuration is not valid at ")
    assert caught.value.what.endswith(end)
    assert "verride" not in caught.value.remedy


@pytest.mark.parametrize(
    ("sound", "wrong", "words"),
    [
        ("  - agent: reference\n", "  - agent: null\n", "do not choose one file of configs/agent/"),
        (
            "  - agent: reference\n",
            "  - agent: [random]\n",
            "do not choose one file of configs/agent",
        ),
        ("  - agent: reference\n", "", "do not choose one file of configs/agent/"),
        ("  - store: local\n", "  - store: nowhere\n", "Could not find 'store/nowhere'"),
        ("  - _self_\n", "", "missing `_self_`"),
    ],
)
def test_defaults_that_choose_nothing_are_told(
    configs: Path, sound: str, wrong: str, words: str
) -> None:
    path = configs / "config.yaml"
    text = path.read_text()
    assert sound in text
    path.write_text(text.replace(sound, wrong))
    with pytest.raises(ConfigError, match=re.escape(words)) as caught:
        load_config(["study=dev"], folder=configs)
    assert "verride" not in caught.value.remedy


def test_an_override_that_does_not_fit_is_what_has_to_be_corrected(configs: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(["study=dev", "shard.count=0"], folder=configs)
    assert caught.value.what.startswith("The configuration is not valid at shard.count: ")
    assert caught.value.remedy == "Correct the override shard.count=0."


@pytest.mark.parametrize(("iterations", "level"), [(39, 0.95), (39, 0.05), (199, 0.99), (3, 0.5)])
def test_as_few_iterations_as_a_level_needs_are_enough(iterations: int, level: float) -> None:
    enough = AnalysisConfig(iterations=iterations, seed=1, level=level)
    assert outward_rank(enough.iterations, enough.level) >= 1
    with pytest.raises(ValidationError, match="too few"):
        AnalysisConfig(iterations=iterations - 1, seed=1, level=level)


@pytest.mark.parametrize(
    ("protocol", "conditions", "numbers"),
    [
        ("0.14", ["FULL"], {"top_k": 5, "stages": (3, 10, None), "max_refreshes": 5}),
        ("mine", ["SR-5-STATIC", "FULL"], {"top_k": 5}),
        ("mine", ["SR-PROGRESSIVE-STATIC", "ORACLE"], {}),
    ],
)
def test_names_stand_for_numbers(
    protocol: str, conditions: list[str], numbers: dict[str, object]
) -> None:
    assert promised(protocol, conditions) == numbers


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
