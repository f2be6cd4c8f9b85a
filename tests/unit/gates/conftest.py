from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.harness.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World.build(tmp_path)
