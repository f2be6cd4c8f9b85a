"""Data flows down the design's picture once: the import graph says so."""

from __future__ import annotations

import json

import pytest

from tests.unit.project.checkout import ROOT, project, tracked
from tests.unit.project.imports import (
    OURS,
    imported,
    module_name,
    normalised,
    notebook_source,
    undeclared,
    violations,
)


def _requirements(*extras: str) -> frozenset[str]:
    metadata = project()["project"]
    listed = list(metadata["dependencies"])
    for extra in extras:
        listed += metadata["optional-dependencies"][extra]
    return frozenset(map(normalised, listed))


@pytest.mark.parametrize("package", OURS)
def test_a_package_imports_only_what_stands_above_it(package: str) -> None:
    found = []
    for path in tracked(f"{package}/*.py"):
        source = path.read_text(encoding="utf-8")
        init = path.name == "__init__.py"
        found += violations(source, module_name(path, ROOT), package=init)
    assert found == []


def test_notebooks_import_only_gates() -> None:
    found = []
    for path in tracked("notebooks/*.ipynb", "notebooks/*.py"):
        text = path.read_text(encoding="utf-8")
        source = notebook_source(text) if path.suffix == ".ipynb" else text
        found += violations(source, module_name(path, ROOT))
    assert found == []


@pytest.mark.parametrize("package", OURS)
def test_third_party_imports_are_declared(package: str) -> None:
    # The router is installed alone, so it lives on the core dependencies; the extras that only
    # check the project are nobody's at run time.
    extras = set(project()["project"]["optional-dependencies"]) - {"dev", "bench", "compat"}
    allowed = _requirements() if package == "router" else _requirements(*extras)
    found = []
    for path in tracked(f"{package}/*.py"):
        found += undeclared(path.read_text(encoding="utf-8"), module_name(path, ROOT), allowed)
    assert found == []


# The checker itself: each of these is a mistake that it has to see.
@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("router.ranking", "import surface"),
        ("router.ranking", "from conditions.state import State"),
        ("surface.task", "import harness.manifest as manifest"),
        ("surface.task", "from conditions import state"),
        ("conditions.state", "def late():\n    from harness import store"),
        ("harness.shard", "from gates.metrics import task_pass"),
        ("harness.clients", "import gates"),
        ("harness.shard", "from importlib import import_module\nimport_module('gates.report')"),
        ("harness.shard", "import importlib\nimportlib.import_module('gates')"),
        ("harness.shard", "__import__('gates')"),
        ("gates.audit", "from surface.executor import execute"),
        ("gates.audit", "from surface import executor"),
        ("gates.audit", "import surface.gold"),
        ("gates.audit", "from harness.agents.reference import ReferenceAgent"),
        ("gates.audit", "from harness import agents, schema"),
        ("gates.audit", "if TYPE_CHECKING:\n    from harness.episode import Episode"),
        ("notebooks.inspect", "import gates\nimport router"),
    ],
)
def test_the_checker_sees_a_violation(module: str, source: str) -> None:
    assert len(violations(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("router.ranking", "import numpy\nfrom router.snapshot import CatalogSnapshot"),
        ("surface.catalog", "from router.contract import ToolSpec"),
        ("conditions.exposure", "from surface.catalog import Catalog\nimport router.ranking"),
        ("harness.__main__", "from gates import report"),
        ("harness.cli", "import gates.verify"),
        ("harness.aggregate_command", "from gates.verify import verify"),
        ("gates.verify", "from harness.schema import EPISODES\nfrom harness import manifest"),
        ("gates.audit", "from surface.catalog import Catalog\nfrom conditions import state"),
        # Longer names that only begin like a closed one.
        ("gates.audit", "from harness import agents_table, episodes\nimport surface.golden"),
        ("notebooks.inspect", "from gates import terminal"),
    ],
)
def test_the_checker_allows_what_the_design_allows(module: str, source: str) -> None:
    assert violations(source, module) == []


@pytest.mark.parametrize(
    ("module", "package", "source", "name"),
    [
        (
            "harness.agents.reference",
            False,
            "from .protocol import Turn",
            "harness.agents.protocol.Turn",
        ),
        ("harness.agents.reference", False, "from .. import store", "harness.store"),
        ("harness.agents", True, "from . import protocol", "harness.agents.protocol"),
        ("harness.agents", True, "from ..store import local", "harness.store.local"),
    ],
)
def test_relative_imports_are_resolved(module: str, package: bool, source: str, name: str) -> None:
    assert list(imported(source, module, package=package)) == [(1, name)]


def test_an_undeclared_dependency_is_seen() -> None:
    source = "import json\nimport numpy.linalg\nimport yaml\nimport pandas\nfrom . import ranking"
    assert undeclared(source, "router", frozenset({"numpy", "pyyaml"})) == [
        "router:4 imports pandas"
    ]


def test_the_router_alone_pulls_in_no_study_package() -> None:
    heavy = {"hydra-core", "omegaconf", "pandas", "pyarrow", "matplotlib"}
    assert _requirements().isdisjoint(heavy)
    assert heavy <= _requirements("study")


def test_notebook_code_is_read_without_magics_and_prose() -> None:
    notebook = {
        "cells": [
            {"cell_type": "markdown", "source": ["import router"]},
            {"cell_type": "code", "source": ["%matplotlib inline\n", "import gates"]},
            {"cell_type": "code", "source": "import harness"},
        ]
    }
    source = notebook_source(json.dumps(notebook))
    assert violations(source, "notebooks.inspect") == ["notebooks.inspect:3 imports harness"]
