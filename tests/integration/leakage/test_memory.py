"""No memory across episodes and arms: alone, shuffled or in a batch, an episode is the same."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import Any

import pytest

from conditions.preregistered import CONDITIONS, make_condition
from harness.grid import EpisodeKey
from harness.record import EpisodeRecord
from harness.study import Study
from tests.integration.leakage.listening import Played, play, play_all


def fresh(study: Study) -> Study:
    """The study with agent, retrievers and tools of its own."""
    copy = Study(study.config, study.task_folder)
    copy.__dict__["catalogs"] = study.catalogs
    return copy


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_episodes_plays_no_part(
    study: Study, keys: tuple[EpisodeKey, ...], batch: dict[EpisodeKey, Played], seed: int
) -> None:
    shuffled = random.Random(seed).sample(keys, len(keys))
    assert shuffled != list(keys)
    assert play_all(fresh(study), shuffled) == batch


@pytest.mark.parametrize("position", range(0, 25, 4))
def test_an_episode_alone_is_the_one_of_the_batch(
    study: Study, keys: tuple[EpisodeKey, ...], batch: dict[EpisodeKey, Played], position: int
) -> None:
    key = keys[position]
    assert play(fresh(study), key) == batch[key]


def test_an_episode_twice_is_the_same_twice(
    study: Study, keys: tuple[EpisodeKey, ...], batch: dict[EpisodeKey, Played]
) -> None:
    for key in keys[::5]:
        assert play(study, key) == batch[key]


# The A/A pair: one arm under two names.


def under_another_name(study: Study, key: EpisodeKey, monkeypatch: pytest.MonkeyPatch) -> Played:
    """An episode under its condition by another name."""

    def renamed(name: str, **options: Any) -> Any:
        condition = make_condition(name, **options)
        kind = type(condition)
        other = type("Other", (kind,), {"name": f"B-{len(name)}"})
        return other(**{item.name: getattr(condition, item.name) for item in fields(condition)})

    with monkeypatch.context() as patch:
        patch.setattr("harness.study.make_condition", renamed)
        return play(study, key)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_an_arm_and_its_double_come_to_the_same(
    study: Study,
    batch: dict[EpisodeKey, Played],
    monkeypatch: pytest.MonkeyPatch,
    condition: str,
) -> None:
    for key in (item for item in batch if item.condition == condition):
        double = under_another_name(study, key, monkeypatch)
        assert double.record.key.condition == f"B-{len(condition)}"
        same: EpisodeRecord = replace(double.record, key=key)
        assert replace(double, record=same) == batch[key]
