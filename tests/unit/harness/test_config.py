"""Configuration: what composes, what is refused, and what a key is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from harness.compose import load_config
from harness.config import KEY_KINDS, StudyConfig
from harness.error import ConfigError
from router.canonical import digest


def test_the_default_is_the_development_study() -> None:
    config = load_config()
    assert config.study.name == "dev"
    assert config.study.development
    assert (config.study.pairs, config.study.episodes) == (90, 450)
    assert config.study.exposure.stages == (3, 10, None)
    assert (config.study.analysis.iterations, config.study.analysis.seed) == (10_000, 20260929)


def test_every_key_is_of_one_kind() -> None:
    assert set(StudyConfig.model_fields) == set(KEY_KINDS)


def test_runtime_keys_are_not_hashed() -> None:
    plain = load_config()
    moved = load_config(["results=elsewhere", "workers=3", "shard.count=7", "progress=false"])
    assert moved.results == Path("elsewhere")
    assert digest(plain.hashed()) == digest(moved.hashed())


@pytest.mark.parametrize(
    "path", ["a b/c", "über/結果", "it's", "a,b", "a=b", "C:\\x", "${HOME}", "{x}", "[1]", "~/x"]
)
def test_any_path_can_be_the_results_folder(path: str) -> None:
    assert load_config([f"results={path}"]).results == Path(path)


def test_a_path_of_undecodable_bytes_can_be_the_results_folder() -> None:
    assert load_config(["results=\udcff"]).results == Path("\udcff")


@pytest.mark.parametrize("choice", ["dev", "'dev'", '"dev"'])
def test_a_quoted_choice_is_taken_as_hydra_takes_it(choice: str) -> None:
    assert load_config([f"study={choice}"]) == load_config()


def test_a_quoted_path_is_taken_as_hydra_takes_it() -> None:
    assert load_config(["results='a b'"]).results == Path("a b")


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("study.exposure.top_k=6", "cannot be overridden"),
        ("study.gate.recall_threshold=0.5", "cannot be overridden"),
        ("retriever.typed=false", "cannot be overridden"),
        ("nothing=1", "does not exist"),
        ("shard.nothing=1", "cannot be composed"),
        ("study=nothing", "There is no study 'nothing'"),
        ("study=protocol_0_14", "There is no study"),
        ("agent=nothing", "There is no agent"),
        ("+study.extra=1", "not of the form"),
        ("~study", "not of the form"),
        ("study", "not of the form"),
        ("workers=0", "not valid at workers"),
        ("workers=many", "not valid at workers"),
        ("shard.index=-1", "not valid at shard.index"),
        ("agent.kind=gold", "not valid at agent.kind"),
        ("workers=true", "not valid at workers"),
        ("workers=2.0", "not valid at workers"),
        ("workers=1000000000000", "not valid at workers"),
        ("progress=1", "not valid at progress"),
        ("shard.index=99999", "not valid at shard.index"),
        ("shard.count=100000", "not valid at shard.count"),
        ("results=", "no name"),
        ("results=''", "no name"),
        ("workers=\udcff", "cannot be composed"),
    ],
)
def test_a_wrong_override_is_refused(override: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_config([override])


def test_composing_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    load_config()
    assert list(tmp_path.iterdir()) == []


def test_a_configuration_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        load_config().workers = 3  # type: ignore[misc]
