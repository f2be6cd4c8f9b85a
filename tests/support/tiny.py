"""A tiny study on real input: the five English development tasks over the catalog of 100."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.compose import CONFIG_FOLDER, load_config
from harness.config import StudyConfig
from harness.study import Study
from surface.catalog import Catalog, load_catalogs
from surface.task import TASK_FOLDER

EPISODES = 25

CONFIG = """
defaults:
  - protocol_0_14

name: tiny
split: tiny
tasks_per_cell: 1
development: true
languages: [en]
catalogs: [100]
"""


@dataclass(frozen=True)
class Tiny:
    """Where the tiny study's files are."""

    configs: Path
    tasks: Path
    results: Path

    @classmethod
    def build(cls, folder: Path) -> Tiny:
        folder.mkdir(parents=True, exist_ok=True)
        tiny = cls(folder / "configs", folder / "tasks", folder / "results")
        shutil.copytree(CONFIG_FOLDER, tiny.configs)
        (tiny.configs / "study" / "tiny.yaml").write_text(CONFIG)
        (tiny.tasks / "tiny").mkdir(parents=True)
        shutil.copy(TASK_FOLDER / "dev" / "en.yaml", tiny.tasks / "tiny" / "en.yaml")
        return tiny

    def config(self, *overrides: str) -> StudyConfig:
        fixed = ("study=tiny", f"results={self.results}", "shard.count=2")
        return load_config([*fixed, *overrides], folder=self.configs)

    def study(self, *overrides: str) -> Study:
        study = Study(self.config(*overrides), self.tasks)
        study.__dict__["catalogs"] = {100: _catalog()}
        return study


@cache
def _catalog() -> Catalog:
    """Return the real catalog, read once a process."""
    return load_catalogs()[100]
