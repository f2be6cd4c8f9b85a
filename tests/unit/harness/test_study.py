"""Loading a study: what its surface must hold before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.error import ConfigError
from surface.error import SurfaceError
from tests.support.tiny import CONFIG, Tiny


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny.build(tmp_path)


def edit(tiny: Tiny, old: str, new: str) -> int:
    """Replace the first occurrence in the task file; return its line."""
    path = tiny.tasks / "tiny" / "en.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_an_unknown_route_is_named_with_its_line(tiny: Tiny) -> None:
    line = edit(tiny, "route: freight.get_shipment", "route: freight.nothing")
    with pytest.raises(SurfaceError, match=r"has no route 'freight\.nothing'") as caught:
        _ = tiny.study().tasks
    assert (caught.value.file, caught.value.line) == ("tasks/tiny/en.yaml", line)
    assert caught.value.field == "tasks[0].steps[0].route"


def test_an_unknown_parameter_is_named_with_its_line(tiny: Tiny) -> None:
    line = edit(tiny, "shipment_id: {equals", "shipment: {equals")
    with pytest.raises(SurfaceError, match="has no parameter 'shipment'") as caught:
        _ = tiny.study().tasks
    assert caught.value.line == line


def test_a_split_that_does_not_fill_the_grid_is_refused(tiny: Tiny) -> None:
    edit(tiny, "stratum: two_step_state_dependency", "stratum: three_step_state_dependency")
    with pytest.raises(ConfigError, match=r"has 0 tasks, not 1\."):
        _ = tiny.study().tasks


def test_tasks_outside_the_grid_are_refused(tiny: Tiny) -> None:
    path = tiny.configs / "study" / "tiny.yaml"
    path.write_text(CONFIG + "strata: [two_step_state_dependency]\n")
    with pytest.raises(ConfigError, match="tasks outside the study's strata"):
        _ = tiny.study().tasks


def test_a_catalog_that_does_not_exist_is_refused(tiny: Tiny) -> None:
    path = tiny.configs / "study" / "tiny.yaml"
    path.write_text(CONFIG.replace("[100]", "[100, 300]"))
    study = tiny.study()
    del study.__dict__["catalogs"]
    with pytest.raises(ConfigError, match="no catalog of 300 endpoints"):
        _ = study.catalogs


def test_the_identity_is_a_function_of_the_files(tiny: Tiny) -> None:
    before = tiny.study().identity
    assert tiny.study("workers=2", "shard.count=9").identity == before
    assert tiny.study().identity == before
