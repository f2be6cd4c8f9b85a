"""Tidy tables hold each observation once, and their dictionary every column of them."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from gates.export.dictionary import TABLES
from gates.export.tidy import write_tidy
from gates.metric_table import COLUMNS, METRICS
from tests.support.finished import shop


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tidy")
    write_tidy(shop(), path)
    return path


def test_observations_pool_to_the_figures_of_the_record(folder: Path) -> None:
    rows = pq.read_table(folder / "observations.parquet").to_pylist()
    assert len(rows) == len(shop().tally.keys) * len(METRICS)
    for condition in shop().conditions:
        for metric in METRICS:
            own = [r for r in rows if (r["condition"], r["metric"]) == (condition, metric)]
            above, below = (sum(r[part] for r in own) for part in ("numerator", "denominator"))
            value = shop().terminal["metrics"][condition]["overall"][metric]
            assert value == (float(Fraction(above, below)) if below else None)
            # Undefined is empty, never 0.
            assert all((r["value"] is None) is (r["denominator"] == 0) for r in own)


def test_episodes_hold_their_counts(folder: Path) -> None:
    rows = pq.read_table(folder / "episodes.parquet").to_pylist()
    for place, (key, row) in enumerate(zip(shop().tally.keys, rows, strict=True)):
        assert (row["task_id"], row["catalog_size"], row["condition"]) == tuple(key)
        assert {name: row[name] for name in COLUMNS} == {
            name: shop().count(name, place) for name in COLUMNS
        }
        assert (row["cause"] is None) is (row["passes"] == 1)


@pytest.mark.parametrize("name", TABLES)
def test_both_forms_say_the_same(folder: Path, name: str) -> None:
    table = pq.read_table(folder / f"{name}.parquet")
    assert table.schema.metadata[b"label"] == b"exploratory, the scripted agent"
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head == table.column_names
    assert len(rows) == table.num_rows
    at = head.index("evidence")
    assert {row[at] for row in rows} == {"instrument"}


def test_the_dictionary_names_every_column_once_in_both_forms(folder: Path) -> None:
    content = json.loads((folder / "dictionary.json").read_bytes())
    text = (folder / "dictionary.md").read_text(encoding="utf-8")
    assert content["label"] in text
    for name, columns in content["tables"].items():
        schema = pq.read_schema(folder / f"{name}.parquet")
        assert [column["name"] for column in columns] == schema.names
        assert [column["type"] for column in columns] == [str(kind) for kind in schema.types]
        assert [column["nullable"] for column in columns] == [field.nullable for field in schema]
        for column in columns:
            assert column["meaning"]
            assert f"| `{column['name']}` | {column['type']}" in text
    assert [metric["name"] for metric in content["metrics"]] == list(METRICS)
    assert all(f"| `{name}` |" in text for name in METRICS)
