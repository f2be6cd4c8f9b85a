"""What may stand in a tracked file, and that each of them can be read."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
import yaml

from tests.unit.project.checkout import tracked

# A package comes by its name from whatever registry a machine is set up for.
REGISTRY_HOST = re.compile(
    rb"\b(pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|yarnpkg[.]com|deb[.]debian[.]org"
    rb"|proxy[.]golang[.]org|crates[.]io|rubygems[.]org|anaconda[.]org)\b",
    re.IGNORECASE,
)
# A path that exists on one machine only.
MACHINE_PATH = re.compile(
    rb"(?<![A-Za-z0-9_.\-])/(?:(?:work|root|farm)/|(?:home|Users)/[A-Za-z0-9_]|tmp/bash_jobs)"
)


def _matches(pattern: re.Pattern[bytes]) -> list[str]:
    found = []
    for path in tracked():
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.name}:{number}")
    return found


def test_no_file_names_a_registry_host() -> None:
    assert _matches(REGISTRY_HOST) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert _matches(MACHINE_PATH) == []


@pytest.mark.parametrize("host", ["pypi", "crates"])
@pytest.mark.parametrize("around", ["https://{}/simple", "--index-url={}", "see {}."])
def test_a_registry_host_is_seen(host: str, around: str) -> None:
    name = {"pypi": "pypi" + ".org", "crates": "static.crates" + ".io"}[host]
    assert REGISTRY_HOST.search(around.format(name).encode())


@pytest.mark.parametrize("path", ["/{}/main", "open('/{}/x')", "see /{}/ for it", "PATH=/{}/bin"])
@pytest.mark.parametrize("folder", ["work", "root", "home" + "/someone"])
def test_a_path_of_one_machine_is_seen(path: str, folder: str) -> None:
    assert MACHINE_PATH.search(path.format(folder).encode())


@pytest.mark.parametrize(
    "text", ["a/work/b", "./root/x", "the home/work balance", "$ref: x#/roots/"]
)
def test_other_paths_are_let_through(text: str) -> None:
    assert not MACHINE_PATH.search(text.encode())


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


PARSERS: dict[str, Callable[[str], object]] = {
    ".py": lambda text: ast.parse(text, feature_version=(3, 11)),
    ".toml": tomllib.loads,
    ".json": lambda text: json.loads(text, parse_constant=_reject_constant),
    ".ipynb": lambda text: nbformat.validate(json.loads(text)),
    # Syntax only: what the scalars mean is for each file's own reader.
    ".yaml": lambda text: list(yaml.parse(text)),
    ".yml": lambda text: list(yaml.parse(text)),
    ".cff": lambda text: list(yaml.parse(text)),
}


def test_every_file_parses() -> None:
    broken = []
    for path in tracked():
        parse = PARSERS.get(path.suffix)
        if parse is None:
            continue
        try:
            parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError, yaml.YAMLError, nbformat.ValidationError) as error:
            broken.append(f"{path.name}: {error}")
    assert broken == []


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "def f(:"),
        (".toml", "a = "),
        (".json", '{"a": NaN}'),
        (".yaml", "a: [1"),
        (".ipynb", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"id": "a"}]}'),
    ],
)
def test_a_broken_file_is_seen(suffix: str, text: str) -> None:
    with pytest.raises((SyntaxError, ValueError, yaml.YAMLError, nbformat.ValidationError)):
        PARSERS[suffix](text)


def test_text_files_end_with_a_newline() -> None:
    suffixes = {*PARSERS, ".md", ".lock"}
    assert [p.name for p in tracked() if p.suffix in suffixes and not _ends_well(p)] == []


def _ends_well(path: Path) -> bool:
    data = path.read_bytes()
    return not data or data.endswith(b"\n")
