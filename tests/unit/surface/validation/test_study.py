"""The study's own catalogs and development tasks are sound."""

from __future__ import annotations

import pytest
import yaml

from surface.catalog import CATALOG_FOLDER
from surface.error import SurfaceError
from surface.task import LANGUAGES, STRATA, TASK_FOLDER
from surface.validation import check_catalogs, check_surface
from surface.yaml import read_yaml


def test_the_catalogs_are_sound() -> None:
    assert [str(problem) for problem in check_catalogs()] == []


def test_the_development_split_is_sound() -> None:
    report = check_surface(["dev"])
    assert [str(problem) for problem in report.problems] == []
    assert report.counts["tasks in dev"] == len(STRATA) * len(LANGUAGES)
    assert [report.counts[f"endpoints in catalog {size}"] for size in (100, 250, 500)] == [
        100,
        250,
        500,
    ]


def test_no_file_depends_on_which_parser_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser in Python may refuse what the one in C reads, but never reads something else."""
    files = [*CATALOG_FOLDER.rglob("*.yaml"), *TASK_FOLDER.rglob("*.yaml")]
    read = {path: read_yaml(path).data for path in files}
    monkeypatch.setattr("surface.yaml._Loader", yaml.SafeLoader)
    for path, data in read.items():
        try:
            again = read_yaml(path).data
        except SurfaceError:
            continue
        assert again == data
