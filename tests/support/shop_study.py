"""A finished study of the shop on disk: four tasks, two catalogs, five conditions, two shards.

Everything is written as a shard writes it, so that tests can alter it in every way, and make every
digest anew as a forger would.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa

from gates.metric_table import CONDITIONS
from gates.setting import Setting
from harness.agents.protocol import ContextOverflow, Turn
from harness.folder import StudyFolder
from harness.grid import EpisodeKey, Shard, episode_keys, grid_pairs
from harness.ledger import Ledger
from harness.manifest import Manifest, StudyRecord, TableEntry, write_record
from harness.record import EpisodeRecord
from harness.schema import TABLES
from harness.store import read_table, write_table
from harness.table import build_tables, logical_digest
from router.snapshot import CatalogSnapshot
from surface.catalog import Catalog
from surface.service import load_service
from surface.task import Task
from surface.vocabulary import load_vocabulary
from tests.unit.harness.world import (
    CANCEL,
    FIND,
    GET,
    GOLD,
    SERVICE,
    TASK,
    VOCABULARY,
    Scripted,
    ScriptedAgent,
    World,
    call,
)

IDENTITY: Final = "5" * 64

RIVAL: Final = """
service: mall
description: A mall of many shops.
endpoints:
- name: find_orders
  tier: 250
  effect: read
  description: List the orders of a customer of the mall by e-mail.
  parameters: {email: customer.email}
  outputs: {'orders[].order_id': order.id}
"""

CELLS: Final = (
    ("shop-1", "three_step_state_dependency", "en"),
    ("shop-2", "three_step_state_dependency", "en"),
    ("shop-3", "recoverable_execution_failure", "de"),
    ("shop-4", "recoverable_execution_failure", "de"),
)

MORE = "REQUEST_MORE_TOOLS"
SCRIPTS: Final[tuple[tuple[Scripted, ...], ...]] = (
    GOLD,
    (FIND, GET, GET, CANCEL, CANCEL, "done"),
    (FIND, MORE, GET, MORE, GET, MORE),
    (FIND, GET, ContextOverflow()),
    (CANCEL, FIND, GET, GET, Turn(None, (call("shop__cancel_order", "{"),)), CANCEL, "done"),
    (Turn("both", (call(*FIND), call(*GET))), GET, GET, CANCEL, ContextOverflow()),
    (("mall__find_orders", FIND[1]), FIND, FIND, GET, GET, GET, CANCEL, CANCEL),
    (FIND, *[Turn("mute", (call("", "{}"),))] * 3),
)


@cache
def tasks() -> Mapping[str, Task]:
    """The tasks by id; all ask for the same."""
    return {
        name: Task.model_validate_json(
            json.dumps({**TASK, "id": name, "stratum": stratum, "language": language})
        )
        for name, stratum, language in CELLS
    }


@cache
def catalogs() -> Mapping[int, Catalog]:
    """The shop alone, and the shop beside a rival."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "vocabulary.yaml").write_text(VOCABULARY)
        (folder / "shop.yaml").write_text(SERVICE)
        (folder / "mall.yaml").write_text(RIVAL)
        vocabulary = load_vocabulary(folder / "vocabulary.yaml")
        services = [load_service(folder / f"{part}.yaml", vocabulary) for part in ("shop", "mall")]
    examples = {item.route: item.example for service in services for item in service.listings}
    return {
        4: Catalog(4, CatalogSnapshot.of([services[0].tool(100)]), examples),
        5: Catalog(5, CatalogSnapshot.of([item.tool(250) for item in services]), examples),
    }


def keys() -> tuple[EpisodeKey, ...]:
    """Every episode of the study."""
    pairs = grid_pairs(tasks(), list(catalogs()))
    return tuple(EpisodeKey(*pair, condition) for pair in pairs for condition in CONDITIONS)


@cache
def records() -> Mapping[EpisodeKey, EpisodeRecord]:
    """Every episode, run: agents take the scripts in turn, whatever the condition."""
    found = {}
    for position, key in enumerate(keys()):
        agent = ScriptedAgent([*SCRIPTS[position % len(SCRIPTS)], *[MORE] * 8])
        world = World(catalogs()[key.catalog_size], tasks()[key.task_id])
        found[key] = world.run(agent, key.condition, clock=lambda: 0.0)
    return found


