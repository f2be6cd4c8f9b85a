"""The locks hold versions and hashes only, and what pyproject.toml asks for."""

from __future__ import annotations

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.unit.project.checkout import ROOT, project
from tests.unit.project.lockfile import Entry, LockError, read_lock

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
HASH = "--hash=sha256:" + "0" * 64


def _lock(name: str) -> tuple[Entry, ...]:
    return read_lock((ROOT / name).read_text(encoding="utf-8"))


def _asked_for() -> list[Requirement]:
    metadata = project()["project"]
    extras = metadata["optional-dependencies"]
    locked = [r for name in ("study", "dask", "s3", "dev") for r in extras[name]]
    return [Requirement(r) for r in metadata["dependencies"] + locked]


def _meets(entries: tuple[Entry, ...], requirement: Requirement, python: str) -> bool:
    name = canonicalize_name(requirement.name)
    found = [entry for entry in entries if entry.name == name and entry.applies(python)]
    return len(found) == 1 and requirement.specifier.contains(found[0].version, prereleases=True)


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_meets_what_the_project_asks_for(python: str) -> None:
    entries = _lock("requirements.lock")
    assert [str(r) for r in _asked_for() if not _meets(entries, r, python)] == []


@pytest.mark.parametrize("python", PYTHONS)
def test_no_distribution_is_pinned_twice_for_one_python(python: str) -> None:
    names = [entry.name for entry in _lock("requirements.lock") if entry.applies(python)]
    assert len(names) == len(set(names))


def test_the_build_lock_meets_what_building_asks_for() -> None:
    entries = _lock("requirements-build.lock")
    document = project()
    asked = document["build-system"]["requires"] + document["dependency-groups"]["build"]
    assert all(_meets(entries, Requirement(r), python) for r in asked for python in PYTHONS)


def test_every_supported_python_is_declared() -> None:
    prefix = "Programming Language :: Python :: "
    classifiers = project()["project"]["classifiers"]
    declared = [c.removeprefix(prefix) for c in classifiers if c.startswith(prefix)]
    assert declared == list(PYTHONS)


@pytest.mark.parametrize(
    "line",
    [
        "numpy==2.4.6",
        f"numpy>=2.4.6 {HASH}",
        f"numpy==2.* {HASH}",
        f"numpy {HASH}",
        f"numpy @ https://example.org/numpy.whl {HASH}",
        f"https://example.org/numpy.whl {HASH}",
        "--index-url https://example.org/simple",
        "--extra-index-url=https://example.org/simple",
        "-r other.lock",
        f"-e . {HASH}",
        "numpy==2.4.6 --hash=md5:00",
        f"numpy==2.4.6 {HASH} --global-option=x",
    ],
)
def test_a_line_that_does_not_belong_in_a_lock_is_seen(line: str) -> None:
    with pytest.raises(LockError):
        read_lock(f"# made by make lock\npydantic==2.12 {HASH}\n{line}\n")


def test_an_entry_is_read_with_its_marker() -> None:
    (entry,) = read_lock(
        f"NumPy==2.4.6 ; python_full_version < '3.12' \\\n    {HASH} \\\n    {HASH}\n"
    )
    assert (entry.name, str(entry.version)) == ("numpy", "2.4.6")
    assert [python for python in PYTHONS if entry.applies(python)] == ["3.11"]
