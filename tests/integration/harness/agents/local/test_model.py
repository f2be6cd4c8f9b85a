"""The small model itself, where `make local` has installed it: it repeats, and it replays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harness.agents.local.agent import LocalAgent
from harness.agents.local.engine import is_installed
from harness.agents.local.grammar import answer_grammar
from harness.agents.local.section import LocalSection
from harness.agents.openai.grammar import answer_grammar as server_grammar
from harness.agents.replay import ReplayAgent
from harness.compose import load_config
from harness.grid import EpisodeKey
from harness.prompt import Toolbox
from harness.record import EpisodeRecord
from harness.study import Study
from harness.table import build_tables, logical_digest

SECTION = load_config(["agent=local"]).agent

pytestmark = [
    pytest.mark.skipif(
        not (isinstance(SECTION, LocalSection) and is_installed(SECTION)),
        reason="the small model is not installed; run `make local`",
    ),
]

KEYS = (
    EpisodeKey("dev-en-two-step", 250, "ORACLE"),
    EpisodeKey("dev-en-two-step", 250, "FULL"),
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    results = tmp_path_factory.mktemp("results")
    return Study(load_config(["study=slice", "agent=local", f"results={results}"]))


@pytest.fixture(scope="module")
def episodes(study: Study) -> tuple[EpisodeRecord, ...]:
    return tuple(study.run(key, clock=iter(range(10**9)).__next__) for key in KEYS)


def digest_of(records: Sequence[EpisodeRecord]) -> str:
    return logical_digest({name: [part] for name, part in build_tables(records).items()})


def test_a_catalog_that_does_not_fit_overflows(episodes: tuple[EpisodeRecord, ...]) -> None:
    full = episodes[1]
    assert full.ending == "overflow"
    assert not full.task_pass
    assert '"context_tokens":8192' in full.exchanges[0].answer


def test_every_answer_is_a_call_of_a_shown_tool_or_words(
    episodes: tuple[EpisodeRecord, ...],
) -> None:
    turns = episodes[0].turns
    assert turns
    for turn in turns:
        assert turn.malformed or {call.route for call in turn.calls} <= set(turn.exposure)


def test_it_repeats_bit_for_bit(study: Study, episodes: tuple[EpisodeRecord, ...]) -> None:
    again = [study.run(key, clock=iter(range(10**9)).__next__) for key in KEYS]
    assert digest_of(again) == digest_of(episodes)


def test_it_replays_bit_for_bit_without_the_model(
    study: Study, episodes: tuple[EpisodeRecord, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(*_: object) -> Any:
        raise RuntimeError("the model was asked")

    monkeypatch.setattr(LocalAgent, "act", act)
    replayed = [
        study.run(
            record.key,
            clock=iter(range(10**9)).__next__,
            agent=ReplayAgent(study.agent_for(record.key), record.exchanges, "x"),
        )
        for record in episodes
    ]
    assert digest_of(replayed) == digest_of(episodes)


def test_the_grammar_of_every_tool_is_accepted(study: Study) -> None:
    agent = study.agent
    assert isinstance(agent, LocalAgent)
    tools = tuple(Toolbox.of(study.catalogs[250].snapshot).tools.values())
    body: Mapping[str, Any] = {
        "messages": [{"role": "user", "content": "Go."}],
        "grammar": answer_grammar(tools),
        "max_tokens": 1,
        "cache_prompt": False,
    }
    assert "choices" in agent._model().complete(body)


@pytest.mark.parametrize("count", [0, 2])
def test_the_grammar_for_llama_cpp_servers_is_accepted(study: Study, count: int) -> None:
    agent = study.agent
    assert isinstance(agent, LocalAgent)
    names = [f"shop__tool_{number}" for number in range(count)]
    body: Mapping[str, Any] = {
        "messages": [{"role": "user", "content": "Go."}],
        "grammar": server_grammar(names),
        "max_tokens": 12,
        "cache_prompt": False,
    }
    said = agent._model().complete(body)["choices"][0]["message"]["content"]
    assert said.startswith('{"turn": {"')
