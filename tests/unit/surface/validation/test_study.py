"""The study's own catalogs and development tasks are sound."""

from __future__ import annotations

from surface.task import LANGUAGES, STRATA
from surface.validation import check_catalogs, check_surface


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
