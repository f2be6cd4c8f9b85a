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
    assert set(StudyConfig.model_fields) == {name for name in KEY_KINDS if "." not in name}


def test_runtime_keys_are_not_hashed() -> None:
    plain = load_config()
    moved = load_config(["results=elsewhere", "workers=3", "shard.count=7", "progress=false"])
    assert moved.results == Path("elsewhere")
    assert digest(plain.hashed()) == digest(moved.hashed())


def test_where_a_model_server_is_and_how_patient_its_client_is_is_not_hashed() -> None:
    plain = load_config(["agent=smollm3_vllm"])
    moved = load_config(
        [
            "agent=smollm3_vllm",
            "agent.server.base_url=http://elsewhere:1/v1",
            "agent.server.key_variable=KEY",
            "agent.server.concurrency=3",
            "agent.server.retries=0",
            "agent.server.timeout_seconds=9",
        ]
    )
    assert digest(plain.hashed()) == digest(moved.hashed())
    assert "server" not in plain.hashed()["agent"]


@pytest.mark.parametrize(
    "override",
    [
        "agent.model=other",
        "agent.revision=other",
        "agent.context_tokens=1",
        "agent.calling=json_schema",
        "agent.system_suffix=/no_think",
        "agent.sampling.temperature=0.5",
        "agent.sampling.top_p=0.5",
        "agent.sampling.seed=1",
        "agent.sampling.max_tokens=257",
        "agent.request.cache_prompt=true",
    ],
)
def test_what_a_model_is_and_how_it_is_asked_is_hashed(override: str) -> None:
    plain = load_config(["agent=llama_cpp"])
    assert digest(load_config(["agent=llama_cpp", override]).hashed()) != digest(plain.hashed())


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("agent.calling=grammar", "not valid at agent: only llama.cpp"),
        ("agent.sampling.seed=-1", "not valid at agent.sampling.seed"),
        ("agent.sampling.temperature=3", "not valid at agent.sampling.temperature"),
        ("agent.server.base_url=http://me:secret@x/v1", "not valid at agent.server.base_url"),
        ("agent.server.base_url='http://x/v1?key=secret'", "not valid at agent.server.base_url"),
        ("agent.server.base_url=ftp://x/v1", "not valid at agent.server.base_url"),
        ("agent.server.key_variable=sk-secret", "not valid at agent.server.key_variable"),
        ("agent.server.concurrency=0", "not valid at agent.server.concurrency"),
        ("agent.server.nothing=1", "cannot be composed"),
    ],
)
def test_a_wrong_model_is_refused(override: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        load_config(["agent=smollm3_vllm", override])
    assert "secret" not in caught.value.what


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
