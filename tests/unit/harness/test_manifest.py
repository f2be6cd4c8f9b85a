"""Records are read as they were written: no value of another type is taken for one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.error import IntegrityError
from harness.manifest import Manifest, StudyRecord, parse_record, record_bytes
from tests.support.shop_study import record_of

MANIFEST = Manifest(
    study="shop",
    identity="5" * 64,
    shard_index=0,
    shard_count=2,
    rows=3,
    sha256="6" * 64,
    logical_digest="7" * 64,
    tables={},
    attempt=1,
    environment={},
)


def test_a_record_comes_back() -> None:
    assert parse_record(record_bytes(record_of()), StudyRecord, "x") == record_of()
    assert parse_record(record_bytes(MANIFEST), Manifest, "x") == MANIFEST


@pytest.mark.parametrize(
    ("record", "key", "value"),
    [
        (record_of(), "shards", "2"),
        (record_of(), "shards", 2.0),
        (record_of(), "shards", True),
        (record_of(), "schema_version", True),
        (record_of(), "schema_version", 1.0),
        (record_of(), "schema_version", "1"),
        (record_of(), "development", 1),
        (record_of(), "development", "true"),
        (record_of(), "components", {"tasks": 1}),
        (record_of(), "agent", []),
        (record_of(), "study", None),
        (MANIFEST, "rows", "3"),
        (MANIFEST, "attempt", True),
        (MANIFEST, "tables", {"episodes": {"rows": "1", "sha256": "6" * 64}}),
        (MANIFEST, "environment", {"python": 3.11}),
    ],
)
def test_another_type_is_refused(record: StudyRecord | Manifest, key: str, value: Any) -> None:
    values = {**record.model_dump(mode="json"), key: value}
    with pytest.raises(IntegrityError, match=rf"not a record of this version: {key}") as caught:
        parse_record(json.dumps(values).encode(), type(record), "x")
    assert "Input" not in caught.value.what
