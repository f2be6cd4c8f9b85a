"""What an installed copy holds: the five packages and the data they read."""

from __future__ import annotations

from tests.unit.project.checkout import ROOT, project, tracked
from tests.unit.project.imports import OURS


def test_the_five_packages_are_installed_and_nothing_else() -> None:
    find = project()["tool"]["setuptools"]["packages"]["find"]
    assert set(find["include"]) == {*OURS, *(f"{package}.*" for package in OURS)}


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for package in OURS for path in tracked(f"{package}/*.py")}
    # A folder without it is left out of an installed copy without a word.
    assert [str(f.relative_to(ROOT)) for f in folders if not (f / "__init__.py").is_file()] == []


def test_the_library_carries_its_types() -> None:
    assert (ROOT / "router" / "py.typed").is_file()


def test_every_data_file_of_a_package_is_installed() -> None:
    patterns = project()["tool"]["setuptools"]["package-data"]
    left_out = []
    for package in OURS:
        installed = {p for pattern in patterns[package] for p in (ROOT / package).glob(pattern)}
        # Documents are for readers of the checkout.
        data = [p for p in tracked(f"{package}/*") if p.suffix not in {".py", ".md"}]
        left_out += [str(p.relative_to(ROOT)) for p in data if p not in installed]
    assert left_out == []
