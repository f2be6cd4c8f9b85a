"""Tables hold what the records hold, and their digest is one of content."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest

from harness.record import EpisodeRecord
from harness.schema import TABLES
from harness.table import build_tables, logical_digest, row_digests
from router.canonical import digest
from tests.unit.harness.world import GOLD, ScriptedAgent, World
from tests.unit.project.checkout import ROOT


@pytest.fixture
def record(world: World) -> EpisodeRecord:
    return world.run(ScriptedAgent(GOLD))


def test_tables_have_the_schemas_and_the_records_values(record: EpisodeRecord) -> None:
    tables = build_tables([record])
    assert {name: table.schema for name, table in tables.items()} == dict(TABLES)
    [episode] = tables["episodes"].to_pylist()
    assert episode["task_id"] == record.key.task_id
    assert episode["initial_exposure"] == list(record.initial_exposure)
    assert episode["wall_latency_ms"] == record.wall_latency_ms
    turns = tables["turns"].to_pylist()
    assert [row["calls"] for row in turns] == [
        [vars(call) for call in turn.calls] for turn in record.turns
    ]
    states = [row["state"] for row in tables["transitions"].to_pylist()]
    assert states == [row.state for row in record.transitions]


def test_difficult_texts_survive(world: World) -> None:
    text = 'NUL \x00, quote ", backslash \\, newline \n, U+2028 \u2028, 2024-01-01, 한글, 🙂'
    record = world.run(ScriptedAgent([text, "true", "17"]))
    [first, second, third] = build_tables([record])["turns"].to_pylist()
    assert [first["text"], second["text"], third["text"]] == [text, "true", "17"]


def test_no_episodes_make_empty_tables() -> None:
    tables = build_tables([])
    assert {name: table.schema for name, table in tables.items()} == dict(TABLES)
    assert all(table.num_rows == 0 for table in tables.values())


def test_a_row_is_hashed_as_canonical_json_without_times(record: EpisodeRecord) -> None:
    table = build_tables([record])["transitions"]
    for row, (_, value) in zip(table.to_pylist(), row_digests(table, "transitions"), strict=True):
        assert value.hex() == digest(row)
    table = build_tables([record])["turns"]
    row: dict[str, Any] = table.to_pylist()[0]
    del row["model_ms"]
    assert next(iter(row_digests(table, "turns")))[1].hex() == digest(row)


def test_the_digest_depends_on_rows_alone(record: EpisodeRecord) -> None:
    tables = build_tables([record])
    whole = logical_digest({name: [table] for name, table in tables.items()})
    parts = {
        name: [table.slice(row, 1) for row in reversed(range(table.num_rows))]
        for name, table in tables.items()
    }
    assert logical_digest(parts) == whole
    fewer = {name: [table.slice(0, table.num_rows - 1)] for name, table in tables.items()}
    assert logical_digest(fewer) != whole


def test_the_digest_leaves_time_out(world: World, record: EpisodeRecord) -> None:
    slow = world.run(ScriptedAgent(GOLD), clock=iter(range(10_000)).__next__)
    both = [build_tables([item]) for item in (record, slow)]
    assert both[0]["episodes"] != both[1]["episodes"]
    first, second = (
        logical_digest({name: [table] for name, table in tables.items()}) for tables in both
    )
    assert first == second


def test_an_empty_study_has_a_digest() -> None:
    assert logical_digest({name: [schema.empty_table()] for name, schema in TABLES.items()})
    assert isinstance(TABLES["episodes"], pa.Schema)


def test_building_tables_imports_no_pandas() -> None:
    code = (
        "import sys; from pathlib import Path; import tempfile\n"
        "from tests.unit.harness.world import GOLD, ScriptedAgent, World\n"
        "from harness.table import build_tables\n"
        "world = World.build(Path(tempfile.mkdtemp()))\n"
        "build_tables([world.run(ScriptedAgent(GOLD))])\n"
        "sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