def record_of(**changes: Any) -> StudyRecord:
    """What the study pins."""
    fields: dict[str, Any] = {
        "study": "shop",
        "split": "test",
        "identity": IDENTITY,
        "shards": 2,
        "agent": {"kind": "scripted"},
        "evidence": "instrument",
        "development": True,
        "components": {"config": "6" * 64, "tasks": "7" * 64},
        "config": {
            "study": {
                "catalogs": list(catalogs()),
                "conditions": list(CONDITIONS),
                "exposure": {"top_k": 2, "stages": [1, 2, None], "max_refreshes": 5},
                "episode": {"max_turns": 8, "max_reminders": 2},
                "analysis": {"iterations": 200, "seed": 20260929, "level": 0.95},
                "gate": {"task_pass_margin": "-0.02", "recall_threshold": "0.97"},
            },
            "retriever": {"sentence_weight": 0, "term_weight": 0},
        },
    }
    return StudyRecord.model_validate(fields | changes)


def setting() -> Setting:
    """What the checks need to know of the study."""
    record = record_of()
    return Setting.of(record.config, record.agent, tasks(), catalogs())


Tables = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class ShopStudy:
    """The study's files."""

    folder: StudyFolder

    @classmethod
    def write(cls, results: Path, **changes: Any) -> ShopStudy:
        """Write the finished study below a results folder."""
        record = record_of(**changes)
        study = cls(StudyFolder.of(results, record.study, record.identity))
        write_record(study.folder.study_record, record)
        for index in range(record.shards):
            shard = Shard(index, record.shards)
            dealt = episode_keys(shard.pairs(grid_pairs(tasks(), list(catalogs()))), CONDITIONS)
            with Ledger(study.folder.attempts(shard), now=lambda: 0.0).attempt():
                study.write_shard(shard, build_tables([records()[key] for key in dealt]))
        return study

    @classmethod
    def copy(cls, source: ShopStudy, results: Path) -> ShopStudy:
        """Copy a study but for its terminal record, for a test that alters it."""
        root = source.folder.root
        target = results / root.parent.name / root.name
        shutil.copytree(root, target, ignore=shutil.ignore_patterns("terminal"))
        return cls(StudyFolder(target))

    def write_shard(self, shard: Shard, tables: Mapping[str, pa.Table]) -> None:
        """Write a shard's tables, and a manifest that describes them."""
        entries = {
            name: TableEntry(
                rows=table.num_rows, sha256=write_table(self.folder.table(name, shard), table)
            )
            for name, table in tables.items()
        }
        manifest = Manifest(
            study="shop",
            identity=IDENTITY,
            shard_index=shard.index,
            shard_count=shard.count,
            rows=entries["episodes"].rows,
            sha256=entries["episodes"].sha256,
            logical_digest=logical_digest({name: [table] for name, table in tables.items()}),
            tables=entries,
            attempt=1,
            environment={"python": "3", "concurrency": "1", "processes": "2"},
        )
        write_record(self.folder.manifest(shard), manifest)

    def read_shard(self, shard: Shard) -> Tables:
        """Read a shard's rows."""
        return {
            name: read_table(self.folder.table(name, shard), schema).to_pylist()
            for name, schema in TABLES.items()
        }

    def forge(self, change: Callable[[Tables], Any], index: int = 0) -> None:
        """Change a shard's rows and make its hashes and digests anew."""
        shard = Shard(index, 2)
        rows = self.read_shard(shard)
        change(rows)
        self.write_shard(shard, _tables(rows))

    def alter(self, change: Callable[[Tables], Any], index: int = 0) -> None:
        """Change a shard's rows and leave its manifest as it was."""
        manifest = self.folder.manifest(Shard(index, 2))
        content = manifest.read_bytes()
        self.forge(change, index)
        manifest.write_bytes(content)


def of(rows: Iterable[dict[str, Any]], key: EpisodeKey) -> list[dict[str, Any]]:
    """Return an episode's rows of a table."""
    names = ("task_id", "catalog_size", "condition")
    return [row for row in rows if tuple(row[name] for name in names) == key]


def _tables(rows: Tables) -> dict[str, pa.Table]:
    return {
        name: pa.Table.from_pylist(rows[name], schema=schema) for name, schema in TABLES.items()
    }
