from __future__ import annotations

import pytest

from harness.grid import EpisodeKey, episode_keys
from harness.study import Study
from tests.integration.leakage.listening import Played, play_all
from tests.support.tiny import Tiny


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Five English tasks over the catalog of 100."""
    return Tiny.build(tmp_path_factory.mktemp("leakage")).study()


@pytest.fixture(scope="session")
def keys(study: Study) -> tuple[EpisodeKey, ...]:
    return episode_keys(study.pairs, study.config.study.conditions)


@pytest.fixture(scope="session")
def batch(study: Study, keys: tuple[EpisodeKey, ...]) -> dict[EpisodeKey, Played]:
    """Every episode, in the order of a shard."""
    return play_all(study, keys)
